/** The last day of one index that ticks. */
import { compareDecimals, parseDecimal, toChartNumber } from '../../protocol/decimal'
import type { ValueRange } from '../../protocol/desktop'
import type { DecimalText, Publication } from '../../protocol/model'
import { compareVersions } from '../base/publication'

const dayMs = 86_400_000

/** Of a part of the day, the last publication and the extremes. */
interface DayPart {
  key: number
  last: Publication
  low: Publication
  high: Publication
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

  /** The service has sent its last 24 hours. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Takes what the service has of the last 24 hours. */
  restore(publications: readonly Publication[], nowMs: number): void {
    for (const publication of publications) this.#insert(publication)
    this.#isComplete ||= publications.length > 0
    this.#trim(nowMs)
  }

  add(publication: Publication, nowMs: number): void {
    this.#insert(publication)
    this.#trim(nowMs)
  }

  /** The lowest and the highest value of the last 24 hours, or of as much as is known of them. */
  range(nowMs: number): ValueRange | undefined {
    if (this.#range === undefined || nowMs >= this.#range.untilMs) this.#range = this.#findRange(nowMs)
    return this.#range && { low: this.#range.low, high: this.#range.high }
  }

  #findRange(nowMs: number): (ValueRange & { untilMs: number }) | undefined {
    const parts = this.#parts.filter(({ last }) => last.publishedAtMs > nowMs - dayMs)
    const [first] = parts
    if (first === undefined) return undefined
    let [low, high] = [first.low.value, first.high.value]
    for (const part of parts) {
      if (isLess(part.low.value, low)) low = part.low.value
      if (isLess(high, part.high.value)) high = part.high.value
    }
    return { low, high, untilMs: first.last.publishedAtMs + dayMs }
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
    } else parts.splice(at, 0, { key, last: publication, low: publication, high: publication })
    this.#range = undefined
  }

  /** Keeps the last one that is a day old or older: it is what a day ago is counted from. */
  #trim(nowMs: number): void {
    const second = this.#parts[1]
    if (second === undefined || second.last.publishedAtMs > nowMs - dayMs) return
    const from = this.#parts.findLastIndex(({ last }) => last.publishedAtMs <= nowMs - dayMs)
    this.#parts = this.#parts.slice(from)
  }
}

function include(part: DayPart, publication: Publication): void {
  if (compareVersions(publication, part.last) > 0) part.last = publication
  // What was an extreme may be none as amended; what came next to it is not known, and the last value stands in.
  if (isAmendmentOf(part.low, publication)) part.low = part.last
  if (isAmendmentOf(part.high, publication)) part.high = part.last
  if (isLess(publication.value, part.low.value)) part.low = publication
  if (isLess(part.high.value, publication.value)) part.high = publication
}

function isAmendmentOf(extreme: Publication, publication: Publication): boolean {
  return extreme.publishedAtMs === publication.publishedAtMs && compareVersions(publication, extreme) > 0
}

function isLess(a: DecimalText, b: DecimalText): boolean {
  // Rounding keeps the order: only what is equal as floats has to be compared digit by digit.
  const [x, y] = [toChartNumber(a), toChartNumber(b)]
  if (x !== y) return x < y
  const [left, right] = [parseDecimal(a), parseDecimal(b)]
  return left !== undefined && right !== undefined && compareDecimals(left, right) < 0
}
