/** The exact mean of the values that an index published in a stretch of time. */
import { readExact, unitsAt, type Exact, type Fraction } from '../decimal'
import type { Publication } from '../model'
import { compareVersions } from '../publication'

/** Which published values count. */
export interface WindowTerms {
  /** Length of the window. */
  seconds: number
  /** A value counts if its published time is a multiple of this: whole seconds, or each 200 ms. */
  stepMs: 1_000 | 200
  /** Values carried forward do not count. */
  leavesOutCarried?: boolean | undefined
}

/** A value within the window. `exact` is undefined if it does not count: a zero, or carried forward and left out. */
export interface Observation {
  publication: Publication
  exact: Exact | undefined
}

/**
 * The values of a window that moves forward, in their latest revisions. A value costs the same whatever the length of
 * the window. Sums are whole numbers at the largest scale seen, so nothing is rounded and nothing drifts.
 */
export class MeanWindow {
  readonly #terms: WindowTerms
  readonly #held = new Map<number, Observation>()
  #lastMs: number | undefined
  #units = 0n
  #scale = 0
  #counted = 0
  #carried = 0

  constructor(terms: WindowTerms) {
    this.#terms = terms
  }

  /** Published time of the last value that belongs to the window, whether it is there or not. */
  get lastMs(): number | undefined {
    return this.#lastMs
  }

  /** The number of values in a complete window. */
  get expected(): number {
    return (this.#terms.seconds * 1_000) / this.#terms.stepMs
  }

  /** The number of values in the mean. */
  get counted(): number {
    return this.#counted
  }

  /** How many of the counted values are carried forward. */
  get carried(): number {
    return this.#carried
  }

  /** The sum of the counted values. */
  get sum(): Exact {
    return { units: this.#units, scale: this.#scale }
  }

  /** Undefined while no value counts. */
  get mean(): Fraction | undefined {
    return this.#counted === 0 ? undefined : meanOf(this.sum, this.#counted)
  }

  /** The value at the end of the window. */
  get newest(): Publication | undefined {
    return this.#lastMs === undefined ? undefined : this.#held.get(this.#lastMs)?.publication
  }

  /** Everything within the window, in order of published time. */
  get observations(): Observation[] {
    return [...this.#held.values()].sort((a, b) => a.publication.publishedAtMs - b.publication.publishedAtMs)
  }

  /** Ends the window at this published time and drops what left it. Never moves back. */
  moveTo(lastMs: number): void {
    const { seconds, stepMs } = this.#terms
    const startMs = lastMs - seconds * 1_000
    const before = this.#lastMs
    if (before !== undefined && lastMs <= before) return
    this.#lastMs = lastMs
    if (before === undefined || startMs >= before) {
      for (const atMs of [...this.#held.keys()]) if (atMs <= startMs) this.#drop(atMs)
      return
    }
    for (let atMs = before - seconds * 1_000 + stepMs; atMs <= startMs; atMs += stepMs) this.#drop(atMs)
  }

  /** Moves the window to a value that is newer than its end, then adds the value. */
  slide(publication: Publication): void {
    if (this.#isOnStep(publication)) this.moveTo(publication.publishedAtMs)
    this.add(publication)
  }

  /** Adds a value in any order. Ignores one outside the window, one between the steps, and an older revision. */
  add(publication: Publication): void {
    const { publishedAtMs } = publication
    const last = this.#lastMs
    if (last === undefined || publishedAtMs > last || publishedAtMs <= last - this.#terms.seconds * 1_000) return
    if (!this.#isOnStep(publication)) return
    const known = this.#held.get(publishedAtMs)
    if (known !== undefined && compareVersions(publication, known.publication) <= 0) return
    this.#drop(publishedAtMs)
    const exact = this.#countable(publication)
    this.#held.set(publishedAtMs, { publication, exact })
    if (exact === undefined) return
    if (exact.scale > this.#scale) {
      this.#units = unitsAt(this.sum, exact.scale)
      this.#scale = exact.scale
    }
    this.#units += unitsAt(exact, this.#scale)
    this.#counted++
    if (publication.isRepeatOfPrevious === true) this.#carried++
  }

  /** A zero is sent by mistake, so it counts as missing. */
  #countable(publication: Publication): Exact | undefined {
    if (publication.isRepeatOfPrevious === true && this.#terms.leavesOutCarried === true) return undefined
    const exact = readExact(publication.value)
    return exact?.units === 0n ? undefined : exact
  }

  #isOnStep({ publishedAtMs }: Publication): boolean {
    return publishedAtMs % this.#terms.stepMs === 0
  }

  #drop(atMs: number): void {
    const known = this.#held.get(atMs)
    if (known === undefined) return
    this.#held.delete(atMs)
    if (known.exact === undefined) return
    this.#units -= unitsAt(known.exact, this.#scale)
    this.#counted--
    if (known.publication.isRepeatOfPrevious === true) this.#carried--
  }
}

/** A sum ÷ a number of values, which is not 0. */
export function meanOf({ units, scale }: Exact, count: number): Fraction {
  return { units, over: BigInt(count) * 10n ** BigInt(scale) }
}
