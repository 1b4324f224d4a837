import { maxSeers, readMessage, writeMessage, type DeskSeen } from '../../core/desk'
import { failure, ok, type Outcome } from '../../core/model'
import type { Clock } from '../base/clock'
import type { Log } from '../base/log'
import type { Bucket, Entry } from './link'

interface Options {
  clock: Clock
  log: Log
  bucket: Bucket
  /** The name of this seat's user. */
  by: string
  /** When this user saw events that the server does not know of yet, by the id of the event. */
  unsent: Map<string, number>
  onChanged: () => void
  /** Shows the user a sentence once. */
  notice: (message: string) => void
}

/** Older ones are forgotten here, so that a server cannot fill the memory. */
const maxKnown = 5_000
const retryMs = 10_000
/** Seats that write at the same time take turns. */
const maxTries = 8
const nothing: DeskSeen = { seen: [] }
const idForm = /^desk-[\w-]{1,64}$/

/**
 * Who has seen which event of the desk, and who has taken it for all. One entry for each event. Seats that write at once
 * see each other's revision and try again.
 */
export class SeenEvents {
  readonly #options: Options
  /** By the id of the event, the last changed one last. */
  readonly #known = new Map<string, DeskSeen & { revision: number }>()
  #isSending = false
  #cancelRetry: (() => void) | undefined
  #cancelTell: (() => void) | undefined
  #isStopped = false
  #stopFollowing: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Learns what is known, and tells what could not be told before. */
  async start(): Promise<void> {
    const following = await this.#options.bucket.follow('>', (entry) => this.#take(entry), 'all')
    if (following.ok) this.#stopFollowing = following.value
    else this.#options.notice(`Who has seen an alert of the desk is not known. ${following.problem.message}`)
    this.saw([])
  }

  stop(): void {
    this.#stopFollowing?.()
    this.#cancelRetry?.()
    this.#cancelTell?.()
    this.#isStopped = true
  }

  of(eventId: string): DeskSeen | undefined {
    return this.#known.get(eventId)
  }

  /** The events whose entries changed last, at most `count`. */
  newest(count: number): Record<string, DeskSeen> {
    const newest = [...this.#known].slice(-count)
    return Object.fromEntries(newest.map(([id, { seen, taken }]) => [id, { seen, ...(taken && { taken }) }]))
  }

  /** This user has seen these events. Told to the other seats now, or when the server answers again. */
  saw(eventIds: readonly string[]): void {
    const { clock, by, unsent } = this.#options
    for (const id of eventIds) if (!hasSeen(this.of(id), by) && !unsent.has(id)) unsent.set(id, clock.wallMs())
    if (!this.#isSending) void this.#send()
  }

  /** This user handles the event, unless somebody took it first. Resolves with who has taken it. */
  async take(eventId: string): Promise<Outcome<DeskSeen>> {
    const { clock, by } = this.#options
    const mark = { by, atMs: clock.wallMs() }
    return this.#change(eventId, (known) => known.taken === undefined && { ...withSeer(known, mark), taken: mark })
  }

  async #send(): Promise<void> {
    const { by, clock, log, unsent } = this.#options
    this.#isSending = true
    for (const [id, atMs] of unsent) {
      const sent = await this.#change(id, (known) => !hasSeen(known, by) && withSeer(known, { by, atMs }))
      if (this.#isStopped) return
      if (!sent.ok) {
        log.warn('The desk was not told what was seen', { problem: sent.problem.message })
        this.#cancelRetry = clock.after(retryMs, () => void this.#send())
        return
      }
      unsent.delete(id)
    }
    this.#isSending = false
  }

  /** Writes what `change` makes of the present entry. Resolves with the entry, also if `change` returned false. */
  async #change(id: string, change: (known: DeskSeen) => DeskSeen | false): Promise<Outcome<DeskSeen>> {
    const { bucket } = this.#options
    for (let tries = 0; tries < maxTries; tries++) {
      const known = this.#known.get(id)
      const next = change(known ?? nothing)
      if (next === false) return ok(known ?? nothing)
      const put = await bucket.put(id, writeMessage('seen', next), known?.revision)
      if (!put.ok) return put
      if (put.value !== undefined) {
        this.#keep(id, { ...next, revision: put.value })
        return ok(next)
      }
      const found = await bucket.get(id)
      if (!found.ok) return found
      if (found.value === undefined) this.#known.delete(id)
      else this.#take(found.value)
      if (found.value !== undefined && this.#known.get(id) === known) return ok(known ?? nothing)
    }
    return failure('unreachable', 'Too many seats changed this at once. Try again.')
  }

  /** An entry of a newer version is left alone. An unreadable one counts as empty. */
  #take({ key, value, isDeleted, revision }: Entry): void {
    const read = readMessage('seen', value)
    if (!idForm.test(key) || (read.kind === 'newer' && !isDeleted)) return
    this.#known.delete(key)
    if (!isDeleted) this.#keep(key, { ...(read.kind === 'read' ? read.value : nothing), revision })
  }

  #keep(id: string, entry: DeskSeen & { revision: number }): void {
    this.#known.delete(id)
    this.#known.set(id, entry)
    const [oldest] = this.#known.keys()
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest)
    // At the start thousands of entries arrive at once.
    this.#cancelTell ??= this.#options.clock.after(0, () => {
      this.#cancelTell = undefined
      this.#options.onChanged()
    })
  }
}

function hasSeen(known: DeskSeen | undefined, by: string): boolean {
  return known?.seen.some((each) => each.by === by) === true
}

function withSeer(known: DeskSeen, mark: DeskSeen['seen'][number]): DeskSeen {
  if (hasSeen(known, mark.by)) return known
  return { ...known, seen: [...known.seen, mark].slice(0, maxSeers) }
}
