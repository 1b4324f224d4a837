import { reachOf, type Offered } from '../../core/alert-reach'
import type { AlertView, RuleValidity } from '../../core/alerts'
import type { Constituent, ConstituentsPublication, IndexId, MarketConditions, Stream } from '../../core/model'
import { isSame } from '../../core/same'
import type { Clock } from '../base/clock'
import { Throttle } from '../base/throttle'
import { WorkQueue } from '../base/work-queue'

/** What services offer of an index; `receivedMs` is the published time of the latest value received in this run. */
export interface OfferedIndex extends Omit<Offered, 'constituents' | 'conditions'> {
  receivedMs?: number
}

interface Options {
  clock: Clock
  rules: () => readonly AlertView[]
  /** What is offered now, by index; asked once for all rules. */
  offers: () => (id: IndexId) => OfferedIndex
  /** What was found out of rules; absent: nothing stands against that they can fire. */
  onFound: (found: ReadonlyMap<string, RuleValidity | undefined>) => void
  onError: (error: unknown) => void
}

/** At most so often are all rules checked after a change. */
const spacingMs = 250

/**
 * Checks whether rules can fire at all (alert engine, 20): a new one of which that is not known is unchecked until it is, and
 * one whose index, constituent or exchange is gone cannot fire. What was known stays while nothing is known.
 */
export class ReachWatch {
  readonly #options: Options
  readonly #startedAtMs: number
  readonly #checks: Throttle
  readonly #work: WorkQueue
  readonly #constituents = new Map<IndexId, readonly Constituent[]>()
  /** `null`: refused. */
  readonly #conditions = new Map<IndexId, MarketConditions | null>()
  /** The versions of rules that were found able to fire in this run. */
  readonly #able = new Map<string, number>()
  /** The indices of rules that something stood against when they were checked last. */
  #doubted: ReadonlySet<IndexId> = new Set()

  constructor(options: Options) {
    this.#options = options
    this.#startedAtMs = options.clock.wallMs()
    this.#work = new WorkQueue(options.clock, options.onError)
    this.#checks = new Throttle({
      clock: options.clock,
      spacingMs,
      first: 'nextTurn',
      run: () => this.#check(),
    })
  }

  /** The constituents that an index had last in this run; `undefined` before it is known. */
  constituentsOf(id: IndexId): readonly Constituent[] | undefined {
    return this.#constituents.get(id)
  }

  /** The market conditions that an index had last in this run, or that the service refuses them; `undefined` before. */
  conditionsOf(id: IndexId): MarketConditions | null | undefined {
    return this.#conditions.get(id)
  }

  /** Rules, catalogues or refusals may have changed. */
  changed(): void {
    this.#checks.request()
  }

  /** A value has come, which proves that its index is offered. */
  valueSeen(id: IndexId): void {
    if (this.#doubted.has(id)) this.#checks.request()
  }

  constituentsSeen(id: IndexId, { constituents, isRepeatOfPrevious }: ConstituentsPublication): void {
    if (constituents.length === 0 || isRepeatOfPrevious === true) return
    const names = (each: readonly Constituent[] = []) =>
      each.map(({ constituent, exchanges = [] }) => [constituent, ...exchanges.map(({ exchange }) => exchange)].join())
    const isSame = names(this.#constituents.get(id)).join(';') === names(constituents).join(';')
    this.#constituents.set(id, constituents)
    if (!isSame) this.#checks.request()
  }

  conditionsSeen(id: IndexId, conditions: MarketConditions): void {
    if (conditions.isRepeatOfPrevious === true) return
    const before = this.#conditions.get(id)
    this.#conditions.set(id, conditions)
    if (before === undefined || before === null || partsOf(before) !== partsOf(conditions)) this.#checks.request()
  }

  refused({ id, stream }: { id: IndexId; stream: Stream }): void {
    if (stream !== 'rti_stats') return
    this.#conditions.set(id, null)
    this.#checks.request()
  }

  /** These indices are asked for again: the service may have what it refused. */
  connected(ids: ReadonlySet<IndexId>): void {
    for (const id of ids) if (this.#conditions.get(id) === null) this.#conditions.delete(id)
  }

  /** Another kind of service answers from now on. */
  reset(): void {
    this.#constituents.clear()
    this.#conditions.clear()
  }

  dispose(): void {
    this.#checks.cancel()
  }

  /** As they are now; thousands are checked in the turns to come. */
  #check(): void {
    const checking = this.#checkAll()
    this.#work.add((isOver) => {
      for (;;) {
        if (checking.next().done === true) return true
        if (isOver()) return false
      }
    })
  }

  *#checkAll(): Generator<undefined> {
    const found = new Map<string, RuleValidity | undefined>()
    const doubted = new Set<IndexId>()
    const offerOf = this.#options.offers()
    const offers = new Map<IndexId, OfferedIndex>()
    for (const rule of this.#options.rules()) {
      yield
      if (rule.phase === 'triggered' || rule.phase === 'expired') continue
      const offered = offers.get(rule.indexId) ?? offerOf(rule.indexId)
      offers.set(rule.indexId, offered)
      const reach = this.#reachOf(rule, offered)
      if (reach !== undefined) doubted.add(rule.indexId)
      if (!isSame(reach, rule.reach)) found.set(rule.id, reach)
    }
    this.#doubted = doubted
    if (found.size > 0) this.#options.onFound(found)
  }

  #reachOf(rule: AlertView, { receivedMs, ...offered }: OfferedIndex): RuleValidity | undefined {
    const constituents = this.#constituents.get(rule.indexId)
    const conditions = this.#conditions.get(rule.indexId)
    const reach = reachOf(rule, { ...offered, constituents, conditions })
    if (reach === 'possible') {
      // A service that was asked again has not refused yet: the next value shows that it does not.
      const isCleared = typeof rule.reach !== 'object' || (receivedMs ?? 0) > rule.reach.sinceMs
      if (!isCleared) return rule.reach
      this.#able.set(rule.id, rule.version)
      return undefined
    }
    if (reach !== 'unknown') {
      const sinceMs = typeof rule.reach === 'object' ? rule.reach.sinceMs : this.#options.clock.wallMs()
      return { ...reach, sinceMs }
    }
    const isNew = rule.createdAtMs >= this.#startedAtMs && this.#able.get(rule.id) !== rule.version
    return isNew ? (rule.reach ?? 'unchecked') : rule.reach
  }
}

/** Which parts there are; most are the same from one second to the next. */
function partsOf({ valueBid, valueAsk, utilizedDepth }: MarketConditions): string {
  return [valueBid, valueAsk, utilizedDepth].map((part) => (part === undefined ? '-' : '+')).join('')
}
