import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { AlertEvent } from '../../core/alert-events'
import { readMessage, type DeskEvent } from '../../core/desk'
import { done, type Outcome } from '../../core/model'
import { timeSchema } from '../../core/shapes'
import type { Clock } from '../base/clock'
import type { JsonFile } from '../base/json-file'
import type { Log } from '../base/log'
import { keepDays, type Delivered, type DeskLink, type Inflow } from './link'

interface Options {
  clock: Clock
  log: Log
  link: DeskLink
  newId: () => string
  /** Differs between two computers that share a copy of one profile. */
  computer: string
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
  seatId: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
  begunAtMs: timeSchema,
  /** The last event that was stored, by its number in the stream. */
  storedThrough: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  /** When this seat was last connected, by its clock. */
  seenAtMs: timeSchema,
})
type Memory = v.InferOutput<typeof memorySchema>

const lookEveryMs = 4_000
/** A takeover takes up to twelve seconds and is not worth a word. */
const unwatchedAfterMs = 15_000
const againMs = 5_000
/** An event that took longer waited for this seat: the computer slept, or was offline. */
const lateAfterMs = 30_000
const dayMs = 86_400_000

/**
 * A seat of a desk. It receives each event, has it stored, and only then acknowledges it, so that an event is neither lost
 * nor shown twice. It looks whether a watcher leads.
 */
export class DeskSeat {
  readonly #options: Options
  #memory: Memory | undefined
  #inflow: Inflow | undefined
  #watched: Watched | undefined
  #wasLongAway = false
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
    const { clock, link, memory, newId } = this.#options
    const begun = await link.begunAtMs()
    if (!begun.ok) return begun
    const read = await memory.read()
    const kept = v.safeParse(memorySchema, 'value' in read ? read.value : undefined)
    const isSame = kept.success && kept.output.begunAtMs === begun.value
    if (kept.success && !isSame)
      this.#note('begun', `The desk ${link.desk} was begun again on its server. Earlier events stay in the inbox.`)
    const seatId = kept.success ? kept.output.seatId : newId()
    const storedThrough = isSame ? kept.output.storedThrough : 0
    this.#memory = { seatId, begunAtMs: begun.value, storedThrough, seenAtMs: clock.wallMs() }
    this.#wasLongAway = isSame && clock.wallMs() - kept.output.seenAtMs > keepDays * dayMs
    const received = await this.#receive(kept.success)
    if (!received.ok) return received
    void this.#look()
    return done
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelLook?.()
    this.#cancelAgain?.()
    this.#inflow?.stop()
    await this.#running
  }

  async #receive(isKnown: boolean): Promise<Outcome<null>> {
    const { link, computer } = this.#options
    const memory = this.#memory
    if (memory === undefined) return done
    const seat = `seat-${digest(`${memory.seatId} ${computer}`)}`
    // A new seat begins with the next event.
    const opened = await link.receive(seat, isKnown ? memory.storedThrough : undefined)
    if (!opened.ok) return opened
    const { value: inflow } = opened
    if (!isKnown) this.#memory = { ...memory, storedThrough: inflow.waitingThrough }
    await this.#options.memory.write(this.#memory)
    if (this.#wasLongAway && inflow.firstSeq > memory.storedThrough + 1)
      this.#note(
        'aged',
        `Desk events older than ${keepDays} days are no longer on the server. They are not in this inbox.`,
      )
    this.#inflow = inflow
    this.#running = this.#take(inflow).catch((error: unknown) => {
      this.#options.log.warn('The events of the desk stopped', { error: String(error) })
      this.#receiveAgain()
    })
    return done
  }

  #receiveAgain(): void {
    this.#inflow?.stop()
    if (this.#isStopped) return
    this.#cancelAgain = this.#options.clock.after(againMs, () => {
      void this.#receive(true).then((received) => {
        if (received.ok) return
        this.#note(received.problem.code, received.problem.message)
        this.#receiveAgain()
      })
    })
  }

  async #take(inflow: Inflow): Promise<void> {
    for await (const batch of inflow.batches()) {
      const stored = await this.#options.store(batch.flatMap((each) => this.#eventOf(each, inflow) ?? []))
      if (!stored.ok) {
        // Stopped first, so that they are not sent to this run again.
        inflow.stop()
        for (const each of batch) each.refuse()
        throw new Error(stored.problem.message)
      }
      for (const each of batch) each.acknowledge()
      const last = batch.at(-1)
      if (last === undefined || this.#memory === undefined) continue
      const storedThrough = Math.max(this.#memory.storedThrough, last.seq)
      this.#memory = { ...this.#memory, storedThrough, seenAtMs: this.#options.clock.wallMs() }
      await this.#options.memory.write(this.#memory)
    }
    if (!this.#isStopped) throw new Error('the server ended them')
  }

  #eventOf({ subject, data, seq, atMs }: Delivered, { waitingThrough }: Inflow): AlertEvent | undefined {
    const { clock, link, notice } = this.#options
    const waitedMs = clock.wallMs() - atMs - (this.#aheadMs ?? Infinity)
    const read = link.readEvent(subject, data)
    if (read.kind === 'read') return toAlertEvent(read.value, seq <= waitingThrough || waitedMs > lateAfterMs)
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
    this.#cancelLook = clock.after(lookEveryMs, () => void this.#look())
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

/** Keys are longer than ids may be. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 32)
}

/** The event in this seat's inbox. The same message gives the same id. */
function toAlertEvent({ key, about, watcher, event }: DeskEvent, isLate: boolean): AlertEvent {
  const isHeld = event.heldBackBy !== undefined
  const isQuiet = event.kind === 'confirmed'
  return {
    ...event,
    id: `desk-${digest(key)}`,
    // The inbox numbers it.
    number: 1,
    ...(about !== undefined && { aboutEventId: `desk-${digest(about)}` }),
    desk: { watcher, isLate },
    delivery: isHeld ? 'heldBack' : isQuiet ? 'none' : 'pending',
    isRead: false,
  }
}
