/** The last day of a real-time index. */
import { isLess, toChartNumber } from '../../core/decimal'
import type { ValueRange } from '../../protocol/desktop'
import type { Publication } from '../../core/model'
import { compareVersions } from '../../core/publication'
import { MinuteValues } from './minute-values'

const dayMs = 86_400_000

/** A candidate for the lowest or highest value. */
interface Extreme {
  publication: Publication
  /** The nearest float. It decides most comparisons. */
  nearest: number
}

/** The last publication and the extremes of a part of the day. */
interface DayPart {
  key: number
  last: Publication
  low: Extreme
  high: Extreme
}

/** Publications of the last day, summarised in parts of `partMs`. */
export class DayHistory {
  readonly partMs: number
  readonly minutes: MinuteValues
  /** Ascending. */
  #parts: DayPart[] = []
  #isComplete = false
  /** Cached until an extreme changes or one becomes a day old. */
  #range: (ValueRange & { untilMs: number }) | undefined

  /** `partMs` must divide a day, so that midnight is the end of a part. */
  constructor(partMs: number, minutes = new MinuteValues()) {
    this.partMs = partMs
    this.minutes = minutes
  }

  /** The last publication of each part, ascending. */
  get points(): readonly Publication[] {
    return this.#parts.map(({ last }) => last)
  }

  /** Published time of the newest. 0 if there is none. */
  get newestMs(): number {
    return this.#parts.at(-1)?.last.publishedAtMs ?? 0
  }

  /**
   * The publications that determine last value and range of each part, ascending. A history built from these is the
   * same.
   */
  get kept(): readonly Publication[] {
    return this.#parts.flatMap(({ last, low, high }) =>
      [...new Set([low.publication, high.publication, last])].sort(compareVersions),
    )
  }

  /** True if the service has sent its last 24 hours. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Takes the service's last 24 hours. */
  restoreDay(publications: readonly Publication[]): void {
    this.restore(publications)
    this.#isComplete ||= publications.length > 0
  }

  /** Takes past values, of which most may be left out. */
  restore(publications: readonly Publication[]): void {
    for (const publication of publications) {
      this.#insert(publication)
      this.minutes.restoredUntilMs = Math.max(this.minutes.restoredUntilMs, publication.publishedAtMs)
    }
    this.#trim()
  }

  add(publication: Publication): void {
    this.#insert(publication)
    this.#trim()
  }

  /** Lowest and highest known value of the 24 hours before a moment. */
  range(nowMs: number): ValueRange | undefined {
    if (this.#range === undefined || nowMs >= this.#range.untilMs) this.#range = this.#findRange(nowMs)
    return this.#range && { low: this.#range.low, high: this.#range.high }
  }

  #findRange(nowMs: number): (ValueRange & { untilMs: number }) | undefined {
    const parts = this.#parts.filter(({ last }) => last.publishedAtMs > nowMs - dayMs)
    const [first] = parts
    if (first === undefined) return undefined
    let { low, high } = first
    for (const part of parts) {
      if (isLower(part.low, low)) low = part.low
      if (isLower(high, part.high)) high = part.high
    }
    return { low: low.publication.value, high: high.publication.value, untilMs: first.last.publishedAtMs + dayMs }
  }

  #insert(publication: Publication): void {
    const parts = this.#parts
    const key = Math.floor(publication.publishedAtMs / this.partMs)
    const [first] = parts
    // Older than the reference of "24 h". A catch-up has many such values.
    if (first !== undefined && key < first.key && first.last.publishedAtMs <= this.newestMs - dayMs) return
    const extreme = extremeOf(publication)
    this.minutes.add(publication.publishedAtMs, extreme.nearest)
    const newest = parts.at(-1)
    if (newest?.key === key && isBetween(newest, extreme)) {
      newest.last = publication
      return
    }
    const at = this.#placeOf(key)
    const part = parts[at - 1]
    if (part?.key === key) {
      const { low, high } = part
      include(part, extreme)
      if (part.low === low && part.high === high) return
    } else {
      parts.splice(at, 0, { key, last: publication, low: extreme, high: extreme })
    }
    this.#range = undefined
  }

  /** Returns the number of parts with this key or a smaller one. */
  #placeOf(key: number): number {
    const parts = this.#parts
    let [from, to] = [0, parts.length]
    if ((parts.at(-1)?.key ?? key) <= key) return to
    while (from < to) {
      const middle = (from + to) >> 1
      if ((parts[middle]?.key ?? 0) > key) to = middle
      else from = middle + 1
    }
    return from
  }

  /** Keeps one part that is at least a day older than the newest. It is the reference of "24 h". */
  #trim(): void {
    const [, second] = this.#parts
    const dayAgoMs = this.newestMs - dayMs
    if (second === undefined || second.last.publishedAtMs > dayAgoMs) return
    const from = this.#parts.findLastIndex(({ last }) => last.publishedAtMs <= dayAgoMs)
    this.#parts = this.#parts.slice(from)
  }
}

function extremeOf(publication: Publication): Extreme {
  return { publication, nearest: toChartNumber(publication.value) }
}

/** True for a later value between the lowest and the highest of the part. Nearly all values are. */
function isBetween({ last, low, high }: DayPart, { publication, nearest }: Extreme): boolean {
  return publication.publishedAtMs > last.publishedAtMs && nearest > low.nearest && nearest < high.nearest
}

function include(part: DayPart, extreme: Extreme): void {
  const { publication } = extreme
  if (compareVersions(publication, part.last) > 0) part.last = publication
  // An amended value may no longer be the extreme. The second extreme is unknown, so the last value replaces it.
  if (isAmendmentOf(part.low, publication)) part.low = extremeOf(part.last)
  if (isAmendmentOf(part.high, publication)) part.high = extremeOf(part.last)
  if (isLower(extreme, part.low)) part.low = extreme
  if (isLower(part.high, extreme)) part.high = extreme
}

function isAmendmentOf({ publication: extreme }: Extreme, publication: Publication): boolean {
  return extreme.publishedAtMs === publication.publishedAtMs && compareVersions(publication, extreme) > 0
}

function isLower(a: Extreme, b: Extreme): boolean {
  // Rounding preserves order, so exact comparison is only needed for equal floats.
  if (a.nearest !== b.nearest) return a.nearest < b.nearest
  return a.publication.value !== b.publication.value && isLess(a.publication.value, b.publication.value)
}
