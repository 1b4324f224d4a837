import type { AlertDraft, AlertRule } from '../../protocol/alerts'
import type { ConstituentsPublication, DecimalText, Publication, Quote, Resolution } from '../../protocol/model'
import { evaluate, newMemory } from './rules/evaluate'
import type { Observation } from './rules/observation'
import { initialState } from './rules/state'

/** What is known of the index at this moment. */
export interface Present {
  quote: Quote | undefined
  constituents: ConstituentsPublication | undefined
  cadence: Resolution | undefined
}

/**
 * Whether a draft's condition holds already, by the same evaluation as the engine's; a time to hold is left out, and a
 * cached value says nothing, as for the engine. `measure`: what the terms compare, where that is known.
 */
export function judgeNow(
  draft: AlertDraft,
  { quote, constituents, cadence }: Present,
): { isMet: boolean; measure?: DecimalText } {
  const rule = ruleOf(draft)
  const seen: Observation[] = []
  if (quote !== undefined && quote.source !== 'cache') seen.push(valueSeen(quote, cadence))
  if (constituents !== undefined) seen.push({ kind: 'constituents', publication: constituents })
  const verdicts = seen.map((each) => evaluate(rule, initialState('fire'), newMemory(), each))
  const measure = verdicts.find((verdict) => verdict.measure !== undefined)?.measure
  return {
    isMet: verdicts.some(({ firings }) => firings.length > 0),
    ...(measure !== undefined && { measure }),
  }
}

/** The move within the draft's window up to the last of these values, oldest first. */
export function measureOfMove(
  draft: AlertDraft,
  publications: readonly Publication[],
  cadence: Resolution | undefined,
): DecimalText | undefined {
  if (draft.terms.condition !== 'moves') return undefined
  const rule = ruleOf({ ...draft, repeat: { mode: 'everyCrossing' } })
  const memory = newMemory()
  let state = initialState('wait')
  let measure: DecimalText | undefined
  for (const publication of publications) {
    const verdict = evaluate(rule, state, memory, valueSeen(publication, cadence))
    state = verdict.state
    measure = verdict.measure
  }
  return measure
}

/** A rule of this draft as if it had just been made; without a hold, which the past alone could tell. */
function ruleOf(draft: AlertDraft): AlertRule {
  const rule: AlertRule = { ...draft, id: 'preview', version: 1, createdAtMs: 0 }
  delete rule.holdMs
  return rule
}

function valueSeen(publication: Publication, cadence: Resolution | undefined): Observation {
  return { kind: 'value', publication, ...(cadence !== undefined && { cadence }) }
}
