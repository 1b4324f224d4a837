import type { Clock } from '../base/clock'

/** A longer answer says too little about when it was written. */
const maxRoundTripMs = 5_000
/** A value older than this when it comes is late: it confirms no clock. */
const maxValueAgeMs = 30_000
/** How far ahead of the answer's time a value may be: both are rounded, and answers travel. */
const maxValueAheadMs = 5_000
const minConfirmations = 3
/** More is no clock that runs wrong, such as a service that plays back the past. */
const maxCorrectionMs = 26 * 3_600_000
const shownSkewMs = 60_000
/** An answer says what time it is for so long; then this computer's clock may have drifted from the service's. */
const answerHoldsMs = 3_600_000
/** A value is ahead of its time where it is dated later than this after the service's time. */
const maxAheadMs = 2_000
/** How long live values have to confirm the time that answers give. */
const patienceMs = 60_000

const consequences = {
  followed: 'Using the provider’s time until you fix it.',
  notConfirmed: 'No value confirms the provider’s time, so ages use this computer’s clock. Set it correctly.',
  contradicted: 'Another connection’s time differs, so ages use this computer’s clock. Set it correctly.',
  tooFar: 'Ages use this computer’s clock. Set it correctly.',
} as const

interface Options {
  clock: Clock
  /** A sentence the user should read once. */
  warn: (message: string) => void
}

/**
 * Estimates what time it is for the service, where this computer's clock may be wrong. An answer of REST says what time it
 * was written; that alone is not believed, since an answer may come out of a cache. The stream alone neither, since a
 * stream that lags would make late values look live. Only where values as they come agree with the answer is its time
 * followed; where they do not, the machine's clock counts, and that is said. What values have confirmed stays until they
 * confirm something else.
 */
export class ServiceTime {
  readonly #options: Options
  /** What values confirmed, ahead of the monotonic clock. */
  #confirmedMs: number | undefined
  /** What the last answer says, where no values have confirmed it yet. */
  #candidate: { aheadMs: number; confirmations: number } | undefined
  #answeredAtMs = -Infinity
  #pace = new StreamPace()
  /** Values that are ahead of the pace: where they keep a pace themselves, that is the stream's from then on. */
  #leap = new StreamPace()
  #said: keyof typeof consequences | undefined
  #cancelPatience: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** An answer of REST that the service dated, and how long it took. */
  answered(serverTimeMs: number, roundTripMs: number): void {
    if (roundTripMs > maxRoundTripMs) return
    const aheadMs = serverTimeMs + roundTripMs / 2 - this.#options.clock.monotonicMs()
    const isNear = (otherMs: number | undefined) => {
      return otherMs !== undefined && Math.abs(aheadMs - otherMs) <= maxValueAheadMs
    }
    this.#answeredAtMs = this.#options.clock.monotonicMs()
    if (isNear(this.#confirmedMs)) {
      this.#confirmedMs = aheadMs
      this.#candidate = undefined
    } else if (this.#candidate !== undefined && isNear(this.#candidate.aheadMs)) this.#candidate.aheadMs = aheadMs
    else this.#candidate = { aheadMs, confirmations: 0 }
    this.#decide()
    if (this.#isSkewed && this.#confirmedMs === undefined) this.#waitForValues()
  }

  /** A value came on the stream, in the moment in which it came. */
  published(publishedAtMs: number): void {
    this.#followPace(publishedAtMs)
    const candidate = this.#candidate
    if (candidate === undefined) return
    const ageMs = this.#options.clock.monotonicMs() + candidate.aheadMs - publishedAtMs
    if (ageMs > maxValueAgeMs || ageMs < -maxValueAheadMs) return
    candidate.confirmations++
    if (candidate.confirmations < minConfirmations) return
    this.#confirmedMs = candidate.aheadMs
    this.#candidate = undefined
    this.#decide()
  }

  /** The service's time where it is known: by answers, else by the pace of the stream. */
  nowMs(): number | undefined {
    const monotonicMs = this.#options.clock.monotonicMs()
    const aheadMs = this.#knownAheadMs(monotonicMs)
    return aheadMs === undefined ? undefined : monotonicMs + aheadMs
  }

  /** Whether a value is dated ahead of the service's time; no where that is not known. */
  isAhead(publishedAtMs: number): boolean {
    const nowMs = this.nowMs()
    return nowMs !== undefined && publishedAtMs > nowMs + maxAheadMs
  }

  dispose(): void {
    this.#cancelPatience?.()
    this.#options.clock.followService(this, undefined)
  }

  /** How far the service is ahead of the monotonic clock. */
  #knownAheadMs(monotonicMs: number): number | undefined {
    const paceMs = this.#pace.aheadMs(monotonicMs)
    const answeredMs = this.#answeredAheadMs(monotonicMs)
    if (answeredMs === undefined || paceMs === undefined) return answeredMs ?? paceMs
    // Both are estimates: within what they may be wrong by the later one is nearer, since all that comes has travelled.
    return paceMs > answeredMs && paceMs - answeredMs <= maxValueAheadMs ? paceMs : answeredMs
  }

  /** By the last answer where values have confirmed it, or this computer's clock says the same. */
  #answeredAheadMs(monotonicMs: number): number | undefined {
    if (monotonicMs - this.#answeredAtMs > answerHoldsMs) return undefined
    if (this.#confirmedMs !== undefined || this.#candidate === undefined) return this.#confirmedMs
    const { aheadMs } = this.#candidate
    return Math.abs(monotonicMs + aheadMs - this.#options.clock.wallMs()) <= maxValueAheadMs ? aheadMs : undefined
  }

  #followPace(publishedAtMs: number): void {
    const monotonicMs = this.#options.clock.monotonicMs()
    const paceMs = this.#pace.aheadMs(monotonicMs)
    if (paceMs === undefined || publishedAtMs <= monotonicMs + paceMs + maxAheadMs) {
      this.#pace.note(publishedAtMs, monotonicMs)
      this.#leap.forget()
      return
    }
    this.#leap.note(publishedAtMs, monotonicMs)
    if (this.#leap.aheadMs(monotonicMs) === undefined) return
    this.#pace = this.#leap
    this.#leap = new StreamPace()
  }

  /** How far the service is ahead of this computer's clock, by what is confirmed, else by the last answer. */
  get #skewMs(): number {
    const { clock } = this.#options
    const aheadMs = this.#confirmedMs ?? this.#candidate?.aheadMs
    return aheadMs === undefined ? 0 : aheadMs + clock.monotonicMs() - clock.wallMs()
  }

  get #isSkewed(): boolean {
    return Math.abs(this.#skewMs) >= shownSkewMs
  }

  #decide(): void {
    const isTooFar = Math.abs(this.#skewMs) > maxCorrectionMs
    const isFollowed = this.#options.clock.followService(this, isTooFar ? undefined : this.#confirmedMs)
    if (!this.#isSkewed) this.#said = undefined
    else if (this.#confirmedMs !== undefined) this.#say(isTooFar ? 'tooFar' : isFollowed ? 'followed' : 'contradicted')
  }

  #waitForValues(): void {
    this.#cancelPatience ??= this.#options.clock.after(patienceMs, () => {
      this.#cancelPatience = undefined
      if (this.#isSkewed && this.#confirmedMs === undefined) this.#say('notConfirmed')
    })
  }

  #say(what: keyof typeof consequences): void {
    if (this.#said === what) return
    this.#said = what
    const side = this.#skewMs > 0 ? 'slow' : 'fast'
    const skew = `This computer’s clock is ${roughSpan(Math.abs(this.#skewMs))} ${side}.`
    this.#options.warn(`${skew} ${consequences[what]}`)
  }
}

/** Values this close to each other in time say no more than one of them. */
const minPaceSpacingMs = 500
/** Without a value for so long a pace is not known any more. */
const paceHoldsMs = 60_000
/** What values in one pace may differ by: they travel differently long. */
const paceJitterMs = 2_000
/** By so much the pace goes back with each value, until the next that came as fast as the fastest. */
const paceRelaxesMs = 50

/**
 * How far the times of values are ahead of the monotonic clock, where several that came one after the other agree. What is
 * late says nothing, and neither do values that all came at once, such as the last ones of many indices.
 */
class StreamPace {
  #aheadMs = 0
  #count = 0
  #lastPublishedMs = 0
  #lastAtMs = 0

  aheadMs(monotonicMs: number): number | undefined {
    return this.#count >= minConfirmations && monotonicMs - this.#lastAtMs <= paceHoldsMs ? this.#aheadMs : undefined
  }

  note(publishedAtMs: number, monotonicMs: number): void {
    const aheadMs = publishedAtMs - monotonicMs
    const isOther = aheadMs > this.#aheadMs + paceJitterMs || monotonicMs - this.#lastAtMs > paceHoldsMs
    if (this.#count > 0 && !isOther) {
      if (aheadMs < this.#aheadMs - paceJitterMs || publishedAtMs <= this.#lastPublishedMs) return
      if (monotonicMs - this.#lastAtMs < minPaceSpacingMs) return
      this.#aheadMs = Math.max(aheadMs, this.#aheadMs - paceRelaxesMs)
      this.#count++
    } else {
      this.#aheadMs = aheadMs
      this.#count = 1
    }
    this.#lastPublishedMs = publishedAtMs
    this.#lastAtMs = monotonicMs
  }

  forget(): void {
    this.#count = 0
  }
}

/** As 12 min, 30 h or 4 days. */
export function roughSpan(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 90) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}
