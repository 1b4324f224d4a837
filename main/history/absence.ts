import { minAwayMs, type Away } from '../../protocol/away'
import { merged, type TimeRange } from '../../core/ranges'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import { Throttle } from '../base/throttle'

interface AbsenceEvents {
  /** There is another absence to report, none any more, or more is known of it. */
  changed: null
}

interface Reported extends Away {
  gaps: readonly TimeRange[]
}

/** Since when something has been so. */
class Since {
  #atMs: number | undefined

  constructor(atMs: number) {
    this.#atMs = atMs
  }

  get sinceMs(): number | undefined {
    return this.#atMs
  }

  /** However often it is said; answers since when it was so where that ends now. */
  set(isSo: boolean, nowMs: number): number | undefined {
    const before = this.#atMs
    this.#atMs = isSo ? (before ?? nowMs) : undefined
    return isSo ? undefined : before
  }
}

/** A stream that was broken off for less has lost nothing that counts. */
const minGapMs = 10_000
/** What catch-up brings comes index by index. */
const newsSpacingMs = 1_000

/**
 * Knows when nobody could see the window, or the computer slept, and when no connection was live meanwhile. An absence is
 * one of ten minutes or more, and is kept until the user dismisses it or another one takes its place.
 */
export class Absence {
  readonly events: Emitter<AbsenceEvents>
  readonly #clock: Clock
  readonly #news: Throttle
  readonly #hidden: Since
  readonly #withoutLive: Since
  /** By the monotonic clock. */
  #gaps: TimeRange[] = []
  #last: Reported | null = null

  constructor({ clock, onError }: { clock: Clock; onError: (error: unknown) => void }) {
    this.#clock = clock
    this.events = new Emitter(onError)
    this.#hidden = new Since(clock.monotonicMs())
    this.#withoutLive = new Since(clock.monotonicMs())
    this.#news = new Throttle({
      clock,
      spacingMs: newsSpacingMs,
      first: 'afterSpacing',
      run: () => {
        if (this.#last !== null) this.#report({ ...this.#last, version: this.#last.version + 1 })
      },
    })
  }

  /** What the window shows of it. */
  get view(): Away | null {
    if (this.#last === null) return null
    const { fromMs, toMs, version } = this.#last
    return { fromMs, toMs, version }
  }

  /** The absence to report, with the times in it without any live connection, oldest first. */
  get last(): Reported | null {
    return this.#last
  }

  /** Whether the window can be seen, however often it is said. */
  setVisible(isVisible: boolean): void {
    const fromMs = this.#hidden.set(!isVisible, this.#clock.monotonicMs())
    if (fromMs !== undefined) this.#returned(fromMs)
  }

  /** The computer slept; its monotonic clock counts that already. */
  slept(sleptMs: number): void {
    const toMs = this.#clock.monotonicMs()
    this.#gaps.push({ fromMs: toMs - sleptMs, toMs })
    if (this.#hidden.sinceMs === undefined) this.#returned(toMs - sleptMs)
  }

  /** Whether any connection is live. */
  setLive(isLive: boolean): void {
    const nowMs = this.#clock.monotonicMs()
    const fromMs = this.#withoutLive.set(!isLive, nowMs)
    // A line that comes and goes for weeks is not kept in every detail.
    if (fromMs !== undefined && this.#hidden.sinceMs !== undefined && nowMs - fromMs >= minGapMs)
      this.#gaps.push({ fromMs, toMs: nowMs })
  }

  /** Values of the past were learned, or are known never to be. */
  learned(): void {
    if (this.#last !== null) this.#news.request()
  }

  /** The user has read it, or another service answers, of which it knows nothing. */
  dismiss(): void {
    this.#news.cancel()
    if (this.#last !== null) this.#report(null)
  }

  #returned(sinceMs: number): void {
    const nowMs = this.#clock.monotonicMs()
    const withoutLiveSinceMs = this.#withoutLive.sinceMs
    const open = withoutLiveSinceMs === undefined ? [] : [{ fromMs: withoutLiveSinceMs, toMs: nowMs }]
    const gaps = joined([...this.#gaps, ...open], sinceMs)
    this.#gaps = []
    if (nowMs - sinceMs < minAwayMs) return
    const aheadMs = this.#clock.serviceMs() - nowMs
    const inServiceTime = ({ fromMs, toMs }: TimeRange) => ({ fromMs: fromMs + aheadMs, toMs: toMs + aheadMs })
    this.#report({ ...inServiceTime({ fromMs: sinceMs, toMs: nowMs }), version: 1, gaps: gaps.map(inServiceTime) })
  }

  #report(last: Reported | null): void {
    this.#last = last
    this.events.emit('changed', null)
  }
}

/** Of these what is after `sinceMs` and worth mentioning, oldest first; those that overlap as one. */
function joined(ranges: readonly TimeRange[], sinceMs: number): TimeRange[] {
  const since = ranges.map(({ fromMs, toMs }) => ({ fromMs: Math.max(fromMs, sinceMs), toMs }))
  return merged(since).filter(({ fromMs, toMs }) => toMs - fromMs >= minGapMs)
}
