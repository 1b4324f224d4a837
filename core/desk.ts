/**
 * The desk: alerts that two watchers judge for several seats. Its names, the keys of its events, and its messages, which
 * are read as untrusted text.
 */
import * as v from 'valibot'
import { eventSchema, firingKinds, type AlertEvent, type AlertEventKind } from './alert-events'
import { ruleSchema } from './alert-schema'
import type { AlertRule } from './alerts'
import type { SavedDesk } from './model'
import { deskAuthor, deskId, entrySchema, maxEntries, watchlistSchema } from './settings-schema'
import { isLoopback, timeSchema } from './shapes'

const nameForm = /^[a-z\d][a-z\d-]{0,31}$/
const nameWords = 'has small letters, digits and "-" only, at most 32, such as'

export const deskNameSchema = v.pipe(v.string(), v.regex(nameForm, `A desk's name ${nameWords} london.`))
export const watcherNameSchema = v.pipe(v.string(), v.regex(nameForm, `A watcher's name ${nameWords} watch-1.`))

/** The port of NATS. */
const defaultPort = 4222
const addressWords = 'Enter an address that begins with tls://, such as tls://desk.example:4222.'
export const deskAddressSchema = v.pipe(
  v.string(),
  v.maxLength(300, addressWords),
  v.check((text) => deskPeer(text) !== undefined, addressWords),
)

export const savedDeskSchema: v.GenericSchema<unknown, SavedDesk> = v.strictObject({
  address: deskAddressSchema,
  name: deskNameSchema,
  user: v.pipe(v.string(), v.maxLength(60, 'A user has at most 60 characters.')),
})

/** Where a desk's server answers. */
export interface DeskPeer {
  host: string
  port: number
  isSecure: boolean
}

/** Undefined for an address that is not accepted. Without TLS only addresses of this computer are accepted. */
export function deskPeer(address: string): DeskPeer | undefined {
  const [, scheme, rest = ''] = /^(tls|nats):\/\/([^/?#@]+)\/?$/.exec(address) ?? []
  // Other schemes than http are parsed without their host rules.
  if (scheme === undefined || !URL.canParse(`http://${rest}`)) return undefined
  const { hostname, port } = new URL(`http://${rest}`)
  const isSecure = scheme === 'tls'
  if (!isSecure && !isLoopback(hostname)) return undefined
  const isDefault = rest.endsWith(':80') ? 80 : defaultPort
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? isDefault : Number(port), isSecure }
}

/** The kinds that a watcher publishes. Snoozes, gaps and changes of source are its own. */
const publishedKinds: ReadonlySet<AlertEventKind> = new Set([
  ...firingKinds,
  'retracted',
  'confirmed',
  'cooldownOver',
  'recovered',
  'expiresSoon',
  'expired',
  'suspended',
  'cannotFire',
] satisfies AlertEventKind[])

/** The rule's own limits. Snoozes, mutes and hours are each seat's. */
const rulesOwnReasons: ReadonlySet<AlertEvent['heldBackBy']> = new Set(['cooldown', 'dailyLimit', 'suspended'] as const)

type Keyed = Pick<AlertEvent, 'ruleId' | 'ruleVersion' | 'kind' | 'inputs'>

/**
 * The key of an event: rule id, version, published time, direction and kind. Two watchers give the same event the same
 * key. `lateFromHistory` counts as `fired`, because only one of them may have been connected. `about` is the key of the event
 * that this one retracts or confirms, and its key begins with that.
 */
function eventKey({ ruleId, ruleVersion, kind, inputs }: Keyed, about?: string): string {
  if (about !== undefined) return `${about}.${kind}`
  const { publishedAtMs, dueMs, silentSinceMs, direction = 'none' } = inputs
  const atMs = publishedAtMs ?? dueMs ?? silentSinceMs ?? 0
  return [ruleId, ruleVersion, atMs, direction, kind === 'lateFromHistory' ? 'fired' : kind].join('.')
}

/** The beginning of the keys of all events of one version of a rule. */
export function keysOf({ id, version }: Pick<AlertRule, 'id' | 'version'>): string {
  return `${id}.${version}`
}

/** Version of the messages. */
const schema = 1
const keySchema = v.pipe(v.string(), v.maxLength(200), v.regex(/^[\w-]+\.\d+\.\d+\.(?:up|down|none)(?:\.[a-zA-Z]+)+$/))

const told = eventSchema.entries
const eventMessageSchema = v.object({
  key: keySchema,
  about: v.exactOptional(keySchema),
  watcher: watcherNameSchema,
  event: v.object({
    kind: v.pipe(
      told.kind,
      v.check((kind) => publishedKinds.has(kind)),
    ),
    ruleId: deskId,
    ruleVersion: told.ruleVersion,
    indexId: told.indexId,
    connection: told.connection,
    isDemo: told.isDemo,
    terms: told.terms,
    hours: told.hours,
    severity: told.severity,
    note: told.note,
    recordedAtMs: told.recordedAtMs,
    inputs: told.inputs,
    heldBackBy: v.exactOptional(v.picklist(['cooldown', 'dailyLimit', 'suspended'])),
    heldBackCount: told.heldBackCount,
    untilMs: v.exactOptional(timeSchema),
    reason: told.reason,
  }),
})
export type DeskEvent = v.InferOutput<typeof eventMessageSchema>

const ruleMessageSchema = v.object({
  rule: v.pipe(
    ruleSchema,
    v.check(({ id }) => v.is(deskId, id)),
    // A watcher posts nothing to an address that somebody else chose.
    v.transform((rule): AlertRule => withDefined({ ...rule, webhookUrl: undefined }) as AlertRule),
  ),
  /** Who put it there. */
  ...deskAuthor,
})
export type DeskRule = v.InferOutput<typeof ruleMessageSchema>

const listMessageSchema = v.object({
  list: v.pipe(
    v.object({
      ...v.pick(watchlistSchema, ['name', 'sections', 'columns']).entries,
      entries: v.pipe(v.array(entrySchema), v.maxLength(maxEntries)),
    }),
    v.check(({ entries, sections = [] }) => {
      return new Set([...entries, ...sections].map(({ id }) => id)).size === entries.length + sections.length
    }),
  ),
  /** Who changed it last. */
  ...deskAuthor,
})
export type DeskList = v.InferOutput<typeof listMessageSchema>

const leaseSchema = v.object({ watcher: watcherNameSchema, sinceMs: timeSchema })

const watcherSchema = v.object({
  /** The hosts that it takes values from. */
  hosts: v.pipe(v.array(v.pipe(v.string(), v.maxLength(300))), v.maxLength(50)),
  /** All its connections deliver values. */
  isLive: v.boolean(),
  /** Number of its events that are not in the stream. */
  unpublished: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
})
/** What a watcher says of itself while it runs. */
export type WatcherState = v.InferOutput<typeof watcherSchema>

const markSchema = v.object({
  /** The name of a seat's user, as that seat says. */
  by: v.pipe(v.string(), v.minLength(1), v.maxLength(60)),
  /** By that computer's clock. */
  atMs: timeSchema,
})
/** At most this many users are named in an event. Later ones are left out. */
export const maxSeers = 20
const seenSchema = v.object({
  /** Who has seen an event, the first one first. */
  seen: v.pipe(v.array(markSchema), v.maxLength(maxSeers)),
  /** Who handles it for all. */
  taken: v.exactOptional(markSchema),
})
export type DeskSeen = v.InferOutput<typeof seenSchema>

const messages = {
  seen: seenSchema,
  event: eventMessageSchema,
  rule: ruleMessageSchema,
  list: listMessageSchema,
  lease: leaseSchema,
  watcher: watcherSchema,
}
type Message<K extends keyof typeof messages> = v.InferOutput<(typeof messages)[K]>

export type Read<T> = { kind: 'read'; value: T } | { kind: 'newer' } | { kind: 'unreadable' }

/** Reads a message. `value` is parsed JSON without control characters. Unknown fields are dropped. */
export function readMessage<K extends keyof typeof messages>(kind: K, value: unknown): Read<Message<K>> {
  const frame = v.safeParse(v.object({ schema: v.pipe(v.number(), v.integer(), v.minValue(1)) }), value)
  if (!frame.success) return { kind: 'unreadable' }
  if (frame.output.schema > schema) return { kind: 'newer' }
  const read = v.safeParse(messages[kind], value)
  return read.success ? { kind: 'read', value: read.output } : { kind: 'unreadable' }
}

export function writeMessage<K extends keyof typeof messages>(_kind: K, value: Message<K>): string {
  return JSON.stringify({ schema, ...value })
}

/** The message of an event. `about` is the event that this one retracts or confirms. Undefined if it is the watcher's own. */
export function toDeskEvent(event: AlertEvent, watcher: string, about?: AlertEvent): DeskEvent | undefined {
  if (!publishedKinds.has(event.kind) || (event.aboutEventId !== undefined && about === undefined)) return undefined
  const { kind, ruleId, ruleVersion, indexId, connection, isDemo, terms, hours, severity, note } = event
  const { recordedAtMs, inputs, heldBackBy, heldBackCount, untilMs, reason } = event
  const aboutKey = about && eventKey(about)
  return {
    key: eventKey(event, aboutKey),
    ...(aboutKey !== undefined && { about: aboutKey }),
    watcher,
    event: {
      ...{ kind, ruleId, ruleVersion, indexId, terms, severity, recordedAtMs, inputs },
      ...withDefined({ connection, isDemo, hours, note, heldBackCount, reason, untilMs: untilMs ?? undefined }),
      ...(isRulesOwn(heldBackBy) && { heldBackBy }),
    },
  }
}

function isRulesOwn(by: AlertEvent['heldBackBy']): by is DeskEvent['event']['heldBackBy'] & string {
  return rulesOwnReasons.has(by)
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
function withDefined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}

/** True if the message was stored under its key, and its key is that of its event. */
export function hasItsKey({ key, about, event }: DeskEvent, storedAs: string): boolean {
  return key === storedAs && key === eventKey(event, about) && key.startsWith(`${event.ruleId}.`)
}

/**
 * True if a watcher should leave the lease to another one: it gets no values and the other does. While no watcher gets
 * any, one of them leads anyway, because alerts on silence fire then.
 */
export function yields(self: Pick<WatcherState, 'isLive'>, others: readonly Pick<WatcherState, 'isLive'>[]): boolean {
  return !self.isLive && others.some(({ isLive }) => isLive)
}

/**
 * The own firing that is the same crossing as `published`, which the other watcher published. `own` are the unpublished
 * ones, oldest first. Returns the one with the same key. Without one, the other watcher missed values, and its crossing
 * is the first of those that it missed.
 */
export function ownCrossing(published: DeskEvent, own: readonly DeskEvent[]): DeskEvent | undefined {
  const same = own.filter((each) => isSameCrossing(each.event, published.event))
  return same.find(({ key }) => key === published.key) ?? same[0]
}

/** True if an event confirms that a firing was true at the time that its key has. */
export function saysItsTime(about: string, { kind, inputs }: DeskEvent['event']): boolean {
  return kind === 'confirmed' && timeOf(about) === inputs.publishedAtMs
}

function timeOf(key: string): number {
  return Number(key.split('.')[2])
}

/**
 * Of the keys of one rule's firings, those that can be the same crossing as this one: between its previous value and its
 * own, and the next one.
 */
export function keysAround({ inputs }: DeskEvent['event'], keys: readonly string[]): string[] {
  const { previous, publishedAtMs = 0 } = inputs
  const later = keys
    .filter((key) => timeOf(key) > (previous?.publishedAtMs ?? 0))
    .toSorted((one, other) => timeOf(one) - timeOf(other))
  const next = later.findIndex((key) => timeOf(key) > publishedAtMs)
  return next === -1 ? later : later.slice(0, next + 1)
}

/**
 * True if two firings can be the same crossing. Each crossed after its previous value, and between two crossings of one
 * direction is a value on the other side.
 */
function isSameCrossing(one: DeskEvent['event'], other: DeskEvent['event']): boolean {
  const [a, b] = [one.inputs, other.inputs]
  if (one.ruleId !== other.ruleId || one.ruleVersion !== other.ruleVersion || a.direction !== b.direction) return false
  if (!firingKinds.includes(one.kind) || a.previous === undefined || b.previous === undefined) return false
  const untilMs = Math.min(a.publishedAtMs ?? 0, b.publishedAtMs ?? 0)
  return Math.max(a.previous.publishedAtMs, b.previous.publishedAtMs) < untilMs
}

/** Puts an event about a firing under the key of what was published in its place. `placeOf` has both, by key. */
export function aboutPublished(message: DeskEvent, placeOf: ReadonlyMap<string, string>): DeskEvent {
  const about = placeOf.get(message.about ?? '')
  return about === undefined ? message : { ...message, about, key: eventKey(message.event, about) }
}

/** True if a rule that fires once has fired: `last` is the last event of its version in the stream. */
export function isSpent({ repeat }: AlertRule, last: DeskEvent | undefined): boolean {
  return repeat.mode === 'once' && last !== undefined && firingKinds.includes(last.event.kind)
}
