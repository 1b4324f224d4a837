/** A year of ticks before the alert engine, with all that goes wrong on the way, and a count kept beside it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AlertEngine } from '../../main/alerts/engine'
import { ProfileFiles } from '../../main/app/profile-files'
import { QuoteStore } from '../../main/quotes/quote-store'
import type { AlertEvent } from '../../protocol/alert-events'
import type { AlertDraft, AlertView } from '../../protocol/alerts'
import { staleAfterMs } from '../../protocol/freshness'
import type { Publication, Quote } from '../../protocol/model'
import { findIndex } from '../../simulator/catalogue'
import { keyOf } from '../../simulator/noise'
import { Publications } from '../../simulator/publications'
import { crossingKey, ReferenceRule, type SteadyTerms } from './crossings'
import { FakeClock } from './fake-clock'
import { RecordedLog } from './recorded-log'

const minute = 60_000
const hour = 60 * minute
/** The steps of the simulation, so that a longer gap between two of them is one for the engine. */
const cadence = 'PER_MINUTE'
const ids = ['BRTI', 'ETHUSD_RTI', 'SOLUSD_RTI', 'XRPUSD_RTI', 'UC5_RTI_TR'] as const
type Id = (typeof ids)[number]

/** Stands between the values and the engine; a broken one shows that what is lost is found out. */
export type Delivery = (deliver: () => void) => void
export const whole: Delivery = (deliver) => {
  deliver()
}

interface Watched {
  rule: AlertView
  reference: ReferenceRule
}

export class CrossingSimulation {
  readonly expected: string[] = []
  readonly toldIds: string[] = []
  restarts = 0
  drops = 0
  readonly #folder: string
  readonly #delivery: Delivery
  readonly #clock = new FakeClock(Date.UTC(2023, 0, 1))
  readonly #publications: Publications
  readonly #seed: number
  readonly #watched = new Map<Id, Watched[]>()
  /** By index, the latest value that came. */
  readonly #latest = new Map<Id, Publication>()
  #draws = 0
  #eventCount = 0
  #engine: AlertEngine
  #quotes: QuoteStore

  private constructor(folder: string, seed: number, delivery: Delivery) {
    this.#folder = folder
    this.#seed = seed
    this.#delivery = delivery
    this.#publications = new Publications(seed)
    this.#engine = this.#newEngine()
    this.#quotes = this.#newStore()
  }

  static async start(options: { folder: string; seed: number; delivery?: Delivery }): Promise<CrossingSimulation> {
    const simulation = new CrossingSimulation(options.folder, options.seed, options.delivery ?? whole)
    await simulation.#engine.use(new ProfileFiles(options.folder, simulation.#clock).alerts('real'))
    await simulation.#makeRules()
    return simulation
  }

  /** Some ticks of every index, and then a restart, a lost connection or nothing. */
  async scene(): Promise<void> {
    for (let left = 10 + this.#draw(24); left > 0; left--) {
      this.#clock.advance(minute)
      for (const id of ids) this.#tick(id)
    }
    const chance = this.#draw(100)
    // At other times nothing waits for the disk, as in the app.
    if (chance % 8 === 0) await this.#engine.flush()
    if (chance < 18) await this.#restart()
    else if (chance < 80) this.#dropConnection()
  }

  async end(): Promise<void> {
    this.#clock.advance(minute)
    await this.#engine.flush()
    this.#engine.dispose()
  }

  /** The firings on the disk: those with the rules, and those in the archive. */
  recorded(): AlertEvent[] {
    const { inbox } = JSON.parse(readFileSync(join(this.#folder, 'alerts.json'), 'utf8')) as { inbox: AlertEvent[] }
    const lines = readFileSync(join(this.#folder, 'alerts-inbox.jsonl'), 'utf8').split('\n')
    const archived = lines.flatMap((line) => {
      const { event } = (line === '' ? {} : JSON.parse(line)) as { event?: AlertEvent }
      return event === undefined ? [] : [event]
    })
    return [...archived, ...inbox].filter(({ kind }) => kind === 'fired')
  }

  recordedKeys(): string[] {
    return this.recorded().map(({ ruleId, terms, inputs }) => {
      const { value = '', publishedAtMs = 0, direction = '', gapSinceMs } = inputs
      return crossingKey(ruleId, publishedAtMs, { value, direction: 'low' in terms ? '' : direction, gapSinceMs })
    })
  }

  /** What the service sends in this minute: a value, and at times the same again, one carried over or one long past. */
  #tick(id: Id): void {
    const nowMs = this.#clock.wallMs()
    const chance = this.#draw(100)
    if (chance < 4) {
      this.#receive(id, { value: this.#valueAt(id, nowMs - 24 * hour), publishedAtMs: nowMs, isRepeatOfPrevious: true })
      return
    }
    const publication = { value: chance < 10 ? this.#someLevel(id) : this.#valueAt(id, nowMs), publishedAtMs: nowMs }
    this.#receive(id, publication)
    if (chance < 30) this.#receive(id, publication)
    if (chance > 94) {
      const lateMs = nowMs - 1_000 - this.#draw(2 * hour)
      this.#receive(id, { value: this.#valueAt(id, lateMs), publishedAtMs: lateMs })
    }
  }

  #receive(id: Id, publication: Publication): void {
    const before = this.#latest.get(id)
    if (before === undefined || publication.publishedAtMs > before.publishedAtMs) {
      this.#latest.set(id, publication)
      this.#expect(id, publication, before)
    }
    this.#quotes.apply(id, publication, 'stream')
  }

  #expect(id: Id, { value, publishedAtMs, isRepeatOfPrevious }: Publication, before: Publication | undefined): void {
    // The day before standing in for today counts for nothing.
    if (isRepeatOfPrevious === true) return
    const isGap = before !== undefined && publishedAtMs - before.publishedAtMs > staleAfterMs(cadence)
    const gapSinceMs = isGap ? before.publishedAtMs : undefined
    for (const { rule, reference } of this.#watched.get(id) ?? []) {
      for (const direction of reference.see(value)) {
        this.expected.push(crossingKey(rule.id, publishedAtMs, { value, direction, gapSinceMs }))
      }
    }
  }

  /** The app ends and starts again later; what it knew of values is in the cache. At times nothing new was published. */
  async #restart(): Promise<void> {
    this.restarts++
    const kept: Quote[] = this.#quotes.all()
    await this.#engine.flush()
    this.#engine.dispose()
    this.#clock.advance(minute + this.#draw(6 * hour))
    this.#engine = this.#newEngine()
    await this.#engine.use(new ProfileFiles(this.#folder, this.#clock).alerts('real'))
    this.#quotes = this.#newStore()
    this.#quotes.seed(kept)
    this.#resend()
  }

  /** Values are missed; then the service begins with its most recent one, which may be the one from before. */
  #dropConnection(): void {
    this.drops++
    this.#clock.advance(this.#draw(12 * hour))
    this.#resend()
  }

  #resend(): void {
    for (const id of ids) {
      const latest = this.#latest.get(id)
      if (latest !== undefined && this.#draw(2) === 0) this.#receive(id, latest)
    }
  }

  async #makeRules(): Promise<void> {
    const drafts = ids.flatMap((id) => termsFor(this.#levels(id)).map((terms): AlertDraft => everyTime(id, terms)))
    const made = await this.#engine.createAll(drafts, () => undefined)
    if (!made.ok) throw new Error(made.problem.message)
    for (const rule of this.#engine.views()) {
      const id = ids.find((each) => each === rule.indexId)
      if (id === undefined || !('level' in rule.terms || 'low' in rule.terms)) throw new Error('no such rule was made')
      const watched = { rule, reference: new ReferenceRule(rule.terms) }
      this.#watched.set(id, [...(this.#watched.get(id) ?? []), watched])
    }
  }

  /** Three values the index will have, ascending: a quarter, half and three quarters of them lie below. */
  #levels(id: Id): [string, string, string] {
    const all = Array.from({ length: 400 }, (_, at) => this.#valueAt(id, this.#clock.wallMs() + at * 3 * hour))
    const sorted = [...new Set(all)].sort((a, b) => Number(a) - Number(b))
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? ''
    return [at(0.25), at(0.5), at(0.75)]
  }

  #someLevel(id: Id): string {
    const rules = this.#watched.get(id) ?? []
    const terms = rules[this.#draw(rules.length)]?.rule.terms
    if (terms === undefined) throw new Error('there are no rules')
    return 'level' in terms ? terms.level : 'low' in terms ? ([terms.low, terms.high][this.#draw(2)] ?? '') : ''
  }

  #valueAt(id: Id, timeMs: number): string {
    const index = findIndex(id)
    if (index === undefined) throw new Error(`the simulator has no ${id}`)
    return this.#publications.latest(index, timeMs, 'PER_SECOND').value
  }

  /** A whole number from 0 to one below `below`; the same seed draws the same ones. */
  #draw(below: number): number {
    return keyOf(this.#seed, 'draw', this.#draws++) % below
  }

  #newEngine(): AlertEngine {
    const engine = new AlertEngine({
      clock: this.#clock,
      newId: () => `id-${++this.#eventCount}`,
      log: new RecordedLog(),
      cadenceOf: () => cadence,
    })
    engine.events.on('notify', (notification) => {
      const events = notification.kind === 'single' ? [notification.event] : notification.events
      this.toldIds.push(...events.map(({ id }) => id))
    })
    return engine
  }

  #newStore(): QuoteStore {
    const store = new QuoteStore({
      clock: this.#clock,
      onError: (error) => {
        throw error
      },
    })
    store.events.on('changed', ({ previous, next }) => {
      this.#delivery(() => {
        this.#engine.consider(previous, next)
      })
    })
    store.events.on('amended', ({ id, publication }) => {
      this.#engine.amend(id, publication)
    })
    return store
  }
}

function everyTime(indexId: string, terms: SteadyTerms): AlertDraft {
  return { indexId, terms, repeat: { mode: 'everyCrossing' }, severity: 'normal' }
}

/** Every kind of level and band, with and without a re-arm band. */
function termsFor([low, middle, high]: [string, string, string]): SteadyTerms[] {
  const fiveBasisPoints = { size: '5', unit: 'basisPoints' } as const
  const tenBasisPoints = { size: '10', unit: 'basisPoints' } as const
  return [
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
}
