import * as v from 'valibot'
import type { AlertEvent } from '../../core/alert-events'
import { readMessage, type DeskEvent } from '../../core/desk'
import { done, type Outcome } from '../../core/model'
import { timeSchema } from '../../core/shapes'
import type { Clock } from '../base/clock'
import type { JsonFile } from '../base/json-file'
import type { Log } from '../base/log'
import { keepDays, type Delivered, type DeskLink, type Inflow } from './link'
import { deskEventId } from '../base/stand-in'

interface Options {
  clock: Clock
  log: Log
  link: DeskLink
  memory: JsonFile
  /** Resolves when the events are on the disk. */
  store: (events: readonly AlertEvent[]) => Promise<Outcome<unknown>>
  onWatch: (watch: Watched) => void
  /** A sentence that the user should read once. */
  notice: (message: string) => void
}

/** Whether anybody judges the desk's alerts. `sinceMs` is by this computer's clock. */
export type Watched =
  | { state: 'judged'; watcher: string; sinceMs: number }
  | { state: 'notJudged'; sinceMs: number }
  /** The server does not answer. */
  | { state: 'unknown'; sinceMs: number }

const memorySchema = v.object({
  begunAtMs: timeSchema,
  /** The number of the last event in the stream that was stored. */
  storedThrough: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  /** When that event was published, by the server's clock. */
  storedAtMs: v.optional(timeSchema),
  /** When this seat was last connected, by its clock. */
  seenAtMs: timeSchema,
})
type Memory = v.InferOutput<typeof memorySchema>

const lookEveryMs = { judged: 8_000, otherwise: 4_000 }
/** A takeover takes up to twelve seconds and is not worth a word. */
const unwatchedAfterMs = 15_000
const againMs = 2_000
/** An event that took longer waited for this seat: the computer slept, or was offline. */
const lateAfterMs = 30_000
/** Servers of a cluster have clocks that differ a little. */
const clocksDifferMs = 60_000
const dayMs = 86_400_000

/**
 * A seat of a desk. It has events stored, and only then writes down their number, after which the next run begins. An event
 * that was stored without its number comes again, and the inbox knows it by its id. The seat also looks whether a watcher
 * leads.
 */
export class DeskSeat {
  readonly #options: Options
  #memory: Memory | undefined
  #inflow: Inflow | undefined
  #watched: Watched | undefined
  /** Events up to this number waited for the start of this run. */
  #waitedThrough: number | undefined
  /** How far this computer's clock is ahead of the server's, to a few seconds. */
  #aheadMs: number | undefined
  /** When a watcher was last seen to lead, on the monotonic clock and the wall clock. */
  #lastLed: { monotonicMs: number; wallMs: number }
  #cancelLook: (() => void) | undefined
  #cancelAgain: (() => void) | undefined
  #isStopped = false
  #running: Promise<void> = Promise.resolve()
  readonly #noted = new Set<string>()

  constructor(options: Options) {
    const { clock } = options
    this.#options = options
    this.#lastLed = { monotonicMs: clock.monotonicMs(), wallMs: clock.wallMs() }
  }

  /** Begins to receive. Problems: those of the server, `streamMissing`. */
  async start(): Promise<Outcome<null>> {
    const read = await this.#options.memory.read()
    const kept = v.safeParse(memorySchema, 'value' in read ? read.value : undefined)
    if (kept.success) this.#memory = kept.output
    const received = await this.#receive()
    if (received.ok) void this.#look()
    return received
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelLook?.()
    this.#cancelAgain?.()
    this.#inflow?.stop()
    await this.#running
  }

  async #receive(): Promise<Outcome<null>> {
    const { clock, link } = this.#options
    const found = await link.stream()
    if (!found.ok) return found
    const { begunAtMs, firstSeq, lastSeq } = found.value
    const known = this.#memory
    const isSame = known?.begunAtMs === begunAtMs
    // A new seat begins with the next event.
    const storedThrough = known === undefined ? lastSeq : isSame ? known.storedThrough : 0
    const storedAtMs = isSame ? known.storedAtMs : undefined
    let from: Parameters<DeskLink['receive']>[0] = { after: Math.min(storedThrough, lastSeq) }
    if (storedAtMs !== undefined && firstSeq <= storedThrough) {
      const atMs = await link.publishedAtMs(storedThrough)
      if (!atMs.ok) return atMs
      // The server lost messages, and other events may have their numbers. The inbox knows by its id what comes twice.
      if (atMs.value !== storedAtMs) from = { sinceMs: storedAtMs - clocksDifferMs }
    }
    const opened = await link.receive(from)
    if (!opened.ok) return opened
    if (known !== undefined && !isSame)
      this.#note('begun', `The desk ${link.desk} was begun again on its server. Earlier events stay in the inbox.`)
    if (isSame && firstSeq > storedThrough + 1 && clock.wallMs() - known.seenAtMs > keepDays * dayMs)
      this.#note(
        'aged',
        `Desk events older than ${keepDays} days are no longer on the server. They are not in this inbox.`,
      )
    this.#waitedThrough ??= lastSeq
    await this.#remember({ begunAtMs, storedThrough, storedAtMs })
    this.#inflow = opened.value
    if (this.#isStopped) opened.value.stop()
    this.#running = this.#take(opened.value).catch((error: unknown) => {
      if (!this.#isStopped) this.#options.log.warn('The events of the desk stopped', { error: String(error) })
      this.#receiveAgain()
    })
    return done
  }

  async #remember(position: Omit<Memory, 'seenAtMs'>): Promise<void> {
    this.#memory = { ...position, seenAtMs: this.#options.clock.wallMs() }
    await this.#options.memory.write(this.#memory)
  }

  #receiveAgain(): void {
    if (this.#isStopped) return
    this.#cancelAgain = this.#options.clock.after(againMs, () => {
      void this.#receive().then((received) => {
        if (received.ok) return
        const { code, message } = received.problem
        // Other problems pass. A server that does not answer is noticed by `#look`.
        if (code === 'streamMissing' || code === 'notAllowed') this.#note(code, message)
        this.#receiveAgain()
      })
    })
  }

  async #take(inflow: Inflow): Promise<void> {
    for await (const batch of inflow.batches()) {
      const stored = await this.#options.store(batch.flatMap((each) => this.#eventOf(each) ?? []))
      if (!stored.ok) {
        inflow.stop()
        throw new Error(stored.problem.message)
      }
      const last = batch.at(-1)
      if (last !== undefined && this.#memory !== undefined)
        await this.#remember({ ...this.#memory, storedThrough: last.seq, storedAtMs: last.atMs })
    }
    throw new Error('the server ended them')
  }

  #eventOf({ subject, data, seq, atMs }: Delivered): AlertEvent | undefined {
    const { clock, link, notice } = this.#options
    const waitedMs = clock.wallMs() - atMs - (this.#aheadMs ?? Infinity)
    const read = link.readEvent(subject, data)
    if (read.kind === 'read')
      return toAlertEvent(read.value, seq <= (this.#waitedThrough ?? 0) || waitedMs > lateAfterMs)
    this.#options.log.warn('An event of the desk cannot be read', { seq, why: read.kind })
    if (!this.#noted.has(read.kind)) {
      const why = read.kind === 'newer' ? 'was written by a newer version. Update this app' : 'cannot be read'
      notice(`An event of the desk ${why}. It is not in the inbox.`)
    }
    this.#noted.add(read.kind)
    return undefined
  }

  async #look(): Promise<void> {
    const { clock, link } = this.#options
    const found = await link.lasting().get('lease')
    if (this.#isStopped) return
    const lease = found.ok && found.value !== undefined ? readMessage('lease', found.value.value) : undefined
    const nowMs = clock.monotonicMs()
    if (found.ok && found.value !== undefined) this.#aheadMs = clock.wallMs() - found.value.atMs
    if (lease?.kind === 'read') {
      this.#lastLed = { monotonicMs: nowMs, wallMs: clock.wallMs() }
      this.#tell('judged', { watcher: lease.value.watcher, sinceMs: clock.wallMs() })
    } else if (nowMs - this.#lastLed.monotonicMs >= unwatchedAfterMs) {
      this.#tell(found.ok ? 'notJudged' : 'unknown', { watcher: '', sinceMs: this.#lastLed.wallMs })
    }
    const nextMs = lease?.kind === 'read' ? lookEveryMs.judged : lookEveryMs.otherwise
    this.#cancelLook = clock.after(nextMs, () => void this.#look())
  }

  #tell(state: Watched['state'], { watcher, sinceMs }: { watcher: string; sinceMs: number }): void {
    const before = this.#watched
    if (before?.state === state && (before.state !== 'judged' || before.watcher === watcher)) return
    const watched: Watched = state === 'judged' ? { state, watcher, sinceMs } : { state, sinceMs }
    this.#watched = watched
    this.#options.onWatch(watched)
  }

  #note(about: string, message: string): void {
    if (this.#noted.has(about)) return
    this.#noted.add(about)
    this.#options.notice(message)
  }
}

/** The event in this seat's inbox. */
function toAlertEvent({ key, about, watcher, event }: DeskEvent, isLate: boolean): AlertEvent {
  const isHeld = event.heldBackBy !== undefined
  const isQuiet = event.kind === 'confirmed'
  return {
    ...event,
    id: deskEventId(key),
    // The inbox numbers it.
    number: 1,
    ...(about !== undefined && { aboutEventId: deskEventId(about) }),
    desk: { watcher, isLate },
    delivery: isHeld ? 'heldBack' : isQuiet ? 'none' : 'pending',
    isRead: false,
  }
}
