import { reachOf, type Offered } from '../../core/alert-reach'
import type { AlertView, RuleValidity } from '../../core/alerts'
import type {
  Constituent,
  ConstituentsPublication,
  ExchangeWeight,
  IndexId,
  MarketConditions,
  Stream,
} from '../../core/model'
import { isSame } from '../../core/same'
import type { Clock } from '../base/clock'
import { Throttle } from '../base/throttle'
import { WorkQueue } from '../base/work-queue'

/**
 * What services offer for an index. `receivedMs` is the published time of the latest value received since app start.
 */
export interface OfferedIndex extends Omit<Offered, 'constituents' | 'conditions'> {
  receivedMs?: number
}

interface Options {
  clock: Clock
  rules: () => readonly AlertView[]
  /** Returns a lookup of what is currently offered, by index. Called once for all rules. */
  offers: () => (id: IndexId) => OfferedIndex
  /** Called with the changed results, by rule id. Undefined means that the rule can fire. */
  onFound: (found: ReadonlyMap<string, RuleValidity | undefined>) => void
  onError: (error: unknown) => void
}

/** Minimum time between two checks after changes. */
const spacingMs = 250

/**
 * Checks whether rules can fire at all (alert engine, 20). A new rule is unchecked until that is known. A rule whose
 * index, constituent or exchange is gone cannot fire. A known result stays while the service is silent.
 */
export class ReachWatch {
  readonly #options: Options
  readonly #startedAtMs: number
  readonly #checks: Throttle
  readonly #work: WorkQueue
  readonly #constituents = new Map<IndexId, readonly Constituent[]>()
  /** Null if the service refused them. */
  readonly #conditions = new Map<IndexId, MarketConditions | null>()
  /** Versions of rules that were found able to fire since app start. */
  readonly #able = new Map<string, number>()
  /** Indices with a rule that was unchecked or could not fire at the last check. */
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

  /** The last constituents of an index since app start. Undefined until received. */
  constituentsOf(id: IndexId): readonly Constituent[] | undefined {
    return this.#constituents.get(id)
  }

  /**
   * The last market conditions of an index since app start. Null if the service refused them, undefined until received.
   */
  conditionsOf(id: IndexId): MarketConditions | null | undefined {
    return this.#conditions.get(id)
  }

  /** Call when rules, catalogues or refusals may have changed. */
  changed(): void {
    this.#checks.request()
  }

  /** Call for each new value. It proves that the service offers its index. */
  valueSeen(id: IndexId): void {
    if (this.#doubted.has(id)) this.#checks.request()
  }

  constituentsSeen(id: IndexId, { constituents, isRepeatOfPrevious }: ConstituentsPublication): void {
    if (constituents.length === 0 || isRepeatOfPrevious === true) return
    const before = this.#constituents.get(id)
    this.#constituents.set(id, constituents)
    if (before === undefined || !areNamesSame(before, constituents)) this.#checks.request()
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

  /** Call when these indices are subscribed to again. The service may now have what it refused. */
  connected(ids: ReadonlySet<IndexId>): void {
    for (const id of ids) if (this.#conditions.get(id) === null) this.#conditions.delete(id)
  }

  /** Call when another kind of service is used. */
  reset(): void {
    this.#constituents.clear()
    this.#conditions.clear()
  }

  dispose(): void {
    this.#checks.cancel()
  }

  /** Checks the current rules. Thousands take several turns. */
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
      // After a reconnect the service has not refused yet. Only a later value proves that it offers the index.
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

/** Which parts are present. That rarely changes. */
function partsOf({ valueBid, valueAsk, utilizedDepth }: MarketConditions): string {
  return [valueBid, valueAsk, utilizedDepth].map((part) => (part === undefined ? '-' : '+')).join('')
}

/** Whether both have the same constituents and exchanges in the same order. */
function areNamesSame(before: readonly Constituent[], now: readonly Constituent[]): boolean {
  const isUnchanged = ({ constituent, exchanges = none }: Constituent, at: number) => {
    const other = before[at]
    return other?.constituent === constituent && areExchangesSame(other.exchanges ?? none, exchanges)
  }
  return before.length === now.length && now.every(isUnchanged)
}

const none: ExchangeWeight[] = []

function areExchangesSame(before: readonly ExchangeWeight[], now: readonly ExchangeWeight[]): boolean {
  return before.length === now.length && now.every(({ exchange }, at) => before[at]?.exchange === exchange)
}
