import type { Clock } from '../base/clock'

/** A longer answer says too little about when it was written. */
const maxRoundTripMs = 5_000
/** A value older than this when it comes is late: it confirms no clock. */
const maxValueAgeMs = 30_000
/** How far ahead of the answer's time a value may be: both are rounded, and answers travel. */
const maxValueAheadMs = 5_000
const minConfirmations = 3
/** Less is within what an estimate can be wrong by. */
const minCorrectionMs = 2_000
/** More is no clock that runs wrong, such as a service that plays back the past. */
const maxCorrectionMs = 26 * 3_600_000
const shownSkewMs = 60_000
/** How long live values have to confirm the time that answers give. */
const patienceMs = 60_000

const consequences = {
  followed: "Ages are counted by the service's time meanwhile.",
  notConfirmed: "No value confirms the service's time, so ages are counted by this computer's.",
  tooFar: "Ages are counted by this computer's.",
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
 * followed; where they do not, the machine's clock counts, and that is said.
 */
export class ServiceTime {
  readonly #options: Options
  /** By the last answer, ahead of the monotonic clock. */
  #aheadMs: number | undefined
  #confirmations = 0
  #said: keyof typeof consequences | undefined
  #cancelPatience: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** An answer of REST that the service dated, and how long it took. */
  answered(serverTimeMs: number, roundTripMs: number): void {
    if (roundTripMs > maxRoundTripMs) return
    const aheadMs = serverTimeMs + roundTripMs / 2 - this.#options.clock.monotonicMs()
    const movedMs = Math.abs(aheadMs - (this.#aheadMs ?? -Infinity))
    if (movedMs > maxValueAheadMs) this.#confirmations = 0
    this.#aheadMs = aheadMs
    this.#decide()
    if (this.#isSkewed && !this.#isConfirmed) this.#waitForValues()
  }

  /** A value came on the stream, in the moment in which it came. */
  published(publishedAtMs: number): void {
    if (this.#aheadMs === undefined || this.#isConfirmed) return
    const ageMs = this.#options.clock.monotonicMs() + this.#aheadMs - publishedAtMs
    if (ageMs > maxValueAgeMs || ageMs < -maxValueAheadMs) return
    this.#confirmations++
    this.#decide()
  }

  dispose(): void {
    this.#cancelPatience?.()
    this.#options.clock.followService(this, undefined)
  }

  get #isConfirmed(): boolean {
    return this.#confirmations >= minConfirmations
  }

  /** How far the service is ahead of this computer's clock, by the last answer. */
  get #skewMs(): number {
    const { clock } = this.#options
    return this.#aheadMs === undefined ? 0 : this.#aheadMs + clock.monotonicMs() - clock.wallMs()
  }

  get #isSkewed(): boolean {
    return Math.abs(this.#skewMs) >= shownSkewMs
  }

  #decide(): void {
    const sizeMs = Math.abs(this.#skewMs)
    const isFollowed = this.#isConfirmed && sizeMs >= minCorrectionMs && sizeMs <= maxCorrectionMs
    this.#options.clock.followService(this, isFollowed ? this.#aheadMs : undefined)
    if (!this.#isSkewed) this.#said = undefined
    else if (this.#isConfirmed) this.#say(isFollowed ? 'followed' : 'tooFar')
  }

  #waitForValues(): void {
    this.#cancelPatience ??= this.#options.clock.after(patienceMs, () => {
      this.#cancelPatience = undefined
      if (this.#isSkewed && !this.#isConfirmed) this.#say('notConfirmed')
    })
  }

  #say(what: keyof typeof consequences): void {
    if (this.#said === what) return
    this.#said = what
    const side = this.#skewMs > 0 ? 'behind' : 'ahead of'
    const skew = `This computer's clock is ${roughSpan(Math.abs(this.#skewMs))} ${side} the service's.`
    this.#options.warn(`${skew} ${consequences[what]} Set the clock to the right time.`)
  }
}

function roughSpan(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 90) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}
