/** What the window shows: the state that is pushed to the page and its numbered updates. */
import type { ChartPoint, ConnectionView } from './responses'
import type { AlertEvent } from '../core/alert-events'
import type { Away } from './away'
import type { AssistantsView } from './assistants'
import type { MissingData } from '../core/alert-standing'
import type { AlertSnooze, AlertView } from '../core/alerts'
import type { Judging } from './judging'
import type { OfferedTool, ToolCall } from './service-tools'
import type { ConditionsPoint } from '../core/spread'
import type { Unsaved } from './unsaved'
import type { UpdateState } from './updates'
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

/** A quote on its way to the window. The page counts on from `ageMs` by its own monotonic clock. */
export interface QuoteUpdate extends Quote {
  /** How old the value was when this update was sent. */
  ageMs: number
}

/** The lowest and the highest of some values. */
export interface ValueRange {
  low: DecimalText
  high: DecimalText
}

/** What a row shows besides its quote; changes rarely. */
export interface RowFacts {
  id: IndexId
  /** Why the service refused this id, in its own words. */
  refusal?: string
  /** Why a formula has no value now, as a sentence. */
  noValue?: string
  reference?: ChangeReference
  /**
   * About sixty points, oldest first, floats for drawing alone; null is a gap. Since the value of `reference` where the
   * index ticks, else its last publications.
   */
  trend?: (number | null)[]
  /** Of the last 24 hours, of an index that ticks. */
  range?: ValueRange
}

/** Something the user should know once, such as a settings file that could not be read. */
export interface Notice {
  id: string
  message: string
}

/** What an index page shows from the history until the service sends it. */
export type RememberedPart = 'detail' | 'constituents' | 'corporateAction' | 'conditions'

/** The index whose page is open, as far as the service has sent it. */
export interface OpenedIndex {
  id: IndexId
  detail?: IndexDetail
  summary?: IndexSummary
  constituents?: ConstituentsPublication
  /** The first constituents after the page was opened: the base of changes. */
  firstConstituents?: ConstituentsPublication
  /** The constituents at the last close, or the last known shortly before it; absent where this computer has none. */
  closing?: ConstituentsPublication
  /** The user's own base of changes and drifts; kept over restarts. */
  base?: { constituents: ConstituentsPublication; setAtMs: number }
  /** Absent: not known or not offered for this index. `null`: none is active. */
  corporateAction?: CorporateAction | null
  conditions?: MarketConditions
  /** Of the hour up to the newest, at most one a minute, oldest first. */
  conditionsHistory?: readonly ConditionsPoint[]
  /** Parts that no service has sent since the page was opened: when this computer learned them. */
  remembered?: Partial<Record<RememberedPart, number>>
  /** What the service refused or did not answer, each in plain words. */
  problems: { part: 'detail' | 'summary' | Stream; message: string }[]
}

/** The services' tools: listed, not there for this connection, or not answering, in plain words. */
export type ServiceTools =
  | { state: 'listed'; tools: OfferedTool[] }
  | { state: 'notOffered' }
  | { state: 'unreachable'; message: string }

/** Where a spreadsheet on this computer finds the app's tables. */
export interface SpreadsheetsView {
  /** Whether the user has made a token. Neither it nor what is kept of it comes to a page. */
  hasToken: boolean
  /** Why nothing is there although the user wants it, in plain words. */
  problem?: string
  /** Where the port is taken: one that is not. */
  freePort?: number
}

/** The lists that travel as changes of their entries. */
export interface WindowLists {
  /** In the order of creation. */
  alerts: AlertView[]
  /** The newest events, newest first, at most 200; `getInbox` has the others. */
  inbox: AlertEvent[]
}

/** What is different in a list: its order says where a new entry goes, see `PendingChanges`. */
export interface EntryChanges<T> {
  /** New, or in the place of the one with the same id; in the order of the list. */
  put: T[]
  /** Ids. */
  removed: string[]
}

type ListChanges = { [L in keyof WindowLists]?: EntryChanges<WindowLists[L][number]> }

/** Everything a page shows that is not a quote or a row. */
export interface WindowState extends WindowLists {
  status: ConnectionStatus
  /** Each connection in use; `status` sums them up. */
  connections: ConnectionView[]
  settings: Settings
  /** What can be added; empty until the service has sent its list. */
  catalogue: IndexInfo[]
  unreadCount: number
  /** Counts up when an event that is not among the newest has changed: older ones are to be asked for again. */
  olderEventsVersion: number
  snoozes: AlertSnooze[]
  missingData: MissingData
  judging: Judging
  notices: Notice[]
  /** `null`: everything is on the disk. */
  unsaved: Unsaved | null
  /** `null`: there was none, or the user has dismissed it. */
  away: Away | null
  /** Absent until asked. */
  tools?: ServiceTools
  /** What the user ran of them in this run of the app, newest first, at most 50. */
  toolCalls: ToolCall[]
  assistants: AssistantsView
  spreadsheets: SpreadsheetsView
  /** Absent while no index page is open. */
  opened?: OpenedIndex
  /** Where the secret of each of the user's profiles is kept; those without one are missing. */
  secretsKept: Record<string, SecretKept>
  /** Profiles that cannot be saved or tried before the keyring answers, which may ask its user for a password first. */
  awaitingKeyring: string[]
  /** Whether the desktop lets an app place its windows and keep them on top; a Wayland compositor does not. */
  placesWindows: boolean
  /**
   * In a Wayland session with XWayland beside it: whether the app runs through that; `overridden`: the command line chose
   * otherwise than the settings.
   */
  xwayland?: 'offered' | 'used' | 'overridden'
  appVersion: string
  /** Absent where the app does not look for newer versions of itself. */
  update?: UpdateState
}

/** What the desktop lets an app do with its windows. */
export type WindowSystem = Pick<WindowState, 'placesWindows' | 'xwayland'>

/** `session`: the keyring does not have it, it is forgotten when the app ends. */
export type SecretKept = 'keyring' | 'session'

/**
 * One numbered push. A page subscribes first, then asks for a snapshot; it drops updates whose number is not above the
 * snapshot's and asks again when a number is missing.
 */
export interface WindowUpdate {
  number: number
  quotes: QuoteUpdate[]
  rows: RowFacts[]
  /** Each part as a whole. */
  state: Partial<Omit<WindowState, keyof WindowLists>>
  lists?: ListChanges
  /** What the open index published, every publication of it; a snapshot has none: the page asks `getChart` again. */
  points?: ChartTick[]
}

/** A publication, or an amendment of an earlier one, for the chart of an index. */
export interface ChartTick {
  indexId: IndexId
  point: ChartPoint
}

export interface WindowSnapshot extends Omit<WindowUpdate, 'state' | 'lists'> {
  state: WindowState
}
