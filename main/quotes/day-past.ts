import type { Publication } from '../../protocol/model'
import { compareVersions } from '../base/version-order'
import { dayMs } from './change-reference'

const minuteMs = 60_000

/** The last day of one index that ticks: the last publication of each minute. */
export class DayPast {
  /** Ascending. */
  #points: Publication[] = []
  #isTold = false

  get points(): readonly Publication[] {
    return this.#points
  }

  /** The service has told its last 24 hours. */
  get isTold(): boolean {
    return this.#isTold
  }

  /** Takes what the service tells of the last 24 hours. */
  restore(publications: readonly Publication[], nowMs: number): void {
    for (const publication of publications) this.#insert(publication)
    this.#isTold ||= publications.length > 0
    this.#trim(nowMs)
  }

  add(publication: Publication, nowMs: number): void {
    this.#insert(publication)
    this.#trim(nowMs)
  }

  #insert(publication: Publication): void {
    const points = this.#points
    const minute = minuteOf(publication)
    let at = points.length
    while (at > 0 && minuteOf(points[at - 1]) > minute) at--
    const same = points[at - 1]
    if (same !== undefined && minuteOf(same) === minute) {
      if (compareVersions(publication, same) > 0) points[at - 1] = publication
    } else points.splice(at, 0, publication)
  }

  /** Keeps the last one that is a day old or older: it is what a day ago is counted from. */
  #trim(nowMs: number): void {
    const first = this.#points[1]
    if (first === undefined || first.publishedAtMs > nowMs - dayMs) return
    const from = this.#points.findLastIndex(({ publishedAtMs }) => publishedAtMs <= nowMs - dayMs)
    this.#points = this.#points.slice(from)
  }
}

function minuteOf(publication: Publication | undefined): number {
  return publication === undefined ? Number.NEGATIVE_INFINITY : Math.floor(publication.publishedAtMs / minuteMs)
}
