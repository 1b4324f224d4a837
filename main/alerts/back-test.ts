/** What a draft would do on past values and on the current ones. */
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
import { isJudged } from '../../core/freshness'
import { step } from './fold'
import { newRecord } from './record'
import { evaluate } from '../../core/evaluation/evaluate'
import type { Observation } from '../../core/evaluation/observation'
import { initialState, newMemory } from '../../core/evaluation/state'
import type { Verdict } from '../../core/evaluation/verdict'

const maxFires = 1_000

/**
 * When a rule like this would have fired on these values, oldest first. Uses the engine's own evaluation. A once rule
 * counts as re-armed each time. Undefined if there are fewer than two values or the terms need more than values.
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
 * Shows a draft past values, oldest first, as if it had been created before the first. A once rule counts as re-armed
 * each time. Only for terms that depend on values alone.
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

  /** True if the maximum number of firings is reached. Later values are ignored. */
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

/** The terms with a band of five basis points. Undefined if they have a band or cannot have one. */
function withBand(terms: AlertTerms): AlertTerms | undefined {
  if (!hasLevels(terms) || 'close' in terms || terms.rearmBand !== undefined) return undefined
  return { ...terms, rearmBand: { size: '5', unit: 'basisPoints' } }
}

/** Lets a once rule fire each time. */
function armedAgain(draft: AlertDraft): AlertDraft {
  return draft.repeat.mode === 'once' ? { ...draft, repeat: { mode: 'everyCrossing' } } : draft
}

/** Shows a rule the next value. */
type Play = (publication: Publication, cadence: Resolution | undefined, source?: Source) => Verdict

/** A rule of this draft, created before the first value. */
function play(draft: AlertDraft): Play {
  const rule = { ...draft, id: 'draft', version: 1, createdAtMs: 0 }
  let record = newRecord({ number: 1, rule, first: 'wait', startedAtMs: 0, sinceMs: 0 })
  return (publication, cadence, source) => {
    const stepped = step(record, publication, cadence, source)
    record = stepped.record
    return stepped.verdict
  }
}

/** The current data of an index. */
export interface Present {
  quote: Quote | undefined
  constituents: ConstituentsPublication | undefined
  conditions: MarketConditions | undefined
  cadence: Resolution | undefined
}

/**
 * Whether a draft's condition is true now, by the engine's own evaluation. Ignores the hold and a cached value.
 * `measure` is the number that the terms compare, if known.
 */
export function evaluateNow(
  draft: AlertDraft,
  { quote, constituents, conditions, cadence }: Present,
): { isMet: boolean; measure?: DecimalText } {
  const rule = ruleOf(draft)
  const seen: Observation[] = []
  if (quote !== undefined && isJudged(quote)) seen.push({ kind: 'value', publication: quote, cadence })
  if (constituents !== undefined) seen.push({ kind: 'constituents', publication: constituents })
  if (conditions !== undefined) seen.push({ kind: 'conditions', publication: conditions })
  const verdicts = seen.map((each) => evaluate(rule, initialState('fire'), newMemory(), each))
  const measure = verdicts.find((verdict) => verdict.measure !== undefined)?.measure
  return {
    isMet: verdicts.some(({ firings }) => firings.length > 0),
    measure,
  }
}

/** The move in the draft's window up to the last of these values, oldest first. */
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

/** A rule of this draft as if just created. Without a hold, which needs past values, and without hours. */
function ruleOf(draft: AlertDraft): AlertRule {
  const rule: AlertRule = { ...draft, id: 'preview', version: 1, createdAtMs: 0 }
  delete rule.holdMs
  delete rule.hours
  return rule
}
