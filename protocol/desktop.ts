/**
 * The window's contract: what a page may ask of the main process and what it is told. One type, read by both sides; a
 * command without a handler, a validator or a name in the list does not compile.
 */
import type {
  AlertCondition,
  AlertEvent,
  AlertView,
  ChangeReference,
  ConnectionProfile,
  ConnectionStatus,
  ConstituentsPublication,
  CorporateAction,
  DecimalText,
  IndexDetail,
  IndexId,
  IndexInfo,
  IndexSummary,
  MarketConditions,
  Outcome,
  Quote,
  RequestedResolution,
  ServiceTool,
  Settings,
  Stream,
  Theme,
} from './model'

/**
 * A value as one JSON string: copying a string between processes is several times cheaper than copying its objects.
 */
export type Json<T> = string & { readonly __json?: T }

export function toJson<T>(value: T): Json<T> {
  return JSON.stringify(value)
}

export function fromJson<T>(text: Json<T>): T {
  return JSON.parse(text) as T
}

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
  settings: Settings
  /** What can be added; empty until the service has told. */
  catalogue: IndexInfo[]
  alerts: AlertView[]
  /** Newest first. */
  inbox: AlertEvent[]
  notices: Notice[]
  /** Absent until asked. */
  tools?: ServiceTools
  /** Absent while no index page is open. */
  opened?: OpenedIndex
  /** Where the secret of the user's own key is kept; absent when there is none. */
  secretKept?: SecretKept
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
}

export interface WindowSnapshot extends WindowUpdate {
  state: WindowState
}

/** Every command: its arguments and what it answers. */
export interface Commands {
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
  setTheme: { arguments: { theme: Theme }; answer: null }
  createAlert: {
    arguments: {
      indexId: IndexId
      condition: AlertCondition
      level: DecimalText
      /** What to do when the condition already holds. */
      whenAlreadyMet: 'wait' | 'fire'
    }
    answer: AlertView
  }
  deleteAlert: { arguments: { ruleId: string }; answer: null }
  markInboxRead: { arguments: Record<string, never>; answer: null }
  /** Tries again now: after "not authorised", or instead of waiting. */
  reconnect: { arguments: Record<string, never>; answer: null }
  /** Saves the user's own connection and uses it. An empty secret keeps the one stored for this key. */
  saveProfile: { arguments: { profile: ConnectionProfile; keySecret: string }; answer: { kept: SecretKept } }
  /** Forgets the connection and its secret; the demo service answers again. */
  removeProfile: { arguments: Record<string, never>; answer: null }
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
  setTheme: true,
  createAlert: true,
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
