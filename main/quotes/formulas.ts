import { cadencesMs } from '../../core/cadence'
import { computeFormula } from '../../core/formula'
import { parseFormula, type Formula } from '../../core/formula-id'
import type { IndexId, Publication, Quote, QuoteSource, Resolution } from '../../core/model'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import { partLimits } from '../../core/formula-series'
import type { QuoteStore } from './quote-store'

export interface FormulaEvents {
  /** Treat it like a value published by a service. */
  computed: { id: IndexId; publication: Publication; source: Exclude<QuoteSource, 'cache'> }
  /** A formula was added to the wanted ones. */
  begun: IndexId
  /** The formula lost its value, has one again, or the reason changed. */
  noValueChanged: IndexId
}

interface Options {
  clock: Clock
  store: QuoteStore
  resolutionOf: (id: IndexId) => Resolution | undefined
  onError: (error: unknown) => void
}

/** A wanted formula. */
interface Active {
  readonly id: IndexId
  readonly formula: Formula
  /** Published time of the newer part, while the other part is expected to publish for the same time. */
  heldAtMs?: number
  noValue?: string
  /** Its last publication. The store forgets it while there is no value. */
  last?: Publication
}

const lookEveryMs = 1_000
const dayMs = 86_400_000

/**
 * Computes each wanted formula when one of its parts publishes. Parts restored from the history compute nothing. Two
 * parts with the same published time give one value. While a part is due for that time, the formula waits for it, at
 * most until the other part publishes again. Otherwise two indices of the same second would briefly give a difference
 * that never existed, and alerts would fire on it.
 */
export class Formulas {
  readonly events: Emitter<FormulaEvents>
  readonly #options: Options
  readonly #active = new Map<IndexId, Active>()
  /** Formulas by part. */
  #byPart = new Map<IndexId, Active[]>()
  #cancelLook: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
    this.events = new Emitter(options.onError)
    options.store.events.on('changed', ({ previous, next }) => {
      const concerned = this.#byPart.get(next.id)
      if (concerned !== undefined) for (const active of concerned) this.#partChanged(active, previous, next)
    })
  }

  /** Sets the wanted ids. Formulas among them are computed. */
  want(ids: ReadonlySet<IndexId>): void {
    for (const id of this.#active.keys()) if (!ids.has(id)) this.#active.delete(id)
    const begun: Active[] = []
    for (const id of ids) {
      const formula = this.#active.has(id) ? undefined : parseFormula(id)
      if (formula === undefined) continue
      const active: Active = { id, formula }
      begun.push(active)
      this.#active.set(id, active)
    }
    this.#byPart = new Map()
    for (const active of this.#active.values()) {
      for (const part of [active.formula.left, active.formula.right]) {
        this.#byPart.set(part, [...(this.#byPart.get(part) ?? []), active])
      }
    }
    for (const active of begun) {
      this.events.emit('begun', active.id)
      const [left, right] = this.#parts(active)
      if (left !== undefined && right !== undefined) this.#see(active, left, right)
    }
    this.#look()
  }

  /** The wanted formulas that use an index. */
  of(part: IndexId): IndexId[] {
    return (this.#byPart.get(part) ?? []).map(({ id }) => id)
  }

  /** Why a wanted formula has no value. Undefined if it has one, and for an index. */
  noValue(id: IndexId): string | undefined {
    return this.#active.get(id)?.noValue
  }

  dispose(): void {
    this.#cancelLook?.()
  }

  #parts({ formula: { left, right } }: Active): [Quote | undefined, Quote | undefined] {
    const { store } = this.#options
    return [store.get(left), store.get(right)]
  }

  #partChanged(active: Active, previous: Quote | undefined, next: Quote): void {
    const isLeft = next.id === active.formula.left
    const [left, right] = this.#parts(active)
    const other = isLeft ? right : left
    if (other === undefined) return
    const pair = (part: Quote): [Quote, Quote] => (isLeft ? [part, other] : [other, part])
    const { heldAtMs } = active
    const isPassed = heldAtMs !== undefined && next.publishedAtMs > heldAtMs && previous !== undefined
    if (isPassed) this.#publish(active, ...pair(previous))
    this.#see(active, ...pair(next))
  }

  /** Computes the formula now, or waits for the part that is due. */
  #see(active: Active, left: Quote, right: Quote): void {
    const newerMs = Math.max(left.publishedAtMs, right.publishedAtMs)
    if (this.#isDue(left, newerMs) || this.#isDue(right, newerMs)) active.heldAtMs = newerMs
    else this.#publish(active, left, right)
  }

  #isDue({ id, publishedAtMs }: Quote, atMs: number): boolean {
    const resolution = this.#options.resolutionOf(id)
    return resolution !== undefined && atMs - publishedAtMs >= Math.min(cadencesMs[resolution], dayMs)
  }

  #publish(active: Active, left: Quote, right: Quote): void {
    delete active.heldAtMs
    if (left.source === 'cache' || right.source === 'cache') return
    if (this.#staleReason(active) !== undefined) return
    const { id, formula } = active
    const computed = computeFormula(formula, left.value, right.value)
    if ('lacks' in computed) {
      this.#setNoValue(active, describeLack(formula, computed.lacks))
      return
    }
    this.#setNoValue(active, undefined)
    const source = left.source === 'stream' && right.source === 'stream' ? 'stream' : 'rest'
    const publication = this.#publication(active, computed.value, [left, right])
    active.last = publication
    this.events.emit('computed', { id, publication, source })
  }

  #publication({ id, last }: Active, value: string, parts: readonly [Quote, Quote]): Publication {
    const times = parts.map(({ publishedAtMs }) => publishedAtMs)
    const [olderPartMs, publishedAtMs] = [Math.min(...times), Math.max(...times)]
    const known = this.#options.store.get(id) ?? last
    const isAgain = known?.publishedAtMs === publishedAtMs && known.value !== value
    // Same time but another value: a part was amended or arrived late.
    const amendedAtMs = isAgain
      ? Math.max((known.amendedAtMs ?? 0) + 1, ...parts.map((part) => part.amendedAtMs ?? publishedAtMs))
      : known?.publishedAtMs === publishedAtMs
        ? known.amendedAtMs
        : undefined
    return {
      value,
      publishedAtMs,
      ...(olderPartMs < publishedAtMs && { olderPartMs }),
      amendedAtMs,
      ...(parts.some(({ isRepeatOfPrevious }) => isRepeatOfPrevious === true) && { isRepeatOfPrevious: true }),
    }
  }

  /** Runs on a timer, because values become stale without an event. */
  #look(): void {
    this.#cancelLook?.()
    this.#cancelLook = undefined
    for (const active of this.#active.values()) {
      const lack = this.#noValueReason(active)
      if (lack !== undefined) this.#setNoValue(active, lack)
      else if (active.noValue !== undefined && this.#options.store.get(active.id) !== undefined) {
        this.#setNoValue(active, undefined)
      }
    }
    if (this.#active.size === 0) return
    this.#cancelLook = this.#options.clock.after(lookEveryMs, () => this.#look())
  }

  /** Why there is no value: a part has none yet, or has been stale for too long. */
  #noValueReason(active: Active): string | undefined {
    const { left, right } = active.formula
    for (const part of [left, right]) {
      const quote = this.#options.store.get(part)
      if (quote === undefined) return `${part} has no value yet.`
      const isKept = quote.source === 'cache' && this.#options.store.get(active.id) === undefined
      if (isKept) return `No live value of ${part} since app start.`
    }
    return this.#staleReason(active)
  }

  #staleReason({ formula }: Active): string | undefined {
    const { store, resolutionOf } = this.#options
    const { left, right, staleLimitSeconds } = formula
    const { leftMs, rightMs } = partLimits(formula, resolutionOf)
    const isOver = (part: IndexId, limitMs: number) => (store.ageMs(part) ?? 0) > limitMs
    const stale = isOver(left, leftMs) ? left : isOver(right, rightMs) ? right : undefined
    return stale && `${stale} has been stale for more than ${staleLimitSeconds} s.`
  }

  #setNoValue(active: Active, noValue: string | undefined): void {
    if (active.noValue === noValue) return
    if (noValue === undefined) delete active.noValue
    else {
      active.noValue = noValue
      this.#options.store.forget(active.id)
    }
    this.events.emit('noValueChanged', active.id)
  }
}

function describeLack({ right }: Formula, lacks: 'byZero' | 'tooLong'): string {
  if (lacks === 'byZero') return `${right} is zero, so there is no result.`
  return 'The result has too many digits.'
}
