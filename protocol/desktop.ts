/**
 * The window's contract: what a page may ask of the main process and what it is told. One type, read by both sides; a
 * command without a handler, a validator or a name in the list does not compile.
 */
import type {
  ChartPoint,
  ChartRange,
  ChartSeries,
  ConnectionTest,
  ConnectionView,
  Diagnostics,
  ListImportPreview,
} from './answers'
import type { AlertEvent } from './alert-events'
import type { AlertSnooze, AlertView } from './alerts'
import type { AlertCommands } from './desktop-alerts'
import type { Json } from './json'
import type {
  ChangeReference,
  ConnectionProfile,
  ConnectionStatus,
  ConstituentsPublication,
  CorporateAction,
  IndexDetail,
  IndexId,
  IndexInfo,
  IndexSummary,
  ListColumn,
  ListSort,
  MarketConditions,
  Outcome,
  Publication,
  Quote,
  RequestedResolution,
  ServiceTool,
  Settings,
  Stream,
  Watchlist,
} from './model'
import type { Preferences } from './preferences'

export { fromJson, toJson, type Json } from './json'

/** A quote on its way to the window. The page counts on from `ageMs` by its own monotonic clock. */
export interface QuoteUpdate extends Quote {
  /** How old the value was when this update was sent. */
  ageMs: number
}

/** What a row shows besides its quote; changes rarely. */
export interface RowFacts {
  id: IndexId
  /** Why the service refused this id, in its own words. */
  refusal?: string
  reference?: ChangeReference
  /** About sixty points, oldest first, floats for drawing alone; null is a gap. */
  trend?: (number | null)[]
}

/** Something the user should know once, such as a settings file that could not be read. */
export interface Notice {
  id: string
  message: string
}

/** The index whose page is open, as far as the service has told. */
export interface OpenedIndex {
  id: IndexId
  detail?: IndexDetail
  summary?: IndexSummary
  constituents?: ConstituentsPublication
  /** The first constituents after the page was opened: what changes are counted from. */
  firstConstituents?: ConstituentsPublication
  /** What the user set changes and drifts to be counted from; kept over restarts. */
  base?: { constituents: ConstituentsPublication; setAtMs: number }
  /** Absent: not told or not offered for this index. `null`: none is active. */
  corporateAction?: CorporateAction | null
  conditions?: MarketConditions
  /** What the service refused or did not answer, each in plain words. */
  problems: { part: 'detail' | 'summary' | Stream; message: string }[]
}

/** The service's assistant tools: listed, not there for this connection, or not answering, in plain words. */
export type ServiceTools =
  { state: 'listed'; tools: ServiceTool[] } | { state: 'notOffered' } | { state: 'unreachable'; message: string }

/** Everything a page shows that is not a quote or a row. */
export interface WindowState {
  status: ConnectionStatus
  /** Each connection in use; `status` sums them up. */
  connections: ConnectionView[]
  settings: Settings
  /** What can be added; empty until the service has told. */
  catalogue: IndexInfo[]
  alerts: AlertView[]
  /** The newest events, newest first, at most 200; `getInbox` has the others. */
  inbox: AlertEvent[]
  unreadCount: number
  snoozes: AlertSnooze[]
  notices: Notice[]
  /** Absent until asked. */
  tools?: ServiceTools
  /** Absent while no index page is open. */
  opened?: OpenedIndex
  /** Where the secret of each of the user's profiles is kept; those without one are missing. */
  secretsKept: Record<string, SecretKept>
  appVersion: string
}

/** `session`: no keyring here, the secret is forgotten when the app ends. */
export type SecretKept = 'keyring' | 'session'

/**
 * One numbered push. A page subscribes first, then asks for a snapshot; it drops updates whose number is not above the
 * snapshot's and asks again when a number is missing.
 */
export interface WindowUpdate {
  number: number
  quotes: QuoteUpdate[]
  rows: RowFacts[]
  state: Partial<WindowState>
  /** What the open index published, every publication of it; a snapshot has none: the page asks `getChart` again. */
  points?: ChartTick[]
}

/** A publication, or an amendment of an earlier one, for the chart of an index. */
export interface ChartTick {
  indexId: IndexId
  point: ChartPoint
}

export interface WindowSnapshot extends WindowUpdate {
  state: WindowState
}

/** Every command: its arguments and what it answers. */
export interface Commands extends AlertCommands {
  getSnapshot: { arguments: Record<string, never>; answer: Json<WindowSnapshot> }
  addIndex: {
    arguments: { listId: string; indexId: IndexId; position?: number; maxResolution?: RequestedResolution }
    answer: { wasThere: boolean }
  }
  removeIndex: { arguments: { listId: string; indexId: IndexId }; answer: { position: number } }
  setResolution: {
    arguments: { listId: string; indexId: IndexId; maxResolution: RequestedResolution }
    answer: null
  }
  createList: { arguments: { name: string }; answer: { listId: string } }
  renameList: { arguments: { listId: string; name: string }; answer: null }
  /** The last list cannot be removed. The answer undoes it with `restoreList`. */
  removeList: { arguments: { listId: string }; answer: { list: Watchlist; position: number } }
  restoreList: { arguments: { list: Watchlist; position: number }; answer: null }
  moveList: { arguments: { listId: string; position: number }; answer: null }
  /** Puts an index at a place of the own order, counted without the index itself. */
  moveIndex: { arguments: { listId: string; indexId: IndexId; position: number }; answer: null }
  /** `null` gives back the own order, or the usual columns; what is left out stays. */
  arrangeList: {
    arguments: { listId: string; sort?: ListSort | null; columns?: ListColumn[] | null }
    answer: null
  }
  setPinned: { arguments: { indexId: IndexId; isPinned: boolean }; answer: null }
  setPreferences: { arguments: Partial<Preferences>; answer: null }
  /** Values, names and times of a list as CSV, to where the user says. `null`: the user changed their mind. */
  saveListCsv: { arguments: { listId: string }; answer: { fileName: string } | null }
  saveConstituentsCsv: { arguments: { indexId: IndexId }; answer: { fileName: string } | null }
  exportLists: { arguments: { listIds: string[] }; answer: { fileName: string } | null }
  /** Lets the user choose a file of watchlists and tells what it would do. */
  chooseListFile: { arguments: Record<string, never>; answer: ListImportPreview | null }
  /** All of the file or nothing. */
  importLists: { arguments: { importId: string }; answer: { adds: number; changes: number } }
  copyText: { arguments: { text: string }; answer: null }
  /** The latest value of at most 30 indices that need not be watched; those the service does not know are missing. */
  getLatestValues: {
    arguments: { indexIds: IndexId[] }
    answer: { id: IndexId; publication: Publication }[]
  }
  /** The past of an index as far as the service tells it, joined with what came since. */
  getChart: { arguments: { indexId: IndexId; range: ChartRange }; answer: Json<ChartSeries> }
  /** Makes the constituents as they are now what changes and drifts are counted from. */
  setConstituentsBase: { arguments: { indexId: IndexId }; answer: null }
  clearConstituentsBase: { arguments: { indexId: IndexId }; answer: null }
  setProfileEnabled: { arguments: { profileId: string; isEnabled: boolean }; answer: null }
  /** Tries a connection without saving it. An empty secret takes the one kept for this profile. */
  testConnection: { arguments: { profile: ConnectionProfile; keySecret: string }; answer: ConnectionTest }
  getDiagnostics: { arguments: Record<string, never>; answer: Json<Diagnostics> }
  /** Tries again now: after "not authorised", or instead of waiting. */
  reconnect: { arguments: Record<string, never>; answer: null }
  /** Saves a connection of the user's own. An empty secret keeps the one stored for this profile. */
  saveProfile: { arguments: { profile: ConnectionProfile; keySecret: string }; answer: { kept: SecretKept } }
  /** Forgets a connection and its secret; without any the demo service answers again. */
  removeProfile: { arguments: { profileId: string }; answer: null }
  /** Opens the page of an index: its constituents, corporate action and reference data follow in `opened`. */
  openIndex: { arguments: { indexId: IndexId }; answer: null }
  closeIndex: { arguments: Record<string, never>; answer: null }
  dismissNotice: { arguments: { noticeId: string }; answer: null }
}

export type CommandName = keyof Commands
export type CommandArguments<N extends CommandName> = Commands[N]['arguments']
export type CommandAnswer<N extends CommandName> = Commands[N]['answer']

/** A name missing here is an error on this line; a name that is no command, too. */
const listed = {
  getSnapshot: true,
  addIndex: true,
  removeIndex: true,
  setResolution: true,
  createList: true,
  renameList: true,
  removeList: true,
  restoreList: true,
  moveList: true,
  moveIndex: true,
  arrangeList: true,
  setPinned: true,
  setPreferences: true,
  saveListCsv: true,
  saveConstituentsCsv: true,
  exportLists: true,
  chooseListFile: true,
  importLists: true,
  copyText: true,
  getLatestValues: true,
  getChart: true,
  setAlertLevel: true,
  setConstituentsBase: true,
  clearConstituentsBase: true,
  setProfileEnabled: true,
  testConnection: true,
  getDiagnostics: true,
  createAlert: true,
  editAlert: true,
  armAlert: true,
  previewAlert: true,
  explainAlert: true,
  snoozeAlerts: true,
  endSnooze: true,
  getInbox: true,
  saveInboxCsv: true,
  testNotification: true,
  exportAlerts: true,
  chooseAlertFile: true,
  importAlerts: true,
  deleteAlert: true,
  markInboxRead: true,
  reconnect: true,
  saveProfile: true,
  removeProfile: true,
  openIndex: true,
  closeIndex: true,
  dismissNotice: true,
} satisfies Record<CommandName, true>

export const commandNames = Object.keys(listed) as CommandName[]

/** IPC channel names. */
export const commandChannel = (name: CommandName): string => `indexwatch:${name}`
export const updateChannel = 'indexwatch:update'

/** One handler per command; the main process implements it. */
export type CommandHandlers = {
  [N in CommandName]: (args: CommandArguments<N>) => Promise<Outcome<CommandAnswer<N>>> | Outcome<CommandAnswer<N>>
}

/** What the page sees as `window.indexwatch`. */
export type DesktopApi = {
  [N in CommandName]: (args: CommandArguments<N>) => Promise<Outcome<CommandAnswer<N>>>
} & {
  /** Tells of every push until the returned function is called. */
  onUpdate: (listener: (update: Json<WindowUpdate>) => void) => () => void
}
