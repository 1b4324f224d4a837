/** What the window shows: the state pushed to the page, and numbered updates. */
import type { ChartPoint, ChartRange, ConnectionView } from './responses'
import type { AlertEvent } from '../core/alert-events'
import type { Away } from './away'
import type { AssistantsView } from './assistants'
import type { MissingData } from '../core/alert-standing'
import type { AlertSnooze, AlertView } from '../core/alerts'
import type { ListAlert } from '../core/list-alerts'
import type { Judging } from './judging'
import type { OfferedTool, ToolCall } from './service-tools'
import type { ConditionsPoint } from '../core/spread'
import type { Unsaved } from './unsaved'
import type { UpdateState } from './updates'
import type { DeskSeenView, DeskView } from './desk'
import type {
  ChangeReference,
  ConnectionStatus,
  ConstituentsPublication,
  CorporateAction,
  DecimalText,
  IndexDetail,
  IndexId,
  IndexInfo,
  IndexSummary,
  MarketConditions,
  Quote,
  Settings,
  Stream,
} from '../core/model'

/** A quote sent to the window. The page extrapolates `ageMs` by its own monotonic clock. */
export interface QuoteUpdate extends Quote {
  /** Age of the value when this update was sent. */
  ageMs: number
  /** Only if a list shows it. */
  mean?: RowMean
}

/** The mean of the whole seconds of the last minute: the exact sum and the number of its values. */
export interface RowMean {
  sum: DecimalText
  counted: number
  expected: number
}

/** The lowest and highest of some values. */
export interface ValueRange {
  low: DecimalText
  high: DecimalText
}

/** What a row shows besides its quote. Changes rarely. */
export interface RowFacts {
  id: IndexId
  /** Why the service refused this id, in its own words. */
  refusal?: string
  /** Why a formula has no value, as a sentence. */
  noValue?: string
  reference?: ChangeReference
  /**
   * About eighty points, oldest first, as floats for drawing only. Null is a gap. The last day of a ticking index,
   * otherwise its last publications.
   */
  trend?: (number | null)[]
  /** Place of `reference` in the trend of a ticking index. Absent if it is the first point, older, or unknown. */
  referenceAt?: number
  /** Range of the last 24 hours. Only for a ticking index. */
  range?: ValueRange
}

/** A message to show once, such as about an unreadable settings file. */
export interface Notice {
  id: string
  message: string
}

/** Parts that an index page shows from the history until the service sends them. */
export type RememberedPart = 'detail' | 'constituents' | 'corporateAction' | 'conditions'

/** The index whose page is open, with what the service has sent. */
export interface OpenedIndex {
  id: IndexId
  detail?: IndexDetail
  summary?: IndexSummary
  constituents?: ConstituentsPublication
  /** The first constituents after the page was opened. A baseline of changes. */
  firstConstituents?: ConstituentsPublication
  /** The constituents at 00:00 UTC, or the last known shortly before. Undefined if there are none on this computer. */
  closing?: ConstituentsPublication
  /** The user's baseline of changes and drifts. Kept over restarts. */
  base?: { constituents: ConstituentsPublication; setAtMs: number }
  /** Undefined if not known or not offered for this index. `null` if none is active. */
  corporateAction?: CorporateAction | null
  conditions?: MarketConditions
  /** Chart ranges over a day that the history of this computer has from their start. Undefined if it has none. */
  wholeRanges?: readonly ChartRange[]
  /** The hour up to the newest, at most one per minute, oldest first. */
  conditionsHistory?: readonly ConditionsPoint[]
  /** Parts that no service has sent since the page was opened, with the time this computer received them. */
  remembered?: Partial<Record<RememberedPart, number>>
  /** What the service refused or did not answer, in words. */
  problems: { part: 'detail' | 'summary' | Stream; message: string }[]
}

/** The services' tools. `notOffered` if the connections have none. `message` says why they cannot be reached. */
export type ServiceTools =
  | { state: 'listed'; tools: OfferedTool[] }
  | { state: 'notOffered' }
  | { state: 'unreachable'; message: string }

/** The local server for spreadsheets. */
export interface SpreadsheetsView {
  /** True if the user has created a token. Neither the token nor its hash is sent to a page. */
  hasToken: boolean
  /** Why the server is not running although it is enabled. */
  problem?: string
  /** A free port, if the chosen one is in use. */
  freePort?: number
}

/** Lists that are sent as changes of their entries. */
export interface WindowLists {
  /** In the order of creation. */
  alerts: AlertView[]
  /** The newest events, newest first, at most 200. `getInbox` returns older ones. */
  inbox: AlertEvent[]
}

/** Changes of a list. The list's order determines where a new entry goes, see `PendingChanges`. */
export interface EntryChanges<T> {
  /** New entries, or replacements of those with the same id, in the order of the list. */
  put: T[]
  /** Ids. */
  removed: string[]
}

type ListChanges = { [L in keyof WindowLists]?: EntryChanges<WindowLists[L][number]> }

/** Everything a page shows besides quotes and rows. */
export interface WindowState extends WindowLists {
  status: ConnectionStatus
  /** All connections in use. `status` is their summary. */
  connections: ConnectionView[]
  settings: Settings
  /** Indices that can be added. Empty until the service has sent its list. */
  catalogue: IndexInfo[]
  unreadCount: number
  /** Increases when an event outside the newest has changed. Older ones must then be requested again. */
  olderEventsVersion: number
  snoozes: AlertSnooze[]
  /** Alerts on lists. `alerts` has their rules. */
  listAlerts: ListAlert[]
  missingData: MissingData
  judging: Judging
  notices: Notice[]
  /** Increases when past values of the open index were stored late. They must then be requested again. */
  latePastVersion: number
  /** `null` if everything is on the disk. */
  unsaved: Unsaved | null
  /** `null` if there was no absence or the user dismissed it. */
  away: Away | null
  /** Undefined until the services have answered. */
  tools?: ServiceTools
  /** The user's tool calls in this run of the app, newest first, at most 50. */
  toolCalls: ToolCall[]
  assistants: AssistantsView
  spreadsheets: SpreadsheetsView
  /** Undefined if no index page is open. */
  opened?: OpenedIndex
  /** Where the secrets of each profile and webhook are stored. Those without a secret are missing. */
  secretsKept: Record<string, SecretKept>
  /** Why each failing webhook fails, by id. */
  webhookFaults: Record<string, string>
  /** `null` unless this app is a seat of a desk. */
  desk: DeskView | null
  deskSeen: DeskSeenView
  /** Profiles whose saving or test waits for the keyring, which may ask its user for a password. */
  awaitingKeyring: string[]
  /** True if a proxy has asked for a user name and password since the proxy was last changed. */
  hasProxyAsked: boolean
  /** True if the desktop lets an app place its windows and keep them on top. A Wayland compositor does not. */
  placesWindows: boolean
  /**
   * Set in a Wayland session with XWayland: whether the app uses it. `overridden` if the command line differs from the
   * settings.
   */
  xwayland?: 'offered' | 'used' | 'overridden'
  appVersion: string
  /** Undefined if the app does not look for newer versions. */
  update?: UpdateState
}

/** How the desktop lets an app use windows. */
export type WindowSystem = Pick<WindowState, 'placesWindows' | 'xwayland'>

/** `session` if the keyring does not have it. It is then forgotten when the app ends. */
export type SecretKept = 'keyring' | 'session'

/**
 * One numbered push. A page subscribes first, then requests a snapshot. It ignores updates that are not newer than the
 * snapshot, and requests again when a number is missing.
 */
export interface WindowUpdate {
  number: number
  quotes: QuoteUpdate[]
  rows: RowFacts[]
  /** Only changed parts, each whole. */
  state: Partial<Omit<WindowState, keyof WindowLists>>
  lists?: ListChanges
  /** All publications of the open index. A snapshot has none: the page requests `getChart` again. */
  points?: ChartTick[]
}

/** A publication or an amendment, for the chart of an index. */
export interface ChartTick {
  indexId: IndexId
  point: ChartPoint
}

export interface WindowSnapshot extends Omit<WindowUpdate, 'state' | 'lists'> {
  state: WindowState
}
