/** The connection to a desk's server. The only file that speaks NATS. */
import { randomUUID } from 'node:crypto'
import {
  jetstream,
  jetstreamManager,
  type ConsumerMessages,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream'
import { Kvm, type KV, type KvEntry } from '@nats-io/kv'
import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import { deskPeer, type DeskEvent, type DeskPeer, readMessage, writeMessage, hasItsKey } from '../../core/desk'
import { failure, ok, type Outcome } from '../../core/model'
import { parseJson, sanitizeText, isRecord } from '../base/sanitize'
import { problemOf } from './faults'

export interface DeskAccess {
  /** `tls://host:port`, or `nats://` for this computer. */
  address: string
  /** Name of the desk. */
  name: string
  /** Undefined for a server without sign-in. */
  signIn?: SignIn | undefined
  /** PEM certificates trusted instead of the usual ones. For tests. */
  ca?: string
}
/** A user with a password, or the text of a credentials file. */
export type SignIn = { user: string; password: string } | { credentials: string }

const secondNs = 1_000_000_000
const daySeconds = 86_400
/** Events stay this long. */
export const keepDays = 90
const duplicateWindowSeconds = 3_600
const maxMessageBytes = 64 * 1024
/** A lease that is not refreshed ends after this time. */
export const leaseMs = 10_000
const requestMs = 4_000
/** Digits of a published value may be longer than other texts. */
const maxTextLength = 2_000

export interface StreamState {
  /** When the stream was begun, by the server's clock. */
  begunAtMs: number
  /** Number of its oldest message. */
  firstSeq: number
  /** Number of its newest message. */
  lastSeq: number
  /** When its newest message was published, by the server's clock. */
  lastAtMs: number
}

export type Published =
  /** It is in the stream, with this number. */
  | { kind: 'stored'; seq: number }
  /** Another watcher has published since. */
  | { kind: 'outOfTurn' }

export class DeskLink {
  readonly desk: string
  readonly #connection: NatsConnection
  readonly #peer: DeskPeer
  readonly #manager: JetStreamManager
  readonly #streams: JetStreamClient
  readonly #buckets: Kvm
  #isConnected = true

  private constructor(desk: string, peer: DeskPeer, connection: NatsConnection, manager: JetStreamManager) {
    this.desk = desk
    this.#peer = peer
    this.#connection = connection
    this.#manager = manager
    this.#streams = jetstream(connection, { timeout: requestMs })
    this.#buckets = new Kvm(this.#streams)
    void this.#followConnection()
  }

  /** False while the server cannot be reached. What is sent then would arrive later. */
  get isConnected(): boolean {
    return this.#isConnected
  }

  async #followConnection(): Promise<void> {
    for await (const { type } of this.#connection.status())
      if (type === 'disconnect' || type === 'reconnect') this.#isConnected = type === 'reconnect'
  }

  /** Connects and signs in. It then reconnects by itself until it is closed. `who` is shown by the server's tools. */
  static async open({ address, name, signIn, ca }: DeskAccess, who: string): Promise<Outcome<DeskLink>> {
    const peer = deskPeer(address)
    if (peer === undefined) return failure('badAddress', 'The address of the desk is not valid.')
    let connection: NatsConnection | undefined
    try {
      connection = await connect({
        servers: peer.host.includes(':') ? `[${peer.host}]:${peer.port}` : `${peer.host}:${peer.port}`,
        name: `Indexwatch ${who}`,
        // With an object the client refuses a server that offers no TLS before it sends anything.
        tls: peer.isSecure ? { ...(ca !== undefined && { ca }) } : null,
        ...(signIn !== undefined &&
          ('user' in signIn
            ? { user: signIn.user, pass: signIn.password }
            : { authenticator: credsAuthenticator(new TextEncoder().encode(signIn.credentials)) })),
        timeout: requestMs,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 1_000,
        pingInterval: 10_000,
        maxPingOut: 2,
        // A message that could not be sent in time is sent again by its owner, or not at all.
        ignoreAuthErrorAbort: true,
      })
      const manager = await jetstreamManager(connection, { timeout: requestMs })
      return ok(new DeskLink(name, peer, connection, manager))
    } catch (error) {
      await connection?.close()
      return { ok: false, problem: problemOf(error, peer.host) }
    }
  }

  async close(): Promise<void> {
    await this.#connection.close()
  }

  // The stream of events.

  get #stream(): string {
    return `DESK_${this.desk}`
  }

  get #eventSubject(): string {
    return `desk.${this.desk}.event`
  }

  /** Problem `streamMissing`. */
  stream(): Promise<Outcome<StreamState>> {
    return this.#ask(async () => {
      const { created, state } = await this.#manager.streams.info(this.#stream)
      const { first_seq: firstSeq, last_seq: lastSeq, last_ts } = state
      return { begunAtMs: new Date(created).getTime(), firstSeq, lastSeq, lastAtMs: new Date(last_ts).getTime() }
    })
  }

  /** Makes the stream and the buckets that are missing. */
  begin(): Promise<Outcome<{ begunAtMs: number }>> {
    return this.#ask(async () => {
      const replicas = this.#connection.info?.cluster === undefined ? 1 : 3
      const limits = { replicas, timeout: requestMs }
      await this.#buckets.create(this.#bucket, { ...limits, history: 1, maxValueSize: 4 * maxMessageBytes })
      const seen = { ...limits, history: 1, ttl: keepDays * daySeconds * 1_000, maxValueSize: maxMessageBytes }
      await this.#buckets.create(this.#seenBucket, seen)
      await this.#buckets.create(this.#leaseBucket, { ...limits, history: 1, ttl: leaseMs })
      const { created } = await this.#manager.streams.add({
        name: this.#stream,
        subjects: [`${this.#eventSubject}.>`, `desk.${this.desk}.lead`],
        max_age: keepDays * daySeconds * secondNs,
        duplicate_window: duplicateWindowSeconds * secondNs,
        max_msg_size: maxMessageBytes,
        num_replicas: replicas,
        // An older message is lost only by age.
        discard: 'new',
      })
      return { begunAtMs: new Date(created).getTime() }
    })
  }

  /** Tells the stream that this watcher leads from now on. Returns the number of that message. */
  lead(watcher: string): Promise<Outcome<number>> {
    return this.#ask(async () => (await this.#streams.publish(`desk.${this.desk}.lead`, watcher)).seq)
  }

  /**
   * Publishes an event once: the stream drops a message whose key it has, within an hour by its id, and later by its
   * subject. It takes the message only if `lastSeq` is its newest, so a watcher that was overtaken publishes nothing.
   */
  publish(message: DeskEvent, lastSeq: number): Promise<Outcome<Published>> {
    const { key } = message
    const subject = `${this.#eventSubject}.${key}`
    return this.#ask(async () => {
      try {
        const expect = { lastSequence: lastSeq, lastSubjectSequence: 0 }
        const { seq } = await this.#streams.publish(subject, writeMessage('event', message), { msgID: key, expect })
        return { kind: 'stored', seq }
      } catch (error) {
        if (!isWrongSequence(error)) throw error
        const found = await this.#manager.streams.getMessage(this.#stream, { last_by_subj: subject })
        return found === null ? { kind: 'outOfTurn' } : { kind: 'stored', seq: found.seq }
      }
    })
  }

  /** The last event whose key begins so, or has this key. Undefined if there is none or it cannot be read. */
  lastEvent(keys: string, isWhole: boolean): Promise<Outcome<{ message: DeskEvent | undefined } | undefined>> {
    const subject = `${this.#eventSubject}.${keys}${isWhole ? '' : '.>'}`
    return this.#ask(async () => {
      const found = await this.#manager.streams.getMessage(this.#stream, { last_by_subj: subject })
      if (found === null) return undefined
      const read = this.readEvent(found.subject, found.data)
      return { message: read.kind === 'read' ? read.value : undefined }
    })
  }

  /** The keys of the events whose keys match. May be many. */
  keys(keys: string): Promise<Outcome<string[]>> {
    const before = `${this.#eventSubject}.`
    return this.#ask(async () => {
      const { state } = await this.#manager.streams.info(this.#stream, { subjects_filter: before + keys })
      return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(before.length))
    })
  }

  readEvent(subject: string, data: Uint8Array): ReturnType<typeof readMessage<'event'>> {
    const read = readMessage('event', readJson(data))
    if (read.kind !== 'read') return read
    return hasItsKey(read.value, subject.slice(this.#eventSubject.length + 1)) ? read : { kind: 'unreadable' }
  }

  /** When the message with this number was published. Undefined if the stream has none. */
  publishedAtMs(seq: number): Promise<Outcome<number | undefined>> {
    return this.#ask(async () => (await this.#manager.streams.getMessage(this.#stream, { seq }))?.time.getTime())
  }

  /**
   * The events after this number, or since this time by the server's clock, in the order of the stream. They end when the
   * connection was lost, the server stopped delivering, or the stream was deleted. Some that were sent may not have
   * arrived, so begin again after the last one.
   */
  receive(from: { after: number } | { sinceMs: number }): Promise<Outcome<Inflow>> {
    return this.#ask(async () => {
      const consumer = await this.#streams.consumers.get(this.#stream, {
        name_prefix: `${seatPrefix}${randomUUID()}`,
        filter_subjects: `${this.#eventSubject}.>`,
        ...('after' in from
          ? { opt_start_seq: from.after + 1 }
          : { opt_start_time: new Date(from.sinceMs).toISOString() }),
        inactive_threshold: 60_000,
      })
      const messages = await consumer.consume({
        max_messages: maxBatch,
        idle_heartbeat: heartbeatMs,
        abort_on_missing_resource: true,
      })
      void stopAt('reconnect', this.#connection.status(), messages)
      // The client would wait for a lost node of a cluster to return.
      void stopAt('heartbeats_missed', messages.status(), messages)
      return { batches: () => inBatches(messages), stop: () => messages.stop() }
    })
  }

  /** The number of seats whose connection waits for events. */
  seatCount(): Promise<Outcome<number>> {
    return this.#ask(async () => {
      let count = 0
      for await (const { name, num_waiting } of this.#manager.consumers.list(this.#stream))
        if (name.startsWith(seatPrefix) && num_waiting > 0) count++
      return count
    })
  }

  // Rules, lists, lease.

  get #bucket(): string {
    return `desk_${this.desk}`
  }

  get #leaseBucket(): string {
    return `${this.#bucket}_lease`
  }

  get #seenBucket(): string {
    return `${this.#bucket}_seen`
  }

  /** The bucket of rules and lists. */
  kept(): Bucket {
    return this.#opened(this.#bucket)
  }

  /** The bucket of who has seen which event. Entries stay as long as events. */
  seen(): Bucket {
    return this.#opened(this.#seenBucket)
  }

  /** The bucket whose entries end ten seconds after they were written: the lease and what watchers say of themselves. */
  lasting(): Bucket {
    return this.#opened(this.#leaseBucket)
  }

  #opened(bucket: string): Bucket {
    return new Bucket(
      () => this.#buckets.open(bucket),
      (run) => this.#ask(run),
    )
  }

  async #ask<T>(run: () => Promise<T>): Promise<Outcome<T>> {
    try {
      return ok(await run())
    } catch (error) {
      return { ok: false, problem: problemOf(error, this.#peer.host) }
    }
  }
}

/** A message of the stream. */
export interface Delivered {
  subject: string
  data: Uint8Array
  seq: number
  /** When it was published, by the server's clock. */
  atMs: number
}

export interface Inflow {
  batches: () => AsyncGenerator<Delivered[]>
  stop: () => void
}

const seatPrefix = 'seat-'
/** Messages that wait on the server are stored together. */
const maxBatch = 100
/** How often the server sends a heartbeat. Two in a row may be missing. */
const heartbeatMs = 5_000

async function* inBatches(messages: ConsumerMessages): AsyncGenerator<Delivered[]> {
  let batch: Delivered[] = []
  for await (const { subject, data, seq, info, time } of messages) {
    batch.push({ subject, data, seq, atMs: time.getTime() })
    if (info.pending > 0 && batch.length < maxBatch) continue
    yield batch
    batch = []
  }
}

async function stopAt(
  type: string,
  statuses: AsyncIterable<{ type: string }>,
  messages: ConsumerMessages,
): Promise<void> {
  for await (const status of statuses) if (status.type === type) break
  messages.stop()
}

/** An entry of a bucket. */
export interface Entry {
  key: string
  /** Parsed and cleaned. Undefined for a deleted entry, or one that is not JSON. */
  value: unknown
  isDeleted: boolean
  revision: number
  /** When it was written, by the server's clock. */
  atMs: number
}

/** Keys with JSON values and revisions. */
export class Bucket {
  readonly #open: () => Promise<KV>
  readonly #ask: <T>(run: () => Promise<T>) => Promise<Outcome<T>>
  #opened: Promise<KV> | undefined

  constructor(open: () => Promise<KV>, ask: <T>(run: () => Promise<T>) => Promise<Outcome<T>>) {
    this.#open = open
    this.#ask = ask
  }

  /** When the bucket was made, by the server's clock. Problem `streamMissing`. */
  begunAtMs(): Promise<Outcome<number>> {
    return this.#ask(async () => new Date((await (await this.#kv()).status()).streamInfo.created).getTime())
  }

  get(key: string): Promise<Outcome<Entry | undefined>> {
    return this.#ask(async () => {
      const found = await (await this.#kv()).get(key)
      return found?.operation === 'PUT' ? toEntry(found) : undefined
    })
  }

  /** Replaces the entry at this revision, or makes a new one. Undefined if somebody else has written it. */
  put(key: string, text: string, revision?: number): Promise<Outcome<number | undefined>> {
    return this.#ask(async () => {
      const kv = await this.#kv()
      try {
        return await (revision === undefined ? kv.create(key, text) : kv.update(key, text, revision))
      } catch (error) {
        if (isWrongSequence(error)) return undefined
        throw error
      }
    })
  }

  /** Deletes the entry at this revision. False if somebody else has written it. */
  remove(key: string, revision: number): Promise<Outcome<boolean>> {
    return this.#ask(async () => {
      try {
        await (await this.#kv()).delete(key, { previousSeq: revision })
        return true
      } catch (error) {
        if (isWrongSequence(error)) return false
        throw error
      }
    })
  }

  all(keys: string): Promise<Outcome<Entry[]>> {
    return this.#ask(async () => {
      const kv = await this.#kv()
      const entries: Entry[] = []
      for await (const key of await kv.keys(keys)) {
        const found = await kv.get(key)
        if (found?.operation === 'PUT') entries.push(toEntry(found))
      }
      return entries
    })
  }

  /** Calls back with each change from now on, or with `all` entries first. Resolves with the function that ends it. */
  follow(keys: string, changed: (entry: Entry) => void, first?: 'all'): Promise<Outcome<() => void>> {
    return this.#ask(async () => {
      const include = first === 'all' ? '' : 'updates'
      const updates = await (await this.#kv()).watch({ key: keys, include })
      void (async () => {
        for await (const entry of updates) changed(toEntry(entry))
      })().catch(() => undefined)
      return () => updates.stop()
    })
  }

  #kv(): Promise<KV> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = undefined
      throw error
    })
    return this.#opened
  }
}

function toEntry({ key, value, operation, revision, created }: KvEntry): Entry {
  const isDeleted = operation !== 'PUT'
  return { key, value: isDeleted ? undefined : readJson(value), isDeleted, revision, atMs: created.getTime() }
}

/** JSON from the server, with every text fit for the screen. Undefined if it is none, too long or nested too deep. */
function readJson(data: Uint8Array): unknown {
  if (data.byteLength > 4 * maxMessageBytes) return undefined
  return cleaned(parseJson(new TextDecoder().decode(data)))
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return sanitizeText(value, maxTextLength)
  if (Array.isArray(value)) return value.map(cleaned)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleaned(each)]))
}

/** The stream or the entry is not at the expected number. */
function isWrongSequence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 10071
}
