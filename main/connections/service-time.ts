import type { Clock } from '../base/clock'

/** A slower answer is too inexact. */
const maxRoundTripMs = 5_000
/** A value older than this on arrival confirms no time. */
const maxValueAgeMs = 30_000
/** A value may be dated this far ahead of an answer's time: both are rounded, and answers take time to arrive. */
const maxValueAheadMs = 5_000
const minConfirmations = 3
/** A larger difference is not a wrong clock. The service may be replaying the past. */
const maxCorrectionMs = 26 * 3_600_000
const shownSkewMs = 60_000
/** An answer's time expires, because this computer's clock may drift. */
const answerHoldsMs = 3_600_000
/** A value dated later than this after the service's time is ahead of its time. */
const maxAheadMs = 2_000
/** The user is told if no value confirms an answer's time within this time. */
const patienceMs = 60_000

const consequences = {
  followed: 'Using the provider’s time until you fix it.',
  notConfirmed: 'No value confirms the provider’s time, so ages use this computer’s clock. Set it correctly.',
  contradicted: 'Another connection’s time differs, so ages use this computer’s clock. Set it correctly.',
  tooFar: 'Ages use this computer’s clock. Set it correctly.',
} as const

interface Options {
  clock: Clock
  /** Called with a message to show once. */
  warn: (message: string) => void
}

/**
 * Estimates the service's time, because this computer's clock may be wrong. A REST answer is dated, but may come from a
 * cache. Live values are dated, but a slow stream would make late values look live. So an answer's time is used only if
 * live values confirm it. Otherwise this computer's clock is used, and the user is told. A confirmed time applies until
 * values confirm another.
 */
export class ServiceTime {
  readonly #options: Options
  /** The confirmed time, in milliseconds ahead of the monotonic clock. */
  #confirmedMs: number | undefined
  /** The time of the last answer, until values confirm it. */
  #candidate: { aheadMs: number; confirmations: number } | undefined
  #answeredAtMs = -Infinity
  #pace = new StreamPace()
  /** The pace of values that are ahead of `#pace`. It replaces `#pace` once it is known. */
  #leap = new StreamPace()
  #said: keyof typeof consequences | undefined
  #cancelPatience: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Call for each REST answer. `serverTimeMs` is the time in it. */
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

  /** Call as soon as a value arrives on the stream. */
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

  /** The service's time by its answers, or else by the pace of the stream. Undefined if neither is known. */
  nowMs(): number | undefined {
    const monotonicMs = this.#options.clock.monotonicMs()
    const aheadMs = this.#knownAheadMs(monotonicMs)
    return aheadMs === undefined ? undefined : monotonicMs + aheadMs
  }

  /** True if a value is ahead of the service's time. False if that time is unknown. */
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
    // Answers and values take time to arrive, so the later of two close estimates is better.
    return paceMs > answeredMs && paceMs - answeredMs <= maxValueAheadMs ? paceMs : answeredMs
  }

  /** The last answer is used if values or this computer's clock agree with it. */
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

  /** How far the service is ahead of this computer's clock. */
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

/** Values that arrive closer together count once. */
const minPaceSpacingMs = 500
/** A pace expires if no value arrives in this time. */
const paceHoldsMs = 60_000
/** Values of one pace may differ by this much, because their delays vary. */
const paceJitterMs = 2_000
/** Each slower value lowers the pace by this much. */
const paceRelaxesMs = 50

/**
 * How far the times of live values are ahead of the monotonic clock. Known when several consecutive values agree. Late
 * values are ignored. Values that arrive together count once, such as the latest values of many indices.
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

/** A duration such as 12 min, 30 h or 4 days. */
export function roughSpan(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 90) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}
