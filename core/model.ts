/**
 * Types of the domain, used by all processes. Times are milliseconds since 1970 and end in `Ms`. Published values are
 * decimal strings and stay strings.
 */
import type { ChangeBase, Preferences } from './preferences'
import type { ProblemCode } from './problems'
import type { WebhookServiceName } from './webhook-services'

/** The service's id of an index (protocol, 1), or the definition of a formula (`formula-id.ts`). */
export type IndexId = string

/** A decimal exactly as published. See `decimal.ts` for which are accepted and how they are shown. */
export type DecimalText = string

/** How often an index publishes (protocol, 2.7). */
export const resolutions = ['PER_200MS', 'PER_SECOND', 'PER_MINUTE', 'PER_HOUR', 'DAILY', 'BUSINESS_DAYS'] as const
export type Resolution = (typeof resolutions)[number]

/** What a subscription may ask for (protocol, 2.1). */
export const requestedResolutions = ['PER_SECOND', 'PER_200MS'] as const
export type RequestedResolution = (typeof requestedResolutions)[number]

/** Channels of the service that the app uses (protocol, 2.1, 2.2, 2.8, 2.9). */
export const streams = ['value', 'constituents', 'active_corporate_action', 'rti_stats'] as const
export type Stream = (typeof streams)[number]

/** One subscription. `maxResolution` applies only to the stream `value`. */
export interface Subscription {
  stream: Stream
  id: IndexId
  maxResolution?: RequestedResolution
}

/** Where a value came from. A cached value never fires an alert. */
export type QuoteSource = 'stream' | 'rest' | 'cache'

/** One published value of an index (protocol, 2.4). */
export interface Publication {
  value: DecimalText
  /** Calculation time. */
  publishedAtMs: number
  /** Time of the amendment; present only on a value that was amended after being published. */
  amendedAtMs?: number
  /** The calculation failed, and this is the value of the previous day (protocol, 2.4). */
  isRepeatOfPrevious?: true
  /** For the latest value of a formula: the time of its older part, if that is earlier. This time is shown. */
  olderPartMs?: number
  /** For a mean: how many values of its window are missing, if any are. */
  missing?: number
  /** For the latest value of a mean: how many values of its window are carried forward, if any are. */
  carried?: number
  /**
   * A mean whose window has not filled yet since the start or an outage. It is shown, but neither kept nor judged. Once
   * the window has passed, the mean counts even if values are missing.
   */
  isFilling?: true
}

/** The latest value of an index as the app knows it. */
export interface Quote extends Publication {
  id: IndexId
  source: QuoteSource
  /**
   * Set if a value within the last ten minutes was more than a hundred times the previous one, or less than a
   * hundredth.
   */
  jump?: { from: DecimalText; publishedAtMs: number }
}

/** The share of one exchange in a constituent's price (protocol, 2.5). */
export interface ExchangeWeight {
  exchange: string
  weightPercent: DecimalText
}

/** One constituent of an index (protocol, 2.5). Weights are as published, never normalised. */
export interface Constituent {
  constituent: string
  value: DecimalText
  weightPercent: DecimalText
  /** Only for exchange-family indices. */
  exchanges?: ExchangeWeight[]
}

/** One calculation of an index with its constituents (protocol, 2.5). */
export interface ConstituentsPublication extends Publication {
  /** Only for exchange-family indices. */
  divisor?: DecimalText
  constituents: Constituent[]
}

/** Market conditions of a real-time index (protocol, 2.8). A part is missing if the index does not publish it. */
export interface MarketConditions extends Publication {
  utilizedDepth?: DecimalText
  valueAsk?: DecimalText
  valueBid?: DecimalText
  midPrice?: DecimalText
}

/** A field of the service as received: its name and its value as text. */
export interface Fact {
  name: string
  text: string
}

/** The active corporate action of a tokenized equity, with every field as received (protocol, 2.9). */
export interface CorporateAction {
  publishedAtMs: number
  facts: Fact[]
}

/**
 * All reference data of an index (protocol, 4.2 `indices/{id}/detail`): the fields that the app knows, and every other
 * as received.
 */
export interface IndexDetail extends IndexInfo {
  facts: Fact[]
}

/** The latest value, and the values of the last 24 hours, oldest first (protocol, 4.2 `summary`). */
export interface IndexSummary extends Publication {
  last24Hours: Publication[]
}

/** The baseline of changes. `previousPublished` is used for an index that publishes daily or less often. */
export interface ChangeReference {
  kind: ChangeBase | 'previousPublished'
  value: DecimalText
  publishedAtMs: number
}

/** Reference data of an index (protocol, 2.7). `base` and `quote` are undefined if the index has none. */
export interface IndexInfo {
  id: IndexId
  /** Undefined if only the service's list of streams is known. */
  name?: string
  maxResolution: Resolution
  decimals?: number
  base?: string
  quote?: string
  /** Of Bloomberg and Refinitiv, ISIN and SEDOL. Known once the app has received the reference data. */
  codes?: string[]
}

/** The status of a connection for display. `isDemo`: it is the built-in demo service. */
export interface ConnectionStatus {
  state: ConnectionState
  /** Name of the connection: "Demo", "Environment" or the user's own. */
  name: string
  isDemo: boolean
  /** One sentence that says what is wrong and what to do. Undefined if all is well. */
  problem?: string
  /** Time until the next attempt. Undefined if none is planned. */
  retryInMs?: number
  /** Number of subscriptions on the current connection. */
  streamCount: number
  /** Number of unreadable messages, while they keep coming. */
  unreadableCount?: number
}

/**
 * `connecting` first attempt · `live` · `reconnecting` was live since app start, trying again · `offline` not live yet,
 * trying again · `notAuthorised` refused, waits for the user.
 */
export type ConnectionState = 'connecting' | 'live' | 'reconnecting' | 'offline' | 'notAuthorised'

/** One row of a watchlist. */
export interface WatchlistEntry {
  id: IndexId
  /** `PER_SECOND` unless the user asked for every tick. */
  maxResolution: RequestedResolution
}

/** Columns of a watchlist that can be hidden and reordered. The index itself is always first. */
export const listColumns = [
  'name',
  'value',
  'change',
  'percent',
  'mean',
  'trend',
  'range',
  'published',
  'resolution',
  'flags',
] as const
export type ListColumn = (typeof listColumns)[number]

/** Limits of the width that the user chooses for a column; CSS pixels. */
export const columnPx = { min: 40, max: 640 }

/** How a list is sorted. */
export interface ListSort {
  column: 'index' | ListColumn
  isDescending: boolean
}

/** A divider with a name between the indices of a watchlist. */
export interface ListSection {
  /** Unique in its list. */
  id: string
  name: string
  /** Number of indices above it. */
  at: number
}

/** The place of a list on a desk, and who changed it last. */
export interface ListOnDesk {
  /** The same on every seat. */
  id: string
  /** When the desk was begun, by its server's clock. Tells it from another desk of the same name. */
  begunAtMs: number
  /** The user of a seat. */
  by: string
  /** By that computer's clock. */
  atMs: number
}

/** A named list in the user's own order. */
export interface Watchlist {
  id: string
  name: string
  entries: WatchlistEntry[]
  /** In order. Undefined if there are none. */
  sections?: ListSection[]
  /** Undefined: the user's own order. */
  sort?: ListSort
  /** In order. Undefined: all of `listColumns` except `resolution`. */
  columns?: ListColumn[]
  /** Widths that the user chose; CSS pixels. */
  widths?: Partial<Record<'index' | ListColumn, number>>
  /** Undefined for the user's own list. */
  desk?: ListOnDesk
}

/** How a key is sent: in a header, or as subprotocols (protocol, 5). */
export const authForms = ['basic', 'subprotocol'] as const
export type AuthForm = (typeof authForms)[number]

/** Simulated values of the demo service are never mixed with real ones. */
export type ServiceKind = 'demo' | 'real'

/** How to reach a service, without its secret. */
export interface ConnectionProfile {
  /** Our own id. The secret in the keyring has the same. */
  id: string
  name: string
  auth: AuthForm
  /** A connection that is turned off keeps its key. */
  isEnabled: boolean
  webSocketUrl: string
  restUrl?: string
  /** Address of the service's tools for assistants (protocol, 4.3). */
  mcpUrl?: string
  keyId: string
}

/** A webhook that alerts can send to, without its secrets. */
export interface SavedWebhook {
  /** Our own id. The secrets in the keyring have the same. */
  id: string
  name: string
  service: WebhookServiceName
  /** The fields that are not secret. */
  values: Record<string, string>
  /** Text of a message, with fields of the event in braces. */
  template?: string
  /** Sends the notes of alerts too. */
  sendsNote: boolean
  /** Host and port that receive the messages. */
  host: string
  /** The last characters of each secret, to tell it from others. Empty if it is too short to show any. */
  tails: Record<string, string>
}

/** The desk whose alerts this seat gets, without its password. */
export interface SavedDesk {
  address: string
  name: string
  /** Empty for a server without sign-in. */
  user: string
}

/** The user's choices, stored on disk. Without the secret of a key. */
export interface Settings extends Preferences {
  watchlists: Watchlist[]
  /** Indices shown in the tray, in order. If empty, the first list is shown. */
  pinnedIds: IndexId[]
  /** The user's own connections. If none is turned on, the demo service is used. */
  profiles: ConnectionProfile[]
  webhooks: SavedWebhook[]
  desk?: SavedDesk | undefined
}

/** An error at a boundary. `code` is for programs. `message` is for people and says what to do. */
export interface Problem {
  code: ProblemCode
  message: string
  /** For `badArguments`: the name of the refused field, if it has one. */
  field?: string
}

export interface Failure {
  ok: false
  problem: Problem
}

export type Outcome<T> = { ok: true; value: T } | Failure

/** An outcome that is a problem. `message` says what to do. */
export function failure(code: ProblemCode, message: string): Failure {
  return { ok: false, problem: { code, message } }
}

export function ok<T>(value: T): { ok: true; value: T } {
  return { ok: true, value }
}

/** Success without a result. */
export const done: Outcome<null> = ok(null)
