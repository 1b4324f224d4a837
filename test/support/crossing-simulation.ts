/** Feeds ticks with every kind of trouble to the alert engine, and counts the expected crossings independently. */
import { AlertEngine } from '../../main/alerts/engine'
import { sourceOf, type Source } from '../../core/publication'
import { HeldValues } from '../../main/connections/held-values'
import { QuoteStore } from '../../main/quotes/quote-store'
import type { StoredValue, ValueOrigin } from '../../main/history-store/contract'
import type { AlertEvent } from '../../core/alert-events'
import type { AlertDraft, AlertView } from '../../core/alerts'
import { staleAfterMs } from '../../core/freshness'
import type { Publication } from '../../core/model'
import { knownIndex } from './known-index'
import { keyOf } from '../../simulator/noise'
import { Publications } from '../../simulator/publications'
import { crossingKey, ReferenceRule, type CountedRule, type SteadyTerms } from './crossings'
import { FakeClock } from './fake-clock'
import { MemoryHistory } from './memory-history'
import { RecordedLog } from './recorded-log'
import { valueOf } from './value-of'
import { onError } from './on-error'

const sources = [
  { id: 'first', name: 'First' },
  { id: 'second', name: 'Second' },
] as const
/** The second source publishes the values that the first one has this much later. */
const otherMs = 50 * 3_600_000
const minute = 60_000
const hour = 60 * minute
/** Interval between steps. The engine treats a longer interval as a gap. */
const cadence = 'PER_MINUTE'
const ids = ['BRTI', 'ETHUSD_RTI', 'SOLUSD_RTI', 'XRPUSD_RTI', 'UC5_RTI_TR'] as const
type Id = (typeof ids)[number]

/** Delivers values to the engine. A broken one proves that lost values are detected. */
export type Delivery = (deliver: () => void) => void
export const whole: Delivery = (deliver) => deliver()

interface Watched {
  rule: AlertView
  counted: CountedRule
}

type CrossingKind = 'level' | 'hold' | 'move'

type Trouble = 'restart' | 'locked' | 'kill' | 'outage' | 'forgotten' | 'amendment' | 'turn' | 'none'

/**
 * The trouble at the end of each of twenty scenes, in random order. The counts make each kind frequent enough for any
 * seed.
 */
const troubles: readonly Trouble[] = (
  [
    ['restart', 2],
    ['locked', 2],
    ['kill', 3],
    ['outage', 6],
    ['forgotten', 2],
    ['amendment', 4],
    ['turn', 2],
    ['none', 1],
  ] as const
).flatMap(([trouble, times]) => Array.from({ length: times }, () => trouble))

type Published = Publication & { by: Source }

interface Crossing {
  kind: CrossingKind
  key: string
}

export class CrossingSimulation {
  readonly notifiedIds: string[] = []
  readonly counts = { restarts: 0, locks: 0, kills: 0, outages: 0, unknown: 0, amendments: 0, turns: 0, ahead: 0 }
  readonly #delivery: Delivery
  readonly #clock = new FakeClock(Date.UTC(2023, 0, 1))
  readonly #publications: Publications
  readonly #seed: number
  readonly #watched = new Map<Id, Watched[]>()
  /** All values that could be known of each index, by time, in their latest revision. */
  readonly #published = new Map<Id, Map<number, Published>>(ids.map((id) => [id, new Map<number, Published>()]))
  /** The source that currently serves each index. */
  readonly #by = new Map<Id, Source>()
  /** Values published ahead of their time, by index and time. Each comes again at its time. */
  readonly #early = new Map<string, Publication>()
  readonly #toCome: Trouble[] = []
  #draws = 0
  #eventCount = 0
  #history = new MemoryHistory()
  #engine: AlertEngine
  #quotes: QuoteStore
  #held: HeldValues

  private constructor(seed: number, delivery: Delivery) {
    this.#seed = seed
    this.#delivery = delivery
    this.#publications = new Publications(seed)
    this.#engine = this.#newEngine()
    this.#quotes = this.#newStore()
    this.#held = this.#newHeld()
  }

  static async start(options: { seed: number; delivery?: Delivery }): Promise<CrossingSimulation> {
    const simulation = new CrossingSimulation(options.seed, options.delivery ?? whole)
    await simulation.#engine.use()
    await simulation.#makeRules()
    return simulation
  }

  /** Publishes some ticks of every index, followed by one trouble or none. */
  async scene(): Promise<void> {
    for (let left = 10 + this.#draw(24); left > 0; left--) {
      this.#clock.advance(minute)
      for (const id of ids) this.#tick(id)
    }
    // In the other scenes nothing waits for the disk, as in the app.
    if (this.#draw(8) === 0) await this.#engine.flush()
    if (this.#toCome.length === 0) this.#toCome.push(...troubles)
    const [trouble] = this.#toCome.splice(this.#draw(this.#toCome.length), 1)
    if (trouble === 'restart') await this.#restart()
    else if (trouble === 'locked') await this.#locked()
    else if (trouble === 'kill') await this.#kill()
    else if (trouble === 'outage') await this.#outage()
    else if (trouble === 'forgotten') this.#forgotten()
    else if (trouble === 'amendment') await this.#amend()
    else if (trouble === 'turn') this.#turn()
  }

  async end(): Promise<void> {
    this.#clock.advance(minute)
    await this.#engine.flush()
    this.#engine.dispose()
    await this.#engine.flush()
  }

  /** All recorded events, oldest first. */
  async recorded(): Promise<AlertEvent[]> {
    const found: AlertEvent[] = []
    for (let before: number | undefined; ;) {
      const part = valueOf(await this.#history.query('events', before === undefined ? {} : { before }))
      found.push(...part.events)
      before = part.next
      if (before === undefined) return found.reverse()
    }
  }

  /** The crossings that remain recorded: fired live or late, at their confirmed time, and not retracted. */
  standing(events: readonly AlertEvent[]): string[] {
    const keys = new Map<string, string>()
    for (const { id, kind, ruleId, terms, inputs, aboutEventId = '' } of events) {
      const { value = '', publishedAtMs = 0, direction = '' } = inputs
      const key = crossingKey(ruleId, publishedAtMs, { value, direction: 'low' in terms ? '' : direction })
      if (kind === 'retracted') keys.delete(aboutEventId)
      else if (kind === 'confirmed') keys.set(aboutEventId, key)
      else if (kind === 'fired' || kind === 'lateByAmendment' || kind === 'lateFromHistory') keys.set(id, key)
    }
    return [...keys.values()]
  }

  /** The crossings expected from all values that could be known. */
  expected(): Crossing[] {
    return ids.flatMap((id) => {
      const values = [...(this.#published.get(id) ?? [])]
        .sort(([a], [b]) => a - b)
        .map(([, publication]) => publication)
      // A value carried forward from the previous day does not count.
      const counted = values.filter(({ isRepeatOfPrevious }) => isRepeatOfPrevious !== true)
      return (this.#watched.get(id) ?? []).flatMap(({ rule, counted: of }) => {
        const references = new Map(
          sources.map(({ id: by }) => [by as string, new ReferenceRule(of, staleAfterMs(cadence))]),
        )
        const kind = of.terms.condition === 'moves' ? 'move' : 'holdMs' in of ? 'hold' : 'level'
        return counted.flatMap(({ value, publishedAtMs, by }) =>
          (references.get(by.id)?.see(value, publishedAtMs) ?? []).map((direction): Crossing => ({
            kind,
            key: crossingKey(rule.id, publishedAtMs, { value, direction }),
          })),
        )
      })
    })
  }

  /** The value that the service publishes for this minute. */
  #next(id: Id, atMs: number): Publication {
    const early = this.#early.get(`${id} ${atMs}`)
    if (early !== undefined) return early
    const chance = this.#draw(100)
    if (chance < 4) return { value: this.#valueAt(id, atMs - 24 * hour), publishedAtMs: atMs, isRepeatOfPrevious: true }
    return { value: chance < 10 ? this.#someLevel(id) : this.#valueAt(id, atMs), publishedAtMs: atMs }
  }

  /** Delivers a value, sometimes a duplicate or a late one. */
  #tick(id: Id): void {
    const publication = this.#next(id, this.#clock.wallMs())
    this.#receive(id, publication)
    const chance = this.#draw(100)
    if (chance < 20) this.#receive(id, publication)
    if (chance > 94) {
      // Values lost in a kill after this scene must be in the range fetched afterwards.
      const lateMs = this.#clock.wallMs() - 1_000 - this.#draw(hour)
      this.#receive(id, { value: this.#valueAt(id, lateMs), publishedAtMs: lateMs })
    }
    if (this.#draw(100) < 3) this.#sendEarly(id)
  }

  /** Delivers a value some minutes before its time. It is delivered again at its time. */
  #sendEarly(id: Id): void {
    this.counts.ahead++
    const atMs = this.#clock.wallMs() + (1 + this.#draw(4)) * minute
    const publication = this.#next(id, atMs)
    this.#early.set(`${id} ${atMs}`, publication)
    if (!this.#held.take(id, publication, 'stream')) throw new Error('it was not held')
  }

  /** Moves some indices to the other source. */
  #turn(): void {
    this.counts.turns++
    for (const id of ids) {
      if (this.#draw(2) === 0) continue
      this.#by.set(id, sources[this.#sourceOf(id) === sources[0] ? 1 : 0])
      this.#quotes.demote([id])
      this.#held.forget(id)
    }
  }

  #sourceOf(id: Id): Source {
    return this.#by.get(id) ?? sources[0]
  }

  #newHeld(): HeldValues {
    const clock = this.#clock
    return new HeldValues({
      clock,
      time: { nowMs: () => clock.wallMs(), isAhead: (publishedAtMs) => publishedAtMs > clock.wallMs() + 2_000 },
      release: ({ id, publication }) => {
        const of = ids.find((each) => each === id)
        if (of !== undefined) this.#receive(of, publication)
      },
      onHeld: () => undefined,
    })
  }

  #receive(id: Id, publication: Publication): void {
    if (!this.#note(id, publication)) return
    this.#history.append([this.#storedValue(id, publication, 'stream')])
    this.#delivery(() => this.#quotes.apply(id, publication, 'stream', this.#sourceOf(id)))
  }

  /**
   * Records a value. Values count from the first one that an alert saw, and of two texts for one revision only the
   * first counts. Returns whether the value counts.
   */
  #note(id: Id, publication: Publication): boolean {
    const known = this.#published.get(id)
    const first = known?.values().next().value?.publishedAtMs ?? publication.publishedAtMs
    const same = known?.get(publication.publishedAtMs)
    if (publication.publishedAtMs < first) return false
    const by = this.#sourceOf(id)
    // Each time has the value of one source.
    if (same !== undefined && same.by !== by) return false
    if (same !== undefined && publication.amendedAtMs === undefined) return same.value === publication.value
    known?.set(publication.publishedAtMs, { ...publication, by })
    return true
  }

  /** The app quits, restarts later, and fetches the values in between. */
  async #restart(): Promise<void> {
    this.counts.restarts++
    this.#engine.dispose()
    await this.#engine.flush()
    await this.#startAgain(6 * hour)
  }

  /** Another program locks the history during the restart and releases it later. Values arrive in the meantime. */
  async #locked(): Promise<void> {
    this.counts.locks++
    this.#engine.dispose()
    await this.#engine.flush()
    this.#history = this.#history.reopened()
    this.#history.isLocked = true
    this.#engine = this.#newEngine()
    this.#quotes = this.#newStore()
    if (await this.#engine.use()) throw new Error('rules were read from a history that is locked')
    await this.#catchUp(this.#missed(6 * hour))
    for (let left = this.#draw(30); left > 0; left--) {
      this.#clock.advance(minute)
      for (const id of ids) this.#tick(id)
      if (this.#draw(10) === 0) await this.#amend()
      if (this.#draw(10) === 0) await this.#engine.read()
    }
    this.#history.isLocked = false
    const reading = this.#engine.read()
    // Values arrive while the alerts are loaded.
    for (let left = this.#draw(4); left > 0; left--) {
      this.#clock.advance(minute)
      for (const id of ids) this.#tick(id)
      for (let turns = this.#draw(12); turns > 0; turns--) await Promise.resolve()
    }
    if (!(await reading)) throw new Error('the rules could not be read')
  }

  /** The app is killed. Unwritten values are lost and fetched with the rest. */
  async #kill(): Promise<void> {
    this.counts.kills++
    for (let turns = this.#draw(12); turns > 0; turns--) await Promise.resolve()
    await this.#startAgain(2 * hour)
  }

  async #startAgain(maxMs: number): Promise<void> {
    this.#history = this.#history.reopened()
    this.#engine = this.#newEngine()
    this.#quotes = this.#newStore()
    this.#held.dispose()
    this.#held = this.#newHeld()
    await this.#engine.use()
    const latest = valueOf(await this.#history.query('latest', null))
    const by = new Map(latest.map((value) => [value.id, sourceOf(value)]))
    const quotes = latest.map(({ id, value, publishedAtMs }) => ({
      id,
      value,
      publishedAtMs,
      source: 'cache' as const,
    }))
    this.#quotes.seed(quotes, (id) => by.get(id))
    await this.#catchUp(this.#missed(maxMs))
  }

  /** The connection drops. Missed values are fetched after the next value. */
  async #outage(): Promise<void> {
    this.counts.outages++
    await this.#catchUp(this.#missed(3 * hour))
  }

  /** The connection drops, and the missed values cannot be fetched. */
  #forgotten(): void {
    this.counts.unknown++
    this.#clock.advance(this.#draw(12 * hour))
  }

  /** Amends a value of any age. An amendment too old to be fetched after a kill is flushed to disk first. */
  async #amend(): Promise<void> {
    this.counts.amendments++
    const id = ids[this.#draw(ids.length)] ?? 'BRTI'
    const own = [...(this.#published.get(id)?.values() ?? [])].filter(({ by }) => by === this.#sourceOf(id))
    const times = own.map(({ publishedAtMs }) => publishedAtMs)
    const recent = this.#draw(2) === 0 ? times.slice(-30) : times
    const publishedAtMs = recent[this.#draw(recent.length)]
    if (publishedAtMs === undefined) return
    const value = this.#draw(2) === 0 ? this.#someLevel(id) : this.#valueAt(id, publishedAtMs + hour)
    this.#receive(id, { value, publishedAtMs, amendedAtMs: this.#clock.wallMs() })
    if (this.#clock.wallMs() - publishedAtMs > hour) await this.#engine.flush()
  }

  /** Publishes values for at most this time without delivering them. */
  #missed(maxMs: number): Map<Id, Publication[]> {
    const missed = new Map<Id, Publication[]>(ids.map((id) => [id, []]))
    for (let left = this.#draw(maxMs / minute); left > 0; left--) {
      this.#clock.advance(minute)
      for (const id of ids) missed.get(id)?.push(this.#next(id, this.#clock.wallMs()))
    }
    return missed
  }

  async #catchUp(missed: ReadonlyMap<Id, readonly Publication[]>): Promise<void> {
    this.#clock.advance(minute)
    for (const id of ids) {
      if (this.#draw(4) > 0) this.#tick(id)
      const all = missed.get(id) ?? []
      for (const publication of all) this.#note(id, publication)
      // The range begins before the outage. It includes values that a kill lost, and many known ones.
      const sinceMs = (all[0]?.publishedAtMs ?? this.#clock.wallMs()) - 2 * hour
      const known = [...(this.#published.get(id)?.values() ?? [])].filter(
        ({ publishedAtMs, by }) => publishedAtMs >= sinceMs && by === this.#sourceOf(id),
      )
      const half = Math.floor(known.length / 2)
      // The newest part first, in the order of catch-up.
      for (const part of [known.slice(half), known.slice(0, half)]) {
        const values = part.map((publication) => this.#storedValue(id, publication, 'catchUp'))
        const committed = this.#history.commit({ values })
        this.#delivery(() => this.#engine.learnedLate(id, part, committed, this.#sourceOf(id)))
        await committed
        if (this.#draw(3) === 0) this.#tick(id)
      }
    }
  }

  async #makeRules(): Promise<void> {
    const wanted = ids.flatMap((id) => rulesFor(this.#levels(id)).map((counted) => ({ id, counted })))
    const drafts = wanted.map(({ id, counted }) => everyTime(id, counted))
    valueOf(await this.#engine.createAll(drafts, () => undefined))
    const rules = this.#engine.views()
    for (const [at, { id, counted }] of wanted.entries()) {
      const rule = rules[at]
      if (rule?.indexId !== id) throw new Error('the rules are in another order')
      this.#watched.set(id, [...(this.#watched.get(id) ?? []), { rule, counted }])
    }
  }

  /** Three future levels of the index, ascending: a quarter, half and three quarters of its values lie below them. */
  #levels(id: Id): [string, string, string] {
    const all = Array.from({ length: 400 }, (_, at) => this.#valueAt(id, this.#clock.wallMs() + at * 3 * hour))
    const sorted = [...new Set(all)].sort((a, b) => Number(a) - Number(b))
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? ''
    return [at(0.25), at(0.5), at(0.75)]
  }

  #someLevel(id: Id): string {
    const levels = (this.#watched.get(id) ?? []).flatMap(({ counted: { terms } }) =>
      'level' in terms ? [terms.level] : 'low' in terms ? [terms.low, terms.high] : [],
    )
    const level = levels[this.#draw(levels.length)]
    if (level === undefined) throw new Error('there are no rules')
    return level
  }

  #valueAt(id: Id, timeMs: number): string {
    const index = knownIndex(id)
    const atMs = this.#sourceOf(id) === sources[0] ? timeMs : timeMs + otherMs
    return this.#publications.latest(index, atMs, 'PER_SECOND').value
  }

  /** A whole number from 0 to `below` - 1, repeatable by seed. */
  #draw(below: number): number {
    return keyOf(this.#seed, 'draw', this.#draws++) % below
  }

  #storedValue(id: Id, publication: Publication, origin: ValueOrigin): StoredValue {
    const { id: connectionId, name: connection } = this.#sourceOf(id)
    const { value, publishedAtMs, amendedAtMs, isRepeatOfPrevious } = publication
    return {
      ...{ id, value, publishedAtMs, learnedAtMs: this.#clock.wallMs(), origin, connection, connectionId },
      ...(amendedAtMs !== undefined && { amendedAtMs }),
      ...(isRepeatOfPrevious !== undefined && { isRepeatOfPrevious }),
    }
  }

  #newEngine(): AlertEngine {
    const engine = new AlertEngine({
      clock: this.#clock,
      newId: () => `id-${++this.#eventCount}`,
      log: new RecordedLog(),
      history: this.#history,
      cadenceOf: () => cadence,
      originOf: () => ({ connection: 'Desk', isDemo: false }),
    })
    engine.events.on('notify', (events) => {
      this.notifiedIds.push(...events.map(({ id }) => id))
    })
    return engine
  }

  #newStore(): QuoteStore {
    const engine = this.#engine
    const store = new QuoteStore({
      clock: this.#clock,
      onError,
    })
    store.events.on('changed', ({ previous, next, by, isBehind }) => engine.consider(previous, next, by, isBehind))
    store.events.on('past', ({ id, publication, by }) => engine.considerPast(id, publication, by))
    return store
  }
}

function everyTime(indexId: string, counted: CountedRule): AlertDraft {
  return { indexId, ...counted, repeat: { mode: 'everyCrossing' }, severity: 'normal' }
}

/** Every kind of level and band with and without a re-arm band, plus holds and moves. */
function rulesFor([low, middle, high]: [string, string, string]): CountedRule[] {
  const fiveBasisPoints = { size: '5', unit: 'basisPoints' } as const
  const tenBasisPoints = { size: '10', unit: 'basisPoints' } as const
  const levels: SteadyTerms[] = [
    { condition: 'risesTo', level: middle },
    { condition: 'fallsTo', level: middle },
    { condition: 'crosses', level: middle },
    { condition: 'isAbove', level: middle },
    { condition: 'isBelow', level: middle },
    { condition: 'crosses', level: low, rearmBand: tenBasisPoints },
    { condition: 'risesTo', level: high, rearmBand: fiveBasisPoints },
    { condition: 'isBelow', level: low, rearmBand: { size: '0.01', unit: 'points' } },
    { condition: 'entersBand', low, high },
    { condition: 'leavesBand', low, high },
    { condition: 'entersBand', low: middle, high, rearmBand: { size: '0.0002', unit: 'points' } },
    { condition: 'leavesBand', low, high: middle, rearmBand: fiveBasisPoints },
  ]
  return [
    ...levels.map((terms) => ({ terms })),
    { terms: { condition: 'isAbove', level: middle }, holdMs: 2 * minute },
    { terms: { condition: 'leavesBand', low, high }, holdMs: 5 * minute },
    { terms: { condition: 'moves', direction: 'either', amount: '6', unit: 'percent', withinMs: 20 * minute } },
  ]
}
