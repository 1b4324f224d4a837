import type { AlertInputs } from '../alert-inputs'
import { condition, momentary, ofConstituents } from '../evaluation/condition'
import { publicationInputs } from '../evaluation/observation'
import { withBase } from '../evaluation/state'
import { armed, fireEvent, nothing } from '../evaluation/verdict'

export const constituentsChanged = condition({
  ...ofConstituents,
  ...momentary,
  sentence: '[adds or removes a constituent]',
  words: () => 'constituents are added or removed',
  past: () => 'constituents were added or removed',
  fired: (_, { inputs }) => setWords(inputs),
  /** The first constituents arm the alert. Each later change fires, with the additions and removals. */
  judge(rule, state, { publication }) {
    if (publication.constituents.length === 0) return nothing(state, 'No constituents: skipped.')
    const { base } = state
    if (base === undefined)
      return { state: withBase(armed(state), publication), firings: [], words: 'First constituents: armed.' }
    const now = new Set(publication.constituents.map(({ constituent }) => constituent))
    const before = new Set(base.weights.map(([name]) => name))
    const joined = [...now].filter((name) => !before.has(name))
    const left = [...before].filter((name) => !now.has(name))
    if (joined.length === 0 && left.length === 0) return nothing(state, 'The constituents did not change.')
    const inputs: AlertInputs = {
      ...publicationInputs(publication),
      ...(joined.length > 0 && { joined }),
      ...(left.length > 0 && { left }),
    }
    const fact = `${joined.length} added, ${left.length} removed`
    return fireEvent(rule, withBase(state, publication), { inputs, atMs: publication.publishedAtMs, fact })
  },
})

function setWords({ joined = [], left = [] }: AlertInputs): string {
  const parts = [
    ...(joined.length > 0 ? [`${joined.join(', ')} added`] : []),
    ...(left.length > 0 ? [`${left.join(', ')} removed`] : []),
  ]
  return parts.length === 0 ? 'constituents changed' : parts.join(', ')
}
