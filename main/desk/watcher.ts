import * as v from 'valibot'
import { firingKinds, type AlertEvent } from '../../core/alert-events'
import type { AlertRule } from '../../core/alerts'
import {
  aboutPublished,
  isSpent,
  keysAround,
  keysOf,
  ownCrossing,
  readMessage,
  saysItsTime,
  toDeskEvent,
  writeMessage,
  yields,
  type DeskEvent,
  type DeskRule,
  type WatcherState,
} from '../../core/desk'
import { done, failure, ok, type Outcome } from '../../core/model'
import { timeSchema } from '../../core/shapes'
import type { Clock } from '../base/clock'
import type { JsonFile } from '../base/json-file'
import type { Log } from '../base/log'
import { leaseMs, type DeskLink, type Entry, type StreamState } from './link'

/** The events that this watcher has decided, as they are stored. */
interface Tape {
  /** Number of the newest event, or 0. */
  lastNumber: () => number
  /** The next events with a larger number, oldest first. */
  after: (number: number) => Promise<Outcome<AlertEvent[]>>
  event: (id: string) => Promise<AlertEvent | undefined>
}

/** The rules that this watcher judges. */
interface JudgedRules {
  /** Judges this rule from now on, in place of its former version. */
  adopt: (rule: AlertRule) => Promise<Outcome<unknown>>
  remove: (ruleId: string) => Promise<Outcome<unknown>>
}

interface Options {
  clock: Clock
  log: Log
  link: DeskLink
  name: string
  tape: Tape
  rules: JudgedRules
  /** Remembers between runs what is published and which rules are the desk's. */
  memory: JsonFile
  /** True while the rules are judged. Only then does this watcher lead. */
  isJudging: () => boolean
  /** True while every connection delivers values. */
  isLive: () => boolean
  /** The hosts of the providers. */
  hosts: () => string[]
  /** Shows a sentence to the person who runs the watcher. */
  notice: (message: string) => void
}

const numberSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const memorySchema = v.object({
  begunAtMs: timeSchema,
  publishedThrough: numberSchema,
  ruleIds: v.array(v.string()),
  /** Keys of own firings, and of what the other watcher published for the same crossing. Oldest first. */
  inPlaceOf: v.optional(v.array(v.tuple([v.string(), v.string()])), []),
  marks: v.optional(v.array(v.object({ seq: numberSchema, atMs: timeSchema, through: numberSchema })), []),
})
/**
 * Events of the tape through number `through` were in the stream when its newest message had the number `seq`. The server
 * published that message at `atMs`, by its clock.
 */
type Mark = v.InferOutput<typeof memorySchema>['marks'][number]

interface HeldLease {
  revision: number
  /** Until when this watcher publishes, and when it refreshes, on the monotonic clock. */
  untilMs: number
  refreshAtMs: number
  sinceMs: number
  /** Number of the newest event on the tape when it was taken. */
  decidedThrough: number
  /** The last event under these keys when the lease was taken. While it is held, nobody else publishes. */
  newest: Map<string, DeskEvent | undefined>
}

interface Waiting {
  number: number
  message: DeskEvent
}

const turnMs = 1_000
const refreshMs = 3_000
const lookEveryTurns = 5
/** A leader stops publishing this long after its last refresh, before another one can lead. */
const maxLeadMs = leaseMs - 2_000
/** An unpublished event is asked for in the stream, so that the other watcher's events are not published again. */
const maxAskedInTurn = 200
/** Firings of watchers that saw different values are rare. The newest are remembered, in case they are retracted. */
const maxPlaces = 2_000
/** One for each second in which something was published. A server loses its newest messages, so older ones are of no use. */
const maxMarks = 300

/**
 * One of the watchers of a desk. It judges the desk's rules all the time. While it has the lease it publishes what it
 * decided and the stream lacks. What the other one published counts as published.
 */
export class DeskWatcher {
  readonly #options: Options
  readonly #rules = new Map<string, AlertRule>()
  /** Decided and not known to be in the stream, oldest first. */
  #waiting: Waiting[] = []
  #inPlaceOf = new Map<string, string>()
  /** Number of the last event that was read from the tape. */
  #readThrough = 0
  #begunAtMs = 0
  #lease: HeldLease | undefined
  /** Number of the newest message of the stream while this watcher leads. */
  #lastSeq = 0
  #own: number | undefined
  #turning: Promise<void> = Promise.resolve()
  #others: WatcherState[] = []
  #turnCount = 0
  #seatCount = 0
  /** Ascending by `seq`. */
  #marks: Mark[] = []
  /** The tape is read again after this number. */
  #rewindTo: number | undefined
  #isPumping = false
  #hasMore = false
  #cancel: (() => void) | undefined
  #stopFollowing: (() => void) | undefined
  #isStopped = false
  /** True once the rules are known. Before that, the tape cannot be read. */
  #isReady = false
  readonly #noted = new Set<string>()

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Takes the desk's rules and begins to take turns. `begins` makes what the server lacks. Problems: those of
   * the server, `streamMissing`, `nameTaken`.
   */
  async start(begins: boolean): Promise<Outcome<null>> {
    const { link, memory } = this.#options
    const read = await memory.read()
    const kept = v.safeParse(memorySchema, 'value' in read ? read.value : undefined)
    const found = await link.stream()
    const isNew = !found.ok && found.problem.code === 'streamMissing'
    const lacksSeen = !(await link.seen().begunAtMs()).ok
    // A desk that this watcher knows is begun again only on request.
    const mayBegin = begins ? isNew || lacksSeen : isNew && !kept.success
    const begun = mayBegin ? await link.begin() : found
    if (!begun.ok) return begun
    const seen = await link.seen().begunAtMs()
    if (!seen.ok) this.#note('seen', `Seats cannot tell who has seen an alert. ${seen.problem.message}`)
    this.#begunAtMs = begun.value.begunAtMs
    if (kept.success && kept.output.begunAtMs !== this.#begunAtMs)
      this.#note('begun', `The desk ${link.desk} was begun again on ${new Date(this.#begunAtMs).toISOString()}.`)
    this.#readThrough = kept.success ? kept.output.publishedThrough : this.#options.tape.lastNumber()
    this.#inPlaceOf = new Map(kept.success ? kept.output.inPlaceOf : [])
    if (kept.success && kept.output.begunAtMs === this.#begunAtMs) this.#marks = kept.output.marks
    const named = await this.#takeName()
    if (!named.ok) return named
    const adopted = await this.#adoptAll(kept.success ? kept.output.ruleIds : [])
    if (!adopted.ok) return adopted
    this.#isReady = true
    this.#takeTurns()
    return done
  }

  /** Call when an event may have been decided. */
  decided(): void {
    void this.#pump()
  }

  /** Number of seats that are connected. */
  get seatCount(): number {
    return this.#seatCount
  }

  get isLeading(): boolean {
    return this.#lease !== undefined && this.#options.clock.busyMs() < this.#lease.untilMs
  }

  /** Number of decided events that are not known to be in the stream. */
  get unpublished(): number {
    return this.#waiting.length
  }

  /** Gives the lease back, so that the other watcher need not wait for its end. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel?.()
    this.#stopFollowing?.()
    await this.#turning
    await this.#giveUp()
    if (this.#own !== undefined) await this.#options.link.lasting().remove(this.#ownKey, this.#own)
    await this.#remember()
  }

  // Rules.

  async #adoptAll(formerIds: readonly string[]): Promise<Outcome<null>> {
    const kept = this.#options.link.kept()
    const changes: Entry[] = []
    let isReady = false
    // Followed first, so that no change is missed.
    const following = await kept.follow('rule.>', (entry) => {
      if (isReady) void this.#adopt(entry)
      else changes.push(entry)
    })
    if (!following.ok) return following
    this.#stopFollowing = following.value
    const all = await kept.all('rule.>')
    if (!all.ok) return all
    const present = new Set(all.value.map(({ key }) => ruleIdOf(key)))
    for (const id of formerIds) if (!present.has(id)) await this.#options.rules.remove(id)
    for (const entry of [...all.value, ...changes]) await this.#adopt(entry)
    isReady = true
    return done
  }

  async #adopt({ key, value, isDeleted }: Entry): Promise<void> {
    const id = ruleIdOf(key)
    const read = readMessage('rule', value)
    if (isDeleted) {
      if (this.#rules.delete(id)) await this.#options.rules.remove(id)
    } else if (read.kind === 'newer') {
      this.#note(
        id,
        `The alert ${id} of the desk was written by a newer version and is not judged. Update this watcher.`,
      )
    } else if (read.kind === 'unreadable' || read.value.rule.id !== id) {
      this.#note(id, `The alert ${id} of the desk cannot be read and is not judged. Save it again on a seat.`)
    } else await this.#judge(read.value)
    if (this.#isReady) await this.#remember()
  }

  async #judge({ rule }: DeskRule): Promise<void> {
    const known = this.#rules.get(rule.id)
    this.#rules.set(rule.id, rule)
    if (known !== undefined && JSON.stringify(known) === JSON.stringify(rule)) return
    const adopted = await this.#options.rules.adopt(rule)
    if (!adopted.ok) this.#note(rule.id, `The alert ${rule.id} of the desk is not judged: ${adopted.problem.message}`)
  }

  // Turns: the lease, and what this watcher says of itself.

  get #ownKey(): string {
    return `watcher.${this.#options.name}`
  }

  #takeTurns(): void {
    this.#turning = this.#turn().catch((error: unknown) => {
      this.#options.log.error('A turn of the desk failed', { error: String(error) })
    })
    void this.#turning.then(() => {
      if (!this.#isStopped) this.#cancel = this.#options.clock.after(turnMs, () => this.#takeTurns())
    })
  }

  async #turn(): Promise<void> {
    const { isJudging } = this.#options
    await this.#lookAround()
    if (!isJudging() || yields(this.#state(), this.#others)) await this.#giveUp()
    else if (this.#lease === undefined) await this.#tryToLead()
    else await this.#refresh(this.#lease)
    await this.#saySelf()
    await this.#pump()
    await this.#markProgress()
  }

  async #tryToLead(): Promise<void> {
    const { clock, link, name, tape } = this.#options
    const held = await link.lasting().get('lease')
    if (!held.ok || held.value !== undefined) return
    const askedAtMs = clock.busyMs()
    const sinceMs = clock.wallMs()
    const taken = await link.lasting().put('lease', writeMessage('lease', { watcher: name, sinceMs }))
    if (!taken.ok || taken.value === undefined) return
    const led = await link.lead(name)
    if (!led.ok) {
      await link.lasting().remove('lease', taken.value)
      return
    }
    this.#lastSeq = led.value
    this.#lease = {
      revision: taken.value,
      untilMs: askedAtMs + maxLeadMs,
      refreshAtMs: askedAtMs + refreshMs,
      sinceMs,
      decidedThrough: tape.lastNumber(),
      newest: new Map(),
    }
    this.#options.log.info('This watcher leads the desk')
  }

  async #refresh(lease: HeldLease): Promise<void> {
    const { clock, link, log, name } = this.#options
    const askedAtMs = clock.busyMs()
    if (askedAtMs < lease.refreshAtMs) return
    const text = writeMessage('lease', { watcher: name, sinceMs: lease.sinceMs })
    const refreshed = await link.lasting().put('lease', text, lease.revision)
    if (!refreshed.ok && askedAtMs < lease.untilMs) return
    if (refreshed.ok && refreshed.value !== undefined) {
      const times = { untilMs: askedAtMs + maxLeadMs, refreshAtMs: askedAtMs + refreshMs }
      this.#lease = { ...lease, ...times, revision: refreshed.value }
      return
    }
    this.#lease = undefined
    log.warn('This watcher no longer leads the desk')
  }

  async #giveUp(): Promise<void> {
    const lease = this.#lease
    this.#lease = undefined
    if (lease !== undefined) await this.#options.link.lasting().remove('lease', lease.revision)
  }

  /** Waits until an entry of a killed run with this name has ended. */
  async #takeName(): Promise<Outcome<null>> {
    const { clock, link, name } = this.#options
    const untilMs = clock.busyMs() + leaseMs + 2 * turnMs
    for (;;) {
      const put = await link.lasting().put(this.#ownKey, this.#self())
      if (!put.ok) return put
      this.#own = put.value
      if (put.value !== undefined) return done
      if (clock.busyMs() > untilMs)
        return failure('nameTaken', `A watcher named ${name} already runs for this desk. Choose another name.`)
      await new Promise<void>((resolve) => clock.after(turnMs, resolve))
    }
  }

  #state(): WatcherState {
    const { hosts, isLive } = this.#options
    return { hosts: hosts(), isLive: isLive(), unpublished: this.#waiting.length }
  }

  #self(): string {
    return writeMessage('watcher', this.#state())
  }

  /** Reads what the other watchers say of themselves. Often only while that decides who leads. */
  async #lookAround(): Promise<void> {
    const { isLive, link, name, hosts } = this.#options
    if (this.#turnCount++ % lookEveryTurns !== 0 && isLive()) return
    const [found, seats] = await Promise.all([link.lasting().all('watcher.>'), link.seatCount()])
    if (seats.ok) this.#seatCount = seats.value
    if (!found.ok) return
    this.#others = []
    for (const { key, value } of found.value) {
      const read = readMessage('watcher', value)
      if (key === this.#ownKey || read.kind !== 'read') continue
      this.#others.push(read.value)
      const other = key.slice('watcher.'.length)
      const theirs = read.value.hosts.toSorted().join(', ')
      const ours = hosts().toSorted().join(', ')
      if (theirs !== ours)
        this.#note(
          `hosts ${other}`,
          `${other} takes values from ${theirs || 'no server'}, ${name} from ${ours || 'no server'}. Give both the same connections, or their alerts differ.`,
        )
    }
  }

  async #saySelf(): Promise<void> {
    const { link } = this.#options
    const said = await link.lasting().put(this.#ownKey, this.#self(), this.#own)
    // The entry ended while the server could not be reached.
    if (said.ok) this.#own = said.value
  }

  // Publishing.

  /** Number of the last event of the tape before which all events are in the stream. */
  get #publishedThrough(): number {
    const [first] = this.#waiting
    return first === undefined ? this.#readThrough : first.number - 1
  }

  /**
   * A server may lose messages that it has confirmed, as a cluster can when a node with older data leads after a crash.
   * What was decided since is then published again. The stream and the seats drop what they have.
   */
  async #markProgress(): Promise<void> {
    const { link, log } = this.#options
    const through = this.#publishedThrough
    const found = await link.stream()
    if (!found.ok) return
    const kept = await this.#marksIn(found.value)
    if (!kept.ok) return
    const { lastSeq: seq, lastAtMs: atMs } = found.value
    const last = kept.value.at(-1)
    const isWhole = kept.value.length === this.#marks.length
    if (isWhole && last?.seq === seq && last.through === through) return
    this.#marks = isWhole ? [...kept.value, { seq, atMs, through }].slice(-maxMarks) : kept.value
    if (isWhole) return this.#remember()
    log.warn('The server has lost messages of the desk', { lastSeq: seq })
    // The lease remembers the newest events of the stream, which may be gone.
    await this.#giveUp()
    this.#rewindTo = last?.through ?? 0
    await this.#pump()
  }

  /** Returns the marks whose message the server has not lost. A message that was dropped by age is not lost. */
  async #marksIn({ firstSeq, lastSeq, lastAtMs }: StreamState): Promise<Outcome<Mark[]>> {
    const lost = new Set<Mark>()
    for (const mark of this.#marks.toReversed()) {
      const { seq, atMs } = mark
      const found = seq === lastSeq ? ok(lastAtMs) : await this.#options.link.publishedAtMs(seq)
      if (!found.ok) return found
      if (found.value === atMs || seq < firstSeq) break
      lost.add(mark)
    }
    return ok(this.#marks.filter((mark) => !lost.has(mark)))
  }

  #rewind(): void {
    if (this.#rewindTo === undefined) return
    this.#readThrough = Math.min(this.#rewindTo, this.#readThrough)
    this.#rewindTo = undefined
    this.#waiting = []
  }

  async #pump(): Promise<void> {
    this.#hasMore = true
    if (this.#isPumping || !this.#isReady) return
    this.#isPumping = true
    try {
      while (this.#hasMore) {
        this.#hasMore = false
        this.#rewind()
        await this.#readTape()
        if (this.#lease === undefined) await this.#dropPublished()
        else await this.#publishWaiting()
      }
    } finally {
      this.#isPumping = false
    }
  }

  async #readTape(): Promise<void> {
    const { tape, name } = this.#options
    while (tape.lastNumber() > this.#readThrough) {
      const events = await tape.after(this.#readThrough)
      if (!events.ok || events.value.length === 0) return
      for (const event of events.value) {
        this.#readThrough = event.number
        if (!this.#rules.has(event.ruleId)) continue
        const about = event.aboutEventId === undefined ? undefined : await tape.event(event.aboutEventId)
        const message = toDeskEvent(event, name, about)
        if (message !== undefined) this.#waiting.push({ number: event.number, message })
      }
    }
  }

  /** While the other one leads: forgets what it has published. */
  async #dropPublished(): Promise<void> {
    const before = this.#waiting.length
    for (const waiting of this.#waiting.slice(0, maxAskedInTurn)) {
      const known = await this.#isKnown(waiting.number, aboutPublished(waiting.message, this.#inPlaceOf))
      if (!known.ok) break
      if (known.value) this.#waiting = this.#waiting.filter((each) => each !== waiting)
    }
    if (this.#waiting.length < before) await this.#remember()
  }

  async #publishWaiting(): Promise<void> {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const message = aboutPublished(next.message, this.#inPlaceOf)
      const known = await this.#isKnown(next.number, message)
      if (!known.ok) break
      if (known.value || (await this.#isSpent(message))) this.#waiting.shift()
      // Checked right before it is sent: the process may have stood still.
      if (this.#waiting[0] !== next) continue
      if (!this.isLeading) break
      const published = await this.#options.link.publish(message, this.#lastSeq)
      if (!published.ok && published.problem.code === 'tooLarge') {
        this.#options.notice(
          `An event of the alert ${message.event.ruleId} was not published. ${published.problem.message}`,
        )
        this.#waiting.shift()
        continue
      }
      if (!published.ok) {
        this.#note('publish', published.problem.message)
        break
      }
      if (published.value.kind === 'outOfTurn') {
        this.#options.log.warn('The stream has a message of another sender')
        await this.#giveUp()
        break
      }
      this.#noted.delete('publish')
      this.#lastSeq = Math.max(this.#lastSeq, published.value.seq)
      this.#waiting.shift()
    }
    await this.#remember()
  }

  /**
   * True if the stream has the event. Also true if it has the same crossing at another value, because one of the watchers
   * missed values, and for an event about a firing that was never published.
   */
  async #isKnown(number: number, { key, about, event }: DeskEvent): Promise<Outcome<boolean>> {
    const { link } = this.#options
    // Nobody else publishes what is decided while this watcher leads, except what both learn late.
    const isNew = number > (this.#lease?.decidedThrough ?? Infinity) && event.kind !== 'lateFromHistory'
    const same = isNew ? ok(undefined) : await link.lastEvent(key, true)
    if (!same.ok || same.value !== undefined) return same.ok ? ok(true) : same
    if (about !== undefined) {
      const isMoved = [...this.#inPlaceOf.values()].includes(about)
      if (isMoved && saysItsTime(about, event)) return ok(true)
      const isWaiting = this.#waiting.some(({ message }) => message.key === about)
      const firing = await link.lastEvent(about, true)
      return firing.ok ? ok(firing.value === undefined && !isWaiting) : firing
    }
    if (event.inputs.direction === undefined) return ok(false)
    const published = await this.#sameCrossing(event, key)
    if (published.ok && published.value !== undefined && published.value !== key)
      this.#inPlaceOf.set(key, published.value)
    else if (published.ok) this.#inPlaceOf.delete(key)
    return published.ok ? ok(published.value !== undefined) : published
  }

  /** The key under which the other watcher published this crossing. */
  async #sameCrossing(event: DeskEvent['event'], key: string): Promise<Outcome<string | undefined>> {
    const { link, name } = this.#options
    const { ruleId, ruleVersion, inputs } = event
    const firings = `${ruleId}.${ruleVersion}.*.${inputs.direction ?? 'none'}.fired`
    const newest = await this.#newest(firings)
    if (!newest.ok || newest.value === undefined) return newest.ok ? ok(undefined) : newest
    const { previous, publishedAtMs = 0 } = newest.value.event.inputs
    const isLater = (previous?.publishedAtMs ?? publishedAtMs) >= (inputs.publishedAtMs ?? 0)
    const keys = isLater ? await link.keys(firings) : ok([newest.value.key])
    if (!keys.ok) return keys
    const own = this.#waiting.map(({ message }) => message)
    // Its own place counts as free, because the tape may be read again.
    const taken = new Set([...this.#inPlaceOf].flatMap(([own, other]) => (own === key ? [] : [other])))
    for (const each of keysAround(event, keys.value)) {
      if (taken.has(each)) continue
      const found = each === newest.value.key ? ok({ message: newest.value }) : await link.lastEvent(each, true)
      if (!found.ok) return found
      const message = found.value?.message
      // Two own firings are two crossings.
      if (message === undefined || message.watcher === name) continue
      if (ownCrossing(message, own)?.key === key) return ok(each)
    }
    return ok(undefined)
  }

  /** The last event with these keys, or what it was when this watcher began to lead. */
  async #newest(keys: string): Promise<Outcome<DeskEvent | undefined>> {
    const newest = this.#lease?.newest
    if (newest?.has(keys) === true) return ok(newest.get(keys))
    const found = await this.#options.link.lastEvent(keys, true)
    if (!found.ok) return found
    newest?.set(keys, found.value?.message)
    return ok(found.value?.message)
  }

  /** True for a rule that fires once and has fired for the other watcher, before this one knew the rule. */
  async #isSpent({ key, event }: DeskEvent): Promise<boolean> {
    const rule = this.#rules.get(event.ruleId)
    const isOfOne = rule?.version === event.ruleVersion && rule.repeat.mode === 'once'
    if (rule === undefined || !isOfOne || !firingKinds.includes(event.kind)) return false
    const last = await this.#options.link.lastEvent(keysOf(rule), false)
    return last.ok && last.value?.message?.key !== key && isSpent(rule, last.value?.message)
  }

  #note(about: string, message: string): void {
    if (this.#noted.has(about)) return
    this.#noted.add(about)
    this.#options.notice(message)
  }

  async #remember(): Promise<void> {
    await this.#options.memory.write({
      begunAtMs: this.#begunAtMs,
      publishedThrough: this.#publishedThrough,
      ruleIds: [...this.#rules.keys()],
      inPlaceOf: [...this.#inPlaceOf].slice(-maxPlaces),
      marks: this.#marks,
    })
  }
}

function ruleIdOf(key: string): string {
  return key.slice('rule.'.length)
}
