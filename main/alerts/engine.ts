import { parseDecimal } from '../../protocol/decimal'
import type { Decimal } from '../../protocol/decimal'
import type { CommandArguments } from '../../protocol/desktop'
import type {
  AlertEvent,
  AlertRule,
  AlertView,
  DecimalText,
  Delivery,
  IndexId,
  Outcome,
  Quote,
  Resolution,
} from '../../protocol/model'
import type { Clock } from '../base/clock'
import { Emitter } from '../base/emitter'
import type { JsonFile, JsonRead } from '../base/json-file'
import type { Log } from '../base/log'
import { readAlerts, toDocument } from './alert-document'
import type { AlertRecord } from './alert-document'
import { Inbox } from './inbox'
import { newerVersionNotice, readingNotice } from './reading-notice'
import { evaluate } from './rules'
import type { Firing } from './rules'
import { WatchedRules } from './watched-rules'
import type { Watched } from './watched-rules'

export interface AlertEngineEvents {
  changed: null
  /** A rule fired, and that is stored. */
  fired: AlertEvent
  /** A sentence the user should read once. */
  notice: string
}

const mostRules = 2_000
const mostInAnswer = 1_000

/**
 * Owner of the alert rules, of their armed state and of the inbox. A firing is in the inbox on the disk before anybody
 * hears of it; where the disk fails, it is told all the same, since an alert lost is worse than one told twice.
 */
export class AlertEngine {
  readonly events: Emitter<AlertEngineEvents>
  #file: JsonFile | undefined
  readonly #clock: Clock
  readonly #newId: () => string
  readonly #cadenceOf: (id: IndexId) => Resolution | undefined
  readonly #watched = new WatchedRules()
  #inbox = new Inbox()
  #setAside: readonly unknown[] = []
  /** Not before the file has been read: what is written would take the place of what stands in it. */
  #isReady = false
  /** The file is not ours to change. */
  #isForeign = false
  #isSaved = true
  #hasSaidNotSaved = false
  #lastSave: Promise<void> = Promise.resolve()

  constructor(options: {
    clock: Clock
    newId: () => string
    log: Log
    cadenceOf: (id: IndexId) => Resolution | undefined
  }) {
    const { clock, newId, log, cadenceOf } = options
    this.#clock = clock
    this.#newId = newId
    this.#cadenceOf = cadenceOf
    this.events = new Emitter((error) => {
      log.error('A listener of the alerts failed', { error: String(error) })
    })
  }

  /**
   * Reads rules, states and inbox and keeps them in this file from now on; those of the file before stay in theirs. To
   * be awaited before any value is considered. What went wrong comes as a notice.
   */
  async use(file: JsonFile): Promise<JsonRead['kind']> {
    this.#isReady = false
    if (this.#file !== undefined) await this.flush()
    this.#file = file
    this.#forgetAll()
    const read = await file.read()
    // Another file has been taken up meanwhile.
    if (this.#file !== file) return read.kind
    this.#isReady = true
    const found = 'value' in read ? readAlerts(read.value) : undefined
    if (found !== undefined && found.kind !== 'ok') {
      this.#isForeign = true
      this.events.emit('notice', newerVersionNotice(file.name))
    }
    if (found?.kind === 'ok') this.#take(found.record)
    const setAsideCount = found?.kind === 'ok' ? found.setAsideCount : 0
    const notice = readingNotice(read, file.name, setAsideCount)
    if (notice !== undefined) this.events.emit('notice', notice)
    if (setAsideCount > 0) await this.#commit([])
    else this.events.emit('changed', null)
    return read.kind
  }

  /** `latest` is the index's latest value as the app knows it; a cached one does not count. */
  async create(args: CommandArguments<'createAlert'>, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    const { indexId, condition, level, whenAlreadyMet } = args
    const read = this.#readLevel(level)
    if (!read.ok) return read
    const parsed = read.value
    const equal = this.#watched.find(indexId, condition, parsed)
    if (equal !== undefined && equal.state.phase !== 'triggered') return duplicate(equal.rule)
    if (this.#watched.size >= mostRules) {
      return failure('tooManyRules', `There are ${mostRules} alerts already. Delete some first.`)
    }
    // One that has fired is done and in the inbox: making it anew takes its place.
    if (equal !== undefined) this.#watched.remove(equal)
    const rule: AlertRule = {
      id: this.#newId(),
      indexId,
      condition,
      level,
      repeat: 'once',
      createdAtMs: this.#clock.wallMs(),
    }
    const watched = this.#watched.add(rule, parsed, { phase: 'waiting', whenAlreadyMet })
    await this.#commit(latest === undefined ? [] : this.#judge([watched], undefined, latest))
    return { ok: true, value: toView(watched) }
  }

  /**
   * Moves a rule to another level, kept as typed. It starts anew, as if made now to wait where its condition holds
   * already, and may thus fire again. `latest` as in `create`.
   */
  async setLevel(ruleId: string, level: DecimalText, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    const read = this.#readLevel(level)
    if (!read.ok) return read
    const watched = this.#watched.get(ruleId)
    if (watched === undefined) return unknownRule
    const { indexId, condition } = watched.rule
    const equal = this.#watched.find(indexId, condition, read.value, watched)
    if (equal !== undefined) return duplicate(equal.rule)
    watched.rule = { ...watched.rule, level, createdAtMs: this.#clock.wallMs() }
    watched.level = read.value
    watched.state = { phase: 'waiting', whenAlreadyMet: 'wait' }
    await this.#commit(latest === undefined ? [] : this.#judge([watched], undefined, latest))
    return { ok: true, value: toView(watched) }
  }

  async remove(ruleId: string): Promise<Outcome<null>> {
    const watched = this.#watched.get(ruleId)
    if (watched === undefined) return unknownRule
    this.#watched.remove(watched)
    await this.#commit([])
    return { ok: true, value: null }
  }

  /** To be called once for every value that became the latest, in order. */
  consider(previous: Quote | undefined, next: Quote): void {
    const candidates = this.#watched.ofIndex(next.id)
    const before = candidates.map((watched) => watched.state)
    const fired = this.#judge(candidates, previous, next)
    if (candidates.some((watched, at) => watched.state !== before[at])) void this.#commit(fired)
  }

  views(): AlertView[] {
    return this.#watched.all().map(toView)
  }

  /** Newest first. */
  inbox(): AlertEvent[] {
    return this.#inbox.newestFirst(mostInAnswer)
  }

  unreadCount(): number {
    return this.#inbox.unreadCount()
  }

  markRead(): void {
    if (this.#inbox.markRead()) void this.#commit([])
  }

  noteDelivery(eventId: string, delivery: Delivery): void {
    if (this.#inbox.noteDelivery(eventId, delivery)) void this.#commit([])
  }

  /** Done when everything is stored, or one more attempt has failed, and every firing has been told. */
  async flush(): Promise<void> {
    await this.#lastSave
    if (!this.#isSaved) await this.#commit([])
  }

  /** The level of a rule that may be made or changed now. */
  #readLevel(level: DecimalText): Outcome<Decimal> {
    const parsed = parseDecimal(level)
    if (parsed === undefined) return failure('notADecimal', 'A level is a number such as 68500.00.')
    if (!this.#isReady) return failure('notReady', 'The alerts are still being read. Try again in a moment.')
    if (this.#isForeign)
      return failure('newerAlerts', 'The alerts file is of a newer version. Install that to make alerts.')
    return { ok: true, value: parsed }
  }

  #forgetAll(): void {
    this.#watched.clear()
    this.#inbox = new Inbox()
    this.#setAside = []
    this.#isForeign = false
    this.#isSaved = true
    this.#hasSaidNotSaved = false
  }

  #take({ rules, states, inbox, setAside }: AlertRecord): void {
    for (const rule of rules) {
      const level = parseDecimal(rule.level)
      if (level === undefined) continue
      this.#watched.add(rule, level, states.get(rule.id) ?? { phase: 'waiting', whenAlreadyMet: 'wait' })
    }
    // Whether a pending notice was seen before the app ended, nobody knows. It is in the record and does not fire again.
    this.#inbox = new Inbox(
      inbox.map((event) => (event.delivery === 'pending' ? { ...event, delivery: 'unknown' } : event)),
    )
    this.#setAside = setAside
  }

  #judge(candidates: readonly Watched[], previous: Quote | undefined, next: Quote): AlertEvent[] {
    const value = next.source === 'cache' ? undefined : parseDecimal(next.value)
    if (value === undefined) return []
    const cadence = this.#cadenceOf(next.id)
    const fired: AlertEvent[] = []
    for (const watched of candidates) {
      const { state, firing } = evaluate(watched.rule, watched.state, next, {
        level: watched.level,
        value,
        ...(previous !== undefined && { previousAtMs: previous.publishedAtMs }),
        ...(cadence !== undefined && { cadence }),
      })
      watched.state = state
      if (firing !== undefined) fired.push(this.#record(watched.rule, next, firing))
    }
    return fired
  }

  #record({ id: ruleId, indexId, condition, level }: AlertRule, next: Quote, firing: Firing): AlertEvent {
    const { value, publishedAtMs } = next
    const event: AlertEvent = {
      id: this.#newId(),
      ruleId,
      indexId,
      condition,
      level,
      value,
      publishedAtMs,
      firedAtMs: this.#clock.wallMs(),
      ...firing,
      delivery: 'pending',
      isRead: false,
    }
    this.#inbox.append(event)
    return event
  }

  /** Stores the present state, then tells of what fired. */
  #commit(fired: readonly AlertEvent[]): Promise<void> {
    this.events.emit('changed', null)
    this.#isSaved = false
    this.#lastSave = this.#store().then(() => {
      for (const event of fired) this.events.emit('fired', event)
    })
    return this.#lastSave
  }

  async #store(): Promise<void> {
    if (this.#file === undefined) return
    const all = this.#watched.all()
    const outcome = await this.#file.write(
      toDocument({
        rules: all.map((watched) => watched.rule),
        states: new Map(all.map((watched) => [watched.rule.id, watched.state])),
        inbox: this.#inbox.all(),
        setAside: this.#setAside,
      }),
    )
    this.#isSaved = outcome.ok
    if (!outcome.ok && !this.#hasSaidNotSaved) this.events.emit('notice', `Alerts: ${outcome.problem.message}`)
    this.#hasSaidNotSaved = !outcome.ok
  }
}

function toView({ rule, state }: Watched): AlertView {
  return { ...rule, phase: state.phase }
}

function failure(code: string, message: string): Outcome<never> {
  return { ok: false, problem: { code, message } }
}

function duplicate({ indexId, level }: AlertRule): Outcome<never> {
  return failure('duplicate', `There is already such an alert: ${indexId} at ${level}. Change the level.`)
}

const unknownRule = failure('unknownRule', 'This alert is gone already.')
