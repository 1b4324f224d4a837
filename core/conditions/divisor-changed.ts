import { isSameDecimal, parseDecimal } from '../decimal'
import { condition, momentary, ofConstituents } from '../evaluation/condition'
import { publicationInputs } from '../evaluation/observation'
import { armed, fireEvent, nothing } from '../evaluation/verdict'

export const divisorChanged = condition({
  ...ofConstituents,
  ...momentary,
  requires: 'divisor',
  sentence: '[changes its divisor]',
  words: () => 'divisor changes',
  past: () => 'divisor changed',
  fired: (_, { inputs: { before }, value, format }) =>
    `divisor is ${value}${before === undefined ? '' : `, was ${format.number(before)}`}`,
  /** The first divisor arms the alert. Each later change of its value fires. */
  judge(rule, state, { publication }) {
    const { divisor } = publication
    if (divisor === undefined || parseDecimal(divisor) === undefined) return nothing(state, 'No divisor.')
    const before = state.base?.divisor
    const next = { ...armed(state), base: { weights: [], divisor } }
    if (before === undefined) return { state: next, firings: [], words: `First divisor ${divisor}: armed.` }
    if (isSameDecimal(before, divisor)) return nothing(state, `The divisor is still ${divisor}.`)
    const inputs = { ...publicationInputs(publication), value: divisor, before }
    const fact = `The divisor is ${divisor} and was ${before}`
    return fireEvent(rule, next, { inputs, atMs: publication.publishedAtMs, fact })
  },
})
