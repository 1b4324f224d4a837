/**
 * The words of the domain, used on both sides of every boundary.
 * Times are milliseconds since the Unix epoch and end in `Ms`; published values are decimal strings and stay strings.
 */
import type { ChangeBase, Preferences } from './preferences'
import type { ProblemCode } from './problems'

/** A stream ID of the service (spec 1), which identifies an index, or the definition of a formula over two (`formula.ts`). */
export type IndexId = string

/** A decimal exactly as published; see `decimal.ts` for what is read and how it is shown. */
export type DecimalText = string

/** How often an index publishes (spec 2.7; wider than the three observed there: wire facts 1.2). */
export const resolutions = ['PER_200MS', 'PER_SECOND', 'PER_MINUTE', 'PER_HOUR', 'DAILY', 'BUSINESS_DAYS'] as const
export type Resolution = (typeof resolutions)[number]

/** What a subscription may ask for (spec 2.1). */
export const requestedResolutions = ['PER_SECOND', 'PER_200MS'] as const
export type RequestedResolution = (typeof requestedResolutions)[number]

/** Channels of the service that the app uses (spec 2.1, 2.2, 4.1; `rti_stats` from wire facts 1.3). */
export const streams = ['value', 'constituents', 'active_corporate_action', 'rti_stats'] as const
export type Stream = (typeof streams)[number]

/** One thing to be subscribed to. `maxResolution` means something on the `value` stream alone. */
export interface Subscription {
  stream: Stream
  id: IndexId
  maxResolution?: RequestedResolution
}

/** Where a value came from. A cached value is never alert-eligible. */
export type QuoteSource = 'stream' | 'rest' | 'cache'

/** One published value of an index (spec 2.4). */
export interface Publication {
  value: DecimalText
  /** Calculation time. */
  publishedAtMs: number
  /** Time of the amendment; present only on a value that was amended after being published. */
  amendedAtMs?: number
  /** The previous day's value stands in for a failed calculation (spec 2.4). */
  isRepeatOfPrevious?: true
  /** Of the latest value of a formula: the time of its older part, where that lies before. It is the time that is shown. */
  olderPartMs?: number
}

/** The latest value of an index as the app knows it. */
export interface Quote extends Publication {
  id: IndexId
  source: QuoteSource
  /** A value of the last ten minutes was a hundred times the one before it, or less than a hundredth. */
  jump?: { from: DecimalText; publishedAtMs: number }
}

/** Share of one exchange in a constituent's price (spec 2.5). */
export interface ExchangeWeight {
  exchange: string
  weightPercent: DecimalText
}

/** One constituent of an index (spec 2.5). Weights are as published, never normalised. */
export interface Constituent {
  constituent: string
  value: DecimalText
  weightPercent: DecimalText
  /** Exchange-family indices alone. */
  exchanges?: ExchangeWeight[]
}

/** One calculation of an index with its constituents (spec 2.5). */
export interface ConstituentsPublication extends Publication {
  /** Exchange-family indices alone. */
  divisor?: DecimalText
  constituents: Constituent[]
}

/** Market conditions of a real-time index (wire facts 1.3); the parts are there where the index has them. */
export interface MarketConditions extends Publication {
  utilizedDepth?: DecimalText
  valueAsk?: DecimalText
  valueBid?: DecimalText
  midPrice?: DecimalText
}

/** A field of the service as it came: its name and its value as text. */
export interface Fact {
  name: string
  text: string
}

/** The active corporate action of a tokenized equity: every field as it came (spec 4.1). */
export interface CorporateAction {
  publishedAtMs: number
  facts: Fact[]
}

/** Reference data in full (spec 4.2 `indices/{id}/detail`): what we know by name, and every other field as it came. */
export interface IndexDetail extends IndexInfo {
  facts: Fact[]
}

/** Latest value and the values of the last 24 hours, oldest first (wire facts 2.2 `summary`). */
export interface IndexSummary extends Publication {
  last24Hours: Publication[]
}

/** What changes are counted from. `previousPublished` stands in for an index that publishes daily or more seldom. */
export interface ChangeReference {
  kind: ChangeBase | 'previousPublished'
  value: DecimalText
  publishedAtMs: number
}

/** Reference data of an index (spec 2.7, wire facts 2.2). `base` and `quote` are absent when the index has none. */
export interface IndexInfo {
  id: IndexId
  /** Absent when only the stream list of the service is known. */
  name?: string
  maxResolution: Resolution
  decimals?: number
  base?: string
  quote?: string
}

/** The connection as the user sees it. `isDemo` says that the embedded demo service answers. */
export interface ConnectionStatus {
  state: ConnectionState
  /** Name of the connection: "Demo", "Environment" or the user's own. */
  name: string
  isDemo: boolean
  /** One plain sentence on what is wrong and what to do; absent while all is well. */
  problem?: string
  /** When the next attempt starts, as time from now; absent when none is planned. */
  retryInMs?: number
  /** Streams subscribed on the present connection. */
  streamCount: number
  /** Messages that could not be read, while they keep coming; absent else. */
  unreadableCount?: number
}

/**
 * `connecting` first attempt · `live` · `reconnecting` was live in this run, trying again
 * · `offline` not yet live in this run, trying again · `notAuthorised` refused, waits for the user.
 */
export type ConnectionState = 'connecting' | 'live' | 'reconnecting' | 'offline' | 'notAuthorised'

/** One row of a watchlist. */
export interface WatchlistEntry {
  id: IndexId
  /** `PER_SECOND` unless the user asked for every tick. */
  maxResolution: RequestedResolution
}

/** Columns of a watchlist that can be hidden and put in order; the index itself always comes first. */
export const listColumns = [
  'name',
  'value',
  'change',
  'percent',
  'trend',
  'range',
  'published',
  'age',
  'resolution',
  'flags',
] as const
export type ListColumn = (typeof listColumns)[number]

/** What a list is sorted by; without one it stands in the user's own order. */
export interface ListSort {
  column: 'index' | ListColumn
  isDescending: boolean
}

/** A named list in the user's own order. */
export interface Watchlist {
  id: string
  name: string
  entries: WatchlistEntry[]
  /** Absent: the own order. */
  sort?: ListSort
  /** In order; absent: all but `resolution`, as they stand in `listColumns`. */
  columns?: ListColumn[]
}

/** How a key is sent: in a header, or as subprotocols (wire facts 1.1). */
export const authForms = ['basic', 'subprotocol'] as const
export type AuthForm = (typeof authForms)[number]

/** Simulated values of the demo service never stand in for real ones, nor the other way round. */
export type ServiceKind = 'demo' | 'real'

/** How to reach a service, without its secret. */
export interface ConnectionProfile {
  /** Ours; the secret in the keyring belongs to it. */
  id: string
  name: string
  auth: AuthForm
  /** A connection that is turned off keeps its key. */
  isEnabled: boolean
  webSocketUrl: string
  restUrl?: string
  /** Where the service's assistant tools answer (spec 4.3). */
  mcpUrl?: string
  keyId: string
}

/** What the user chose; kept over restarts. The key's secret is not part of it. */
export interface Settings extends Preferences {
  watchlists: Watchlist[]
  /** Indices shown in the tray, in order; while there are none the first list is. */
  pinnedIds: IndexId[]
  /** The user's own connections; the demo service is used while none is turned on. */
  profiles: ConnectionProfile[]
}

/** An error at a boundary: `code` for programs, `message` for people, saying what to do. */
export interface Problem {
  code: ProblemCode
  message: string
  /** Of `badArguments`: the name of the field that was refused, where it has one. */
  field?: string
}

export interface Failure {
  ok: false
  problem: Problem
}

export type Outcome<T> = { ok: true; value: T } | Failure

/** An outcome that is a problem; `message` says what to do. */
export function failure(code: ProblemCode, message: string): Failure {
  return { ok: false, problem: { code, message } }
}

export function ok<T>(value: T): { ok: true; value: T } {
  return { ok: true, value }
}

/** What was asked for is done, and there is nothing more to say of it. */
export const done: Outcome<null> = ok(null)
