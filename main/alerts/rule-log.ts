import type { AlertRule, AlertTerms } from '../../protocol/alerts'
import type { ValueSeen } from './rules/observation'
import type { RuleState } from './rules/state'

/** How many values a log keeps. */
export interface Reach {
  default: number
  /** Of a move over a long time. */
  max: number
}

/** Half an hour of an index that publishes every second; of a move, five hours and a half. */
export const wholeReach: Reach = { default: 1_800, max: 20_000 }
const minReach = 300
/** Of all indices together: some 20 MB. Rules of one index share its values. */
const valuesInAll = 150_000

/** What is left for the rules of each of so many indices. */
export function reachAmong(indexCount: number): Reach {
  const share = Math.max(minReach, Math.floor(valuesInAll / Math.max(1, indexCount)))
  return { default: Math.min(wholeReach.default, share), max: Math.min(wholeReach.max, share) }
}

/** Dropped at once, so that a value more does not cost a shift of all. */
const slack = 256

/** Whether an amendment can change what a rule of these terms has fired: those that compare the value itself. */
export function comparesValues(terms: AlertTerms): boolean {
  return 'level' in terms || 'low' in terms || terms.condition === 'moves'
}

/**
 * The values a rule has seen in this run, oldest first, and the state before each: what it takes to judge again from any
 * of them on (alerts, 12). Reaches back 1,800 values; of a move also two of its windows, up to 20,000 values; less where
 * rules watch more than 80 indices.
 */
export class RuleLog {
  readonly #windowMs: number
  readonly #seen: ValueSeen[] = []
  /** The state before the value of this number, where it is not the one before the value before. */
  #states: { number: number; state: RuleState }[] = []
  /** Number of the first value. */
  #first = 0

  constructor(rule: AlertRule) {
    this.#windowMs = rule.terms.condition === 'moves' ? rule.terms.withinMs : 0
  }

  get length(): number {
    return this.#seen.length
  }

  get isTrimmed(): boolean {
    return this.#first > 0
  }

  /** Publish time of the oldest value. */
  get sinceMs(): number | undefined {
    return this.#seen[0]?.publication.publishedAtMs
  }

  /** Takes a value newer than all before; others are left out. */
  add(seen: ValueSeen, before: RuleState, reach = wholeReach): void {
    const newest = this.#seen.at(-1)?.publication.publishedAtMs
    if (newest !== undefined && seen.publication.publishedAtMs <= newest) return
    if (this.#states.at(-1)?.state !== before) this.#states.push({ number: this.#first + this.length, state: before })
    this.#seen.push(seen)
    this.#trim(seen.publication.publishedAtMs, reach)
  }

  /**
   * Place of the value of this time; `undefined` where it was never seen or too little is left of what came before it:
   * a move needs its window.
   */
  placeOf(publishedAtMs: number): number | undefined {
    const place = this.#lowest((time) => time >= publishedAtMs)
    if (this.#seen[place]?.publication.publishedAtMs !== publishedAtMs) return undefined
    const isWhole = !this.isTrimmed || publishedAtMs - (this.sinceMs ?? 0) >= this.#windowMs
    return isWhole ? place : undefined
  }

  stateBefore(place: number): RuleState | undefined {
    const number = this.#first + place
    const after = lowest(this.#states.length, (at) => (this.#states[at]?.number ?? 0) > number)
    return this.#states[after - 1]?.state
  }

  at(place: number): ValueSeen | undefined {
    return this.#seen[place]
  }

  all(): readonly ValueSeen[] {
    return this.#seen
  }

  /** Removes the values from this place on and gives them. */
  cut(place: number): ValueSeen[] {
    const number = this.#first + place
    this.#states = this.#states.filter((each) => each.number < number)
    return this.#seen.splice(place)
  }

  /** Place of the first value whose time is high enough. */
  #lowest(isMet: (publishedAtMs: number) => boolean): number {
    return lowest(this.length, (at) => isMet(this.#seen[at]?.publication.publishedAtMs ?? 0))
  }

  #trim(newestMs: number, { default: kept, max }: Reach): void {
    if (this.length < kept + slack) return
    const reachMs = newestMs - 2 * this.#windowMs
    const inReach = this.#lowest((time) => time >= reachMs)
    const drop = Math.max(Math.min(this.length - kept, inReach), this.length - max)
    if (drop < slack) return
    const state = this.stateBefore(drop)
    this.#seen.splice(0, drop)
    this.#first += drop
    const later = this.#states.filter(({ number }) => number > this.#first)
    this.#states = state === undefined ? later : [{ number: this.#first, state }, ...later]
  }
}

/** The lowest of 0 to `length` - 1 for which `isMet`, which holds for all above it too; `length` where there is none. */
function lowest(length: number, isMet: (at: number) => boolean): number {
  let from = 0
  let to = length
  while (from < to) {
    const middle = (from + to) >> 1
    if (isMet(middle)) to = middle
    else from = middle + 1
  }
  return from
}
