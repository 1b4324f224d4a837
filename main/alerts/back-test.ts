/** What a draft would do: on the values of the past, and on what is known now. */
import type { BackTest } from '../../core/alert-events'
import { hasLevels, hasWindow, dependsOn, type AlertDraft, type AlertRule, type AlertTerms } from '../../core/alerts'
import type {
  ConstituentsPublication,
  DecimalText,
  MarketConditions,
  Publication,
  Quote,
  Resolution,
} from '../../core/model'
import { noSource, type Source } from '../../core/publication'
import { step } from './fold'
import { newRecord } from './record'
import { evaluate } from '../../core/evaluation/evaluate'
import type { Observation } from '../../core/evaluation/observation'
import { initialState, newMemory } from '../../core/evaluation/state'
import type { Verdict } from '../../core/evaluation/verdict'

const maxFires = 1_000

/**
 * When a rule like this would have fired on these values, oldest first, by the same evaluation as the engine's; one that
 * fires once as if armed again each time. `undefined` where there are fewer than two values or the terms need more than
 * values.
 */
export function backTest(
  draft: AlertDraft,
  publications: readonly Publication[],
  cadence: Resolution | undefined,
): BackTest | undefined {
  const [first, second] = publications
  const last = publications.at(-1)
  if (first === undefined || second === undefined || last === undefined || !dependsOn(draft.terms, 'values'))
    return undefined
  const test = new DraftTest(draft, cadence)
  for (const publication of publications) test.see(publication)
  return { sinceMs: first.publishedAtMs, untilMs: last.publishedAtMs, ...test.result }
}

/**
 * A draft shown the values of the past one after the other, oldest first, as if it had been made before the first of them.
 * One that fires once counts as armed again each time. Of terms that are judged by values alone.
 */
export class DraftTest {
  readonly #cadence: Resolution | undefined
  readonly #play: Play
  readonly #playBanded: Play | undefined
  readonly #fires: BackTest['fires'] = []
  #bandedCount = 0

  constructor(draft: AlertDraft, cadence: Resolution | undefined) {
    this.#cadence = cadence
    this.#play = play(armedAgain(draft))
    const banded = withBand(draft.terms)
    this.#playBanded = banded && play(armedAgain({ ...draft, terms: banded }))
  }

  /** It has fired as often as is counted: nothing later is looked at. */
  get isFull(): boolean {
    return this.#fires.length === maxFires
  }

  see(publication: Publication, source: Source = noSource): void {
    if (this.isFull) return
    const { publishedAtMs, value } = publication
    const hasFired = (played: Play | undefined) =>
      (played?.(publication, this.#cadence, source).firings.length ?? 0) > 0
    if (hasFired(this.#play)) this.#fires.push({ publishedAtMs, value })
    if (hasFired(this.#playBanded)) this.#bandedCount++
  }

  get result(): Pick<BackTest, 'fires' | 'firesWithBand'> {
    const fires = this.#fires
    const isFewer = this.#playBanded !== undefined && this.#bandedCount < fires.length
    return { fires, ...(isFewer && { firesWithBand: this.#bandedCount }) }
  }
}

/** The terms with a band of five basis points, where they could have one and have none. */
function withBand(terms: AlertTerms): AlertTerms | undefined {
  if (!hasLevels(terms) || terms.rearmBand !== undefined) return undefined
  return { ...terms, rearmBand: { size: '5', unit: 'basisPoints' } }
}

/** One that fires once as if armed again each time. */
function armedAgain(draft: AlertDraft): AlertDraft {
  return draft.repeat.mode === 'once' ? { ...draft, repeat: { mode: 'everyCrossing' } } : draft
}

/** Shows a rule the next value. */
type Play = (publication: Publication, cadence: Resolution | undefined, source?: Source) => Verdict

/** A rule of this draft that was made before the first value. */
function play(draft: AlertDraft): Play {
  const rule = { ...draft, id: 'draft', version: 1, createdAtMs: 0 }
  let record = newRecord({ number: 1, rule, first: 'wait', startedAtMs: 0, sinceMs: 0 })
  return (publication, cadence, source) => {
    const stepped = step(record, publication, cadence, source)
    record = stepped.record
    return stepped.verdict
  }
}

/** What is known of the index at this moment. */
export interface Present {
  quote: Quote | undefined
  constituents: ConstituentsPublication | undefined
  conditions: MarketConditions | undefined
  cadence: Resolution | undefined
}

/**
 * Whether a draft's condition holds already, by the same evaluation as the engine's; a time to hold is left out, and a
 * cached value says nothing, as for the engine. `measure`: what the terms compare, where that is known.
 */
export function judgeNow(
  draft: AlertDraft,
  { quote, constituents, conditions, cadence }: Present,
): { isMet: boolean; measure?: DecimalText } {
  const rule = ruleOf(draft)
  const seen: Observation[] = []
  if (quote !== undefined && quote.source !== 'cache') seen.push({ kind: 'value', publication: quote, cadence })
  if (constituents !== undefined) seen.push({ kind: 'constituents', publication: constituents })
  if (conditions !== undefined) seen.push({ kind: 'conditions', publication: conditions })
  const verdicts = seen.map((each) => evaluate(rule, initialState('fire'), newMemory(), each))
  const measure = verdicts.find((verdict) => verdict.measure !== undefined)?.measure
  return {
    isMet: verdicts.some(({ firings }) => firings.length > 0),
    measure,
  }
}

/** The move within the draft's window up to the last of these values, oldest first. */
export function measureOfMove(
  draft: AlertDraft,
  publications: readonly Publication[],
  cadence: Resolution | undefined,
): DecimalText | undefined {
  if (!hasWindow(draft.terms)) return undefined
  const playOn = play(ruleOf({ ...draft, repeat: { mode: 'everyCrossing' } }))
  let measure: DecimalText | undefined
  for (const publication of publications) ({ measure } = playOn(publication, cadence))
  return measure
}

/** A rule of this draft as if it had just been made; without a hold, which only the past could show, and at any hour. */
function ruleOf(draft: AlertDraft): AlertRule {
  const rule: AlertRule = { ...draft, id: 'preview', version: 1, createdAtMs: 0 }
  delete rule.holdMs
  delete rule.hours
  return rule
}
