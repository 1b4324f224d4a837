import { minAwayMs, type Away } from '../../protocol/away'
import { merged, type TimeRange } from '../../core/ranges'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import { Throttle } from '../base/throttle'

interface AbsenceEvents {
  /** The reported absence appeared, went away, or has new data. */
  changed: null
}

interface Reported extends Away {
  gaps: readonly TimeRange[]
}

/** Shorter interruptions of the stream are not reported. */
const minGapMs = 10_000
/** Catch-up delivers values index by index, so news is collected for this long. */
const newsSpacingMs = 1_000

/**
 * Tracks when the window was invisible or the computer slept, and when no connection was live. An absence lasts ten
 * minutes or more. It is kept until the user dismisses it or another one replaces it.
 */
export class Absence {
  readonly events: Emitter<AbsenceEvents>
  readonly #clock: Clock
  readonly #news: Throttle
  /** Monotonic times. Undefined while the window is visible, and while a connection is live. */
  #hiddenSinceMs: number | undefined
  #notLiveSinceMs: number | undefined
  /** Monotonic time. */
  #gaps: TimeRange[] = []
  #last: Reported | null = null

  constructor({ clock, onError }: { clock: Clock; onError: (error: unknown) => void }) {
    this.#clock = clock
    this.events = new Emitter(onError)
    this.#hiddenSinceMs = this.#notLiveSinceMs = clock.monotonicMs()
    this.#news = new Throttle({
      clock,
      spacingMs: newsSpacingMs,
      first: 'afterSpacing',
      run: () => {
        if (this.#last !== null) this.#report({ ...this.#last, version: this.#last.version + 1 })
      },
    })
  }

  /** The part the window shows. */
  get view(): Away | null {
    if (this.#last === null) return null
    const { fromMs, toMs, version } = this.#last
    return { fromMs, toMs, version }
  }

  /** The absence to report, with the times without a live connection, oldest first. */
  get last(): Reported | null {
    return this.#last
  }

  /** May be called without a change. */
  setVisible(isVisible: boolean): void {
    const fromMs = this.#hiddenSinceMs
    this.#hiddenSinceMs = isVisible ? undefined : (fromMs ?? this.#clock.monotonicMs())
    if (isVisible && fromMs !== undefined) this.#returned(fromMs)
  }

  /** The computer slept. The monotonic clock includes that time. */
  slept(sleptMs: number): void {
    const toMs = this.#clock.monotonicMs()
    this.#gaps.push({ fromMs: toMs - sleptMs, toMs })
    if (this.#hiddenSinceMs === undefined) this.#returned(toMs - sleptMs)
  }

  /** Whether any connection is live. */
  setLive(isLive: boolean): void {
    const nowMs = this.#clock.monotonicMs()
    const fromMs = this.#notLiveSinceMs
    this.#notLiveSinceMs = isLive ? undefined : (fromMs ?? nowMs)
    // Interruptions are stored only while the window is invisible, and only if long enough. A bad line could otherwise
    // fill the memory.
    if (isLive && fromMs !== undefined && this.#hiddenSinceMs !== undefined && nowMs - fromMs >= minGapMs)
      this.#gaps.push({ fromMs, toMs: nowMs })
  }

  /** Past values were received, or the service will never have them. */
  learned(): void {
    if (this.#last !== null) this.#news.request()
  }

  /** The user has read the report, or another service is in use. */
  dismiss(): void {
    this.#news.cancel()
    if (this.#last !== null) this.#report(null)
  }

  #returned(sinceMs: number): void {
    const nowMs = this.#clock.monotonicMs()
    const open = this.#notLiveSinceMs === undefined ? [] : [{ fromMs: this.#notLiveSinceMs, toMs: nowMs }]
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

/** The ranges after `sinceMs` that are long enough to report, oldest first, with overlaps merged. */
function joined(ranges: readonly TimeRange[], sinceMs: number): TimeRange[] {
  const since = ranges.map(({ fromMs, toMs }) => ({ fromMs: Math.max(fromMs, sinceMs), toMs }))
  return merged(since).filter(({ fromMs, toMs }) => toMs - fromMs >= minGapMs)
}
