import { condition, momentary } from '../evaluation/condition'
import { valueInputs } from '../evaluation/observation'
import { armed, fireEvent, nothing } from '../evaluation/verdict'

/** Number of amendments remembered. An older one that is received again would fire again. */
const maxAmendments = 200

export const amended = condition({
  ...momentary,
  group: 'Publication',
  source: 'values',
  seesRevisions: true,
  sentence: '[is amended]',
  past: () => 'was amended',
  fired: (_, { value }) => `was amended to ${value}`,
  /** Each amendment fires once. One from before the rule is known from the start, unless it is to fire at once. */
  judge(rule, state, seen) {
    const { publishedAtMs, amendedAtMs } = seen.publication
    const { whenAlreadyMet, amendments = [] } = state
    const isKnown =
      amendedAtMs === undefined ||
      amendments.some((each) => each.publishedAtMs === publishedAtMs && each.amendedAtMs === amendedAtMs)
    if (isKnown) {
      if (amendedAtMs !== undefined) return nothing(state, 'This amendment has already fired.')
      return { state: armed(state), firings: [], words: 'Not amended: armed.' }
    }
    const latest = [...amendments, { publishedAtMs, amendedAtMs }].slice(-maxAmendments)
    const next = { ...armed(state), amendments: latest }
    if (whenAlreadyMet === 'wait' && amendedAtMs <= rule.createdAtMs) {
      return { state: next, firings: [], words: 'Amended before the alert was created: armed.' }
    }
    return fireEvent(rule, next, { inputs: valueInputs(seen), atMs: publishedAtMs, fact: 'Amended' })
  },
})
