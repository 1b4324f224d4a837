import { cadencesMs } from '../../core/cadence'
import { computeFormula, misfit } from '../../core/formula'
import { parseFormula, partsOf, type Formula, type MeanFormula, type PairFormula } from '../../core/formula-id'
import type { IndexId, Publication, Quote, QuoteSource } from '../../core/model'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import { partLimitMs, staleLimitSeconds, type PartFacts } from '../../core/formula-series'
import type { QuoteStore } from './quote-store'
import type { RollingMeans } from './rolling-means'

export interface FormulaEvents {
  /** Treat it like a value published by a service. */
  computed: { id: IndexId; publication: Publication; source: Exclude<QuoteSource, 'cache'> }
  /** A formula was added to the wanted ones. */
  begun: IndexId
  /** The formula lost its value, has one again, or the reason changed. */
  noValueChanged: IndexId
}

interface Options extends PartFacts {
  clock: Clock
  store: QuoteStore
  /** Keeps the means that are wanted as formulas, besides others. */
  means: Pick<RollingMeans, 'events' | 'publication'>
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
const none: readonly Active[] = []

/**
 * Computes each wanted formula when one of its parts publishes. Parts restored from the history compute nothing.
 *
 * Two parts with the same published time give one value. While a part is due for that time, the formula waits for it, at
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
      for (const active of this.#byPart.get(next.id) ?? none) {
        const { formula } = active
        if (formula.operation !== 'mean') this.#partChanged(active, formula, { previous, next })
      }
    })
    options.means.events.on('changed', ({ index, amendedAtMs }) => {
      for (const active of this.#byPart.get(index) ?? none) {
        const { formula } = active
        if (formula.operation === 'mean') this.#publishMean(active, formula, amendedAtMs)
      }
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
      for (const part of partsOf(active.formula)) {
        this.#byPart.set(part, [...(this.#byPart.get(part) ?? []), active])
      }
    }
    for (const active of begun) {
      const { formula } = active
      this.events.emit('begun', active.id)
      // A mean begins when its past has been read.
      if (formula.operation === 'mean') continue
      const [left, right] = this.#parts(formula)
      if (left !== undefined && right !== undefined) this.#see(active, formula, [left, right])
    }
    this.#look()
  }

  /** The wanted formulas that are means. */
  get wantedMeans(): MeanFormula[] {
    return [...this.#active.values()].flatMap(({ formula }) => (formula.operation === 'mean' ? formula : []))
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

  #parts({ left, right }: PairFormula): [Quote | undefined, Quote | undefined] {
    const { store } = this.#options
    return [store.get(left), store.get(right)]
  }

  #partChanged(
    active: Active,
    formula: PairFormula,
    { previous, next }: { previous: Quote | undefined; next: Quote },
  ): void {
    const isLeft = next.id === formula.left
    const [left, right] = this.#parts(formula)
    const other = isLeft ? right : left
    if (other === undefined) return
    const pair = (part: Quote): [Quote, Quote] => (isLeft ? [part, other] : [other, part])
    const { heldAtMs } = active
    const isPassed = heldAtMs !== undefined && next.publishedAtMs > heldAtMs && previous !== undefined
    if (isPassed) this.#publishPair(active, formula, pair(previous))
    this.#see(active, formula, pair(next))
  }

  /** Computes the formula now, or waits for the part that is due. */
  #see(active: Active, formula: PairFormula, pair: [Quote, Quote]): void {
    const newerMs = Math.max(...pair.map(({ publishedAtMs }) => publishedAtMs))
    if (pair.some((part) => this.#isDue(part, newerMs))) active.heldAtMs = newerMs
    else this.#publishPair(active, formula, pair)
  }

  #isDue({ id, publishedAtMs }: Quote, atMs: number): boolean {
    const resolution = this.#options.resolutionOf(id)
    return resolution !== undefined && atMs - publishedAtMs >= Math.min(cadencesMs[resolution], dayMs)
  }

  #publishPair(active: Active, formula: PairFormula, pair: [Quote, Quote]): void {
    delete active.heldAtMs
    if (!this.#canPublish(active, pair)) return
    const [left, right] = pair
    const computed = computeFormula(formula, left.value, right.value)
    if ('lacks' in computed) {
      this.#setNoValue(active, describeLack(formula, computed.lacks))
      return
    }
    const times = pair.map(({ publishedAtMs }) => publishedAtMs)
    const [olderPartMs, publishedAtMs] = [Math.min(...times), Math.max(...times)]
    const publication = {
      value: computed.value,
      publishedAtMs,
      ...(olderPartMs < publishedAtMs && { olderPartMs }),
      ...(pair.some(({ isRepeatOfPrevious }) => isRepeatOfPrevious === true) && { isRepeatOfPrevious: true as const }),
    }
    this.#publish(active, pair, publication, Math.max(...pair.map((part) => part.amendedAtMs ?? publishedAtMs)))
  }

  #publishMean(active: Active, formula: MeanFormula, amendedAtMs: number | undefined): void {
    const { store, means, decimalsOf, resolutionOf } = this.#options
    const quote = store.get(formula.index)
    if (quote === undefined || !this.#canPublish(active, [quote])) return
    if (misfit(active.id, resolutionOf) !== undefined) return
    const publication = means.publication(formula, decimalsOf(formula.index))
    if (publication === undefined) {
      this.#setNoValue(active, `No value of ${formula.index} in the last ${formula.seconds} whole seconds counts.`)
      return
    }
    const known = store.get(active.id)
    // A value between two seconds changes nothing.
    if (known === undefined || !isSameValue(known, publication)) {
      this.#publish(active, [quote], publication, amendedAtMs ?? publication.publishedAtMs)
    }
  }

  #canPublish(active: Active, parts: readonly Quote[]): boolean {
    return parts.every(({ source }) => source !== 'cache') && this.#staleReason(active) === undefined
  }

  /** `amendedAtMs` is for a value that replaces another one of the same time. */
  #publish(active: Active, parts: readonly Quote[], computed: Publication, amendedAtMs: number): void {
    const { id } = active
    this.#setNoValue(active, undefined)
    const source = parts.every((part) => part.source === 'stream') ? 'stream' : 'rest'
    const publication = this.#revision(active, computed, amendedAtMs)
    active.last = publication
    this.events.emit('computed', { id, publication, source })
  }

  /** Same time but another value: a part was amended or arrived late. */
  #revision({ id, last }: Active, computed: Publication, partAmendedAtMs: number): Publication {
    const known = this.#options.store.get(id) ?? last
    if (known?.publishedAtMs !== computed.publishedAtMs) return computed
    const amendedAtMs = isSameValue(known, computed)
      ? known.amendedAtMs
      : Math.max((known.amendedAtMs ?? 0) + 1, partAmendedAtMs)
    return { ...computed, ...(amendedAtMs !== undefined && { amendedAtMs }) }
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

  /** Why there is no value: a part has none yet, does not suit it, or has been stale for too long. */
  #noValueReason(active: Active): string | undefined {
    const { store, resolutionOf } = this.#options
    const unfit = misfit(active.id, resolutionOf)
    if (unfit !== undefined) return unfit
    for (const part of partsOf(active.formula)) {
      const quote = store.get(part)
      if (quote === undefined) return `${part} has no value yet.`
      const isKept = quote.source === 'cache' && store.get(active.id) === undefined
      if (isKept) return `No live value of ${part} since app start.`
    }
    return this.#staleReason(active)
  }

  #staleReason({ formula }: Active): string | undefined {
    const { store, resolutionOf } = this.#options
    const stale = partsOf(formula).find((part) => (store.ageMs(part) ?? 0) > partLimitMs(formula, resolutionOf(part)))
    const seconds = staleLimitSeconds(formula)
    return stale && (seconds === 0 ? `${stale} is stale.` : `${stale} has been stale for more than ${seconds} s.`)
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

/** Whether both are for the same time and agree, for a mean also in the number of missing values. */
function isSameValue(a: Publication, b: Publication): boolean {
  return a.publishedAtMs === b.publishedAtMs && a.value === b.value && a.missing === b.missing
}

function describeLack({ right }: PairFormula, lacks: 'byZero' | 'tooLong'): string {
  if (lacks === 'byZero') return `${right} is zero, so there is no result.`
  return 'The result has too many digits.'
}
