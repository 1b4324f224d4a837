import type { IndexId, Publication } from '../../core/model'
import type { Clock } from '../base/clock'
import type { ServiceTime } from './service-time'

/** A value that came ahead of its time, and how it came. */
export interface HeldValue {
  id: IndexId
  publication: Publication
  source: 'stream' | 'rest'
}

interface Options {
  clock: Clock
  time: Pick<ServiceTime, 'isAhead' | 'nowMs'>
  /** Its time has come. */
  release: (held: HeldValue) => void
  /** One more is held. */
  onHeld: (held: HeldValue, aheadMs: number) => void
}

/** Far more than a service sends by mistake; of more those are left out that would wait longest. */
const maxHeld = 1_000
/** The estimate of the service's time may change meanwhile. */
const maxLookMs = 1_000

/**
 * Where values enter: one that is dated ahead of the service's time is held until then, and goes the ordinary way at its
 * time. Until then it reaches nobody: neither the rows, nor the history, nor rules, nor what is known of gaps. It is kept in
 * memory alone: a start meanwhile loses it, and catch-up asks for it again.
 */
export class HeldValues {
  readonly #options: Options
  /** By their time, and those of one time as they came. */
  #held: (HeldValue & { dueAtMs: number })[] = []
  #cancelLook: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Keeps a value that is ahead of its time; answers whether it did. */
  take(id: IndexId, publication: Publication, source: HeldValue['source']): boolean {
    if (!this.#options.time.isAhead(publication.publishedAtMs)) {
      // The estimate of the service's time may be another by now.
      if (this.#held.length > 0) this.#look()
      return false
    }
    this.#hold({ id, publication, source })
    return true
  }

  /** Of values that were asked for, those that count now; the others are kept. */
  admit(id: IndexId, publications: Publication[]): Publication[] {
    const isAny = publications.some(({ publishedAtMs }) => this.#options.time.isAhead(publishedAtMs))
    return isAny ? publications.filter((publication) => !this.take(id, publication, 'rest')) : publications
  }

  /** The index is not wanted any more. */
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

  /** By the service's time; where that is not known any more, by what it was. */
  #waitMs({ publication, dueAtMs }: { publication: Publication; dueAtMs: number }): number {
    const nowMs = this.#options.time.nowMs()
    return nowMs === undefined ? dueAtMs - this.#options.clock.monotonicMs() : publication.publishedAtMs - nowMs
  }
}

function isSame(a: HeldValue, b: HeldValue): boolean {
  const [one, other] = [a.publication, b.publication]
  const isSameTime = one.publishedAtMs === other.publishedAtMs && one.amendedAtMs === other.amendedAtMs
  return a.id === b.id && isSameTime && one.value === other.value
}
