import { condition, momentary } from '../evaluation/condition'
import { armed, fireEvent, nothing } from '../evaluation/verdict'
import type { CorporateAction } from '../model'

export const corporateAction = condition({
  ...momentary,
  group: 'Publication',
  source: 'corporateActions',
  requires: 'realTime',
  sentence: '[has a corporate action]',
  past: () => 'had a corporate action',
  fired: () => 'has a corporate action',
  /** The first action seen is the baseline. Each other action fires. The end of an action does not. */
  judge(rule, state, { action }) {
    const facts = action === null ? null : factsOf(action)
    const isFirst = state.whenAlreadyMet !== undefined
    if (!isFirst && facts === state.action) return nothing(state, 'The corporate action is the same as before.')
    const next = { ...armed(state), action: facts }
    if (action === null) return { state: next, firings: [], words: 'There is no corporate action: armed.' }
    if (state.whenAlreadyMet === 'wait')
      return { state: next, firings: [], words: 'There is already a corporate action. Waiting for a new one.' }
    const { publishedAtMs } = action
    return fireEvent(rule, next, { inputs: { publishedAtMs }, atMs: publishedAtMs, fact: 'New corporate action' })
  },
})

/** The facts of an action as one text, in a fixed order. Omits the publication time. */
function factsOf({ facts }: CorporateAction): string {
  return facts
    .map(({ name, text }) => JSON.stringify([name, text]))
    .sort()
    .join('\n')
}
