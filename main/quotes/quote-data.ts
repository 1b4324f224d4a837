import { isHourlyOrSlower, lastMidnight } from '../../protocol/cadence'
import type { IndexId, Outcome, Publication, Quote, Resolution, ServiceKind } from '../../protocol/model'
import type { ChangeBase } from '../../protocol/preferences'
import type { Clock } from '../base/clock'
import type { Log } from '../base/log'
import { History, partMs } from './history'
import { QuoteStore } from './quote-store'
import { isOtherSource, sourceOf } from '../base/publication'
import type { TapeAccess, TapeValue } from '../tape/contract'

/** So many values in a row from the future are not the service's mistake. */
const maxFromFuture = 5
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Sixty publications of an index that skips weekends and holidays. */
const slowPastMs = 100 * dayMs

/** The values of the service in use: the latest and their short past. */
export class QuoteData {
  readonly store: QuoteStore
  readonly history: History
  readonly #tape: TapeAccess
  readonly #log: Log
  readonly #clock: Clock
  #kind: ServiceKind | undefined

  constructor(options: {
    tape: TapeAccess
    clock: Clock
    log: Log
    changeBase: () => ChangeBase
    onError: (error: unknown) => void
  }) {
    const { tape, clock, log, changeBase, onError } = options
    this.#tape = tape
    this.#log = log
    this.#clock = clock
    this.store = new QuoteStore({ clock, onError })
    this.history = new History({ clock, changeBase })
  }

  /**
   * Another service is about to answer. Values of the same kind stay, as cached ones; those of the other kind make room
   * for what its tape holds.
   */
  async use(kind: ServiceKind): Promise<void> {
    const ids = this.store.all().map(({ id }) => id)
    if (kind === this.#kind) {
      this.demote(ids)
      return
    }
    for (const id of ids) this.forget(id)
    this.#kind = kind
    const latest = await this.#tape.ask('latest', null)
    // Yet another service has been chosen meanwhile.
    if (kind !== this.#kind) return
    if (latest.ok) {
      const sources = new Map(latest.value.map((value) => [value.id, sourceOf(value)]))
      this.store.seed(latest.value.map(toQuote), (id) => sources.get(id))
    } else this.#log.warn('The latest values could not be read', { problem: latest.problem.message })
  }

  /**
   * Takes from the tape the short past of these indices, of which no service has sent anything yet. Answers whether any of
   * them has one.
   */
  async recall(indices: readonly { id: IndexId; resolution: Resolution }[]): Promise<boolean> {
    const kind = this.#kind
    const toMs = this.#clock.serviceMs()
    let hasAny = false
    for (const { id, resolution } of indices) {
      const known = await this.#past(id, resolution, toMs)
      if (kind !== this.#kind) return false
      if (!known.ok) {
        this.#log.warn('The past of the rows could not be read', { problem: known.problem.message })
        return hasAny
      }
      // What a service has sent meanwhile is younger, and stays.
      if (this.store.get(id)?.source !== 'cache' || known.value.length === 0) continue
      // Changes are not counted from the value of another source.
      const by = this.store.sourceOf(id)
      const own = known.value.filter((value) => by === undefined || !isOtherSource(sourceOf(value), by))
      this.history.restore(id, own.map(toPublication), resolution)
      hasAny = true
    }
    return hasAny
  }

  /** What the tape knows of the past that a row shows, ascending. */
  async #past(id: IndexId, resolution: Resolution, toMs: number): Promise<Outcome<TapeValue[]>> {
    const tape = this.#tape
    if (isHourlyOrSlower(resolution)) return tape.ask('samples', { id, fromMs: toMs - slowPastMs, toMs, stepMs: 1 })
    const closeMs = lastMidnight(toMs)
    const day = await tape.ask('samples', { id, fromMs: toMs - dayMs, toMs, stepMs: partMs })
    const hour = await tape.ask('samples', { id, fromMs: toMs - hourMs, toMs, stepMs: minuteMs })
    // Samples are the first of each step; a close is the last one before its moment.
    const close = await tape.ask('valueAt', { id, atMs: closeMs })
    if (!day.ok) return day
    if (!hour.ok) return hour
    if (!close.ok) return close
    const last = close.value.revisions.at(-1)
    return { ok: true, value: [...(last === undefined ? [] : [last]), ...day.value, ...hour.value] }
  }

  /**
   * Calls `warn` once when the machine's clock is so far behind that received values are taken for ones from the future
   * and left out: without a word the list would just stand still.
   */
  watchClock(warn: (message: string) => void): void {
    let inARow = 0
    let hasWarned = false
    this.store.events.on('changed', () => {
      inARow = 0
    })
    this.store.events.on('refused', ({ id }) => {
      this.#log.warn('A value from the future was left out', { id })
      inARow++
      if (inARow < maxFromFuture || hasWarned) return
      hasWarned = true
      warn(
        "Values are left out because they seem to come from the future: this computer's clock is minutes behind the service's. Set the clock to the right time.",
      )
    })
  }

  /** Another service answers for these from now on: their values stay as cached ones. */
  demote(ids: readonly IndexId[]): void {
    for (const id of ids) this.history.forget(id)
    this.store.demote(ids)
  }

  forget(id: IndexId): void {
    this.store.forget(id)
    this.history.forget(id)
  }
}

function toQuote(value: TapeValue): Quote {
  return { id: value.id, ...toPublication(value), source: 'cache' }
}

/** From a value on the tape, only what a publication has. */
function toPublication({ value, publishedAtMs, amendedAtMs, isRepeatOfPrevious }: TapeValue): Publication {
  return {
    value,
    publishedAtMs,
    ...(amendedAtMs !== undefined && { amendedAtMs }),
    ...(isRepeatOfPrevious && { isRepeatOfPrevious }),
  }
}
