import type { IndexId, Publication } from '../../core/model'
import { isSameVersion } from '../../core/publication'
import type { Clock } from '../base/clock'
import type { ServiceTime } from './service-time'

/** A value dated in the future, and its source. */
export interface HeldValue {
  id: IndexId
  publication: Publication
  source: 'stream' | 'rest'
}

interface Options {
  clock: Clock
  time: Pick<ServiceTime, 'isAhead' | 'nowMs'>
  /** Called when the value's time has come. */
  release: (held: HeldValue) => void
  /** Called when another value is held. */
  onHeld: (held: HeldValue, aheadMs: number) => void
}

/** Far more than a service sends by mistake. Beyond this the latest are dropped. */
const maxHeld = 1_000
/** The estimate of the service's time may change while a value is held. */
const maxLookMs = 1_000

/**
 * Holds values that are dated ahead of the service's time, and releases them at that time. Until then rows, history,
 * rules and catch-up do not see them. They are kept only in memory. After a restart catch-up requests them again.
 */
export class HeldValues {
  readonly #options: Options
  /** By time. Values of the same time stay in the order of arrival. */
  #held: (HeldValue & { dueAtMs: number })[] = []
  #cancelLook: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Holds a value that is ahead of its time. Returns false if it applies now. */
  take(id: IndexId, publication: Publication, source: HeldValue['source']): boolean {
    if (!this.#options.time.isAhead(publication.publishedAtMs)) {
      // The estimate of the service's time may have changed.
      if (this.#held.length > 0) this.#look()
      return false
    }
    this.#hold({ id, publication, source })
    return true
  }

  /** Returns those of the requested values that apply now. Holds the others. */
  admit(id: IndexId, publications: Publication[]): Publication[] {
    const isAny = publications.some(({ publishedAtMs }) => this.#options.time.isAhead(publishedAtMs))
    return isAny ? publications.filter((publication) => !this.take(id, publication, 'rest')) : publications
  }

  /** The index is no longer wanted. */
  forget(id: IndexId): void {
    this.#held = this.#held.filter((held) => held.id !== id)
  }

  dispose(): void {
    this.#held = []
    this.#cancelLook?.()
  }

  #hold(value: HeldValue): void {
    const { clock, time, onHeld } = this.#options
    const { publishedAtMs } = value.publication
    if (this.#held.some((held) => isSame(held, value))) return
    const aheadMs = publishedAtMs - (time.nowMs() ?? publishedAtMs)
    const at = this.#held.findLastIndex(({ publication }) => publication.publishedAtMs <= publishedAtMs) + 1
    this.#held.splice(at, 0, { ...value, dueAtMs: clock.monotonicMs() + aheadMs })
    if (this.#held.length > maxHeld) this.#held.pop()
    onHeld(value, aheadMs)
    this.#plan()
  }

  #plan(): void {
    this.#cancelLook?.()
    this.#cancelLook = undefined
    const [next] = this.#held
    if (next === undefined) return
    this.#cancelLook = this.#options.clock.after(Math.min(maxLookMs, Math.max(0, this.#waitMs(next))), () =>
      this.#look(),
    )
  }

  #look(): void {
    for (let [next] = this.#held; next !== undefined && this.#waitMs(next) <= 0; [next] = this.#held) {
      this.#held.shift()
      this.#options.release({ id: next.id, publication: next.publication, source: next.source })
    }
    this.#plan()
  }

  /** By the service's time. If it is no longer known, by what it was. */
  #waitMs({ publication, dueAtMs }: { publication: Publication; dueAtMs: number }): number {
    const nowMs = this.#options.time.nowMs()
    return nowMs === undefined ? dueAtMs - this.#options.clock.monotonicMs() : publication.publishedAtMs - nowMs
  }
}

function isSame(a: HeldValue, b: HeldValue): boolean {
  const [one, other] = [a.publication, b.publication]
  return a.id === b.id && isSameVersion(one, other) && one.value === other.value
}
