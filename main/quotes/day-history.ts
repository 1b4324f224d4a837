/** The last day of one index that ticks. */
import { isLess, toChartNumber } from '../../core/decimal'
import type { ValueRange } from '../../protocol/desktop'
import type { Publication } from '../../core/model'
import { compareVersions } from '../../core/publication'

const dayMs = 86_400_000

/** A publication that may be the lowest or the highest of its time. */
interface Extreme {
  publication: Publication
  /** The nearest float, which decides most comparisons. */
  nearest: number
}

/** Of a part of the day, the last publication and the extremes. */
interface DayPart {
  key: number
  last: Publication
  low: Extreme
  high: Extreme
}

/** Of what was published in parts of `partMs`, as long as a day lies back at most. */
export class DayHistory {
  readonly partMs: number
  /** Ascending. */
  #parts: DayPart[] = []
  #isComplete = false
  /** As long as no extreme changes and none grows a day old. */
  #range: (ValueRange & { untilMs: number }) | undefined

  /** `partMs` divides a day: its last publication is the last of a part. */
  constructor(partMs: number) {
    this.partMs = partMs
  }

  /** The last publication of each part, ascending. */
  get points(): readonly Publication[] {
    return this.#parts.map(({ last }) => last)
  }

  /** Published time of the newest; 0: there is none. */
  get newestMs(): number {
    return this.#parts.at(-1)?.last.publishedAtMs ?? 0
  }

  /** Of each part what the range and the last value are told by, ascending: a history that takes these is the same. */
  get kept(): readonly Publication[] {
    return this.#parts.flatMap(({ last, low, high }) =>
      [...new Set([low.publication, high.publication, last])].sort(compareVersions),
    )
  }

  /** The service has sent its last 24 hours. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Takes what the service has of the last 24 hours. */
  restore(publications: readonly Publication[]): void {
    for (const publication of publications) this.#insert(publication)
    this.#isComplete ||= publications.length > 0
    this.#trim()
  }

  add(publication: Publication): void {
    this.#insert(publication)
    this.#trim()
  }

  /** The lowest and the highest value of the 24 hours before a moment, or of as much as is known of them. */
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
    let at = parts.length
    while (at > 0 && (parts[at - 1]?.key ?? 0) > key) at--
    const part = parts[at - 1]
    if (part?.key === key) {
      const { low, high } = part
      include(part, publication)
      if (part.low === low && part.high === high) return
    } else {
      const extreme = extremeOf(publication)
      parts.splice(at, 0, { key, last: publication, low: extreme, high: extreme })
    }
    this.#range = undefined
  }

  /** Keeps the last one that is a day older than the newest, or more: it is what a day ago is counted from. */
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

function include(part: DayPart, publication: Publication): void {
  if (compareVersions(publication, part.last) > 0) part.last = publication
  // What was an extreme may be none as amended; what came next to it is not known, and the last value stands in.
  if (isAmendmentOf(part.low, publication)) part.low = extremeOf(part.last)
  if (isAmendmentOf(part.high, publication)) part.high = extremeOf(part.last)
  const extreme = extremeOf(publication)
  if (isLower(extreme, part.low)) part.low = extreme
  if (isLower(part.high, extreme)) part.high = extreme
}

function isAmendmentOf({ publication: extreme }: Extreme, publication: Publication): boolean {
  return extreme.publishedAtMs === publication.publishedAtMs && compareVersions(publication, extreme) > 0
}

function isLower(a: Extreme, b: Extreme): boolean {
  // Rounding keeps the order: only what is equal as floats has to be compared digit by digit.
  if (a.nearest !== b.nearest) return a.nearest < b.nearest
  return a.publication.value !== b.publication.value && isLess(a.publication.value, b.publication.value)
}
