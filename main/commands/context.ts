import type { AlertDraft } from '../../core/alerts'
import type { AssistantSetup } from '../../protocol/assistants'
import type { Outcome } from '../../core/model'
import type { About, Diagnostics } from '../../protocol/responses'
import type { DataWatch } from '../alerts/data-watch'
import type { AlertEngine } from '../alerts/engine'
import type { Judging } from '../alerts/judging'
import type { ReachWatch } from '../alerts/reach-watch'
import type { RangeTester } from '../alerts/range-tester'
import type { RuleFileTask } from '../alerts/rule-file'
import type { AssistantAccess } from '../assistants/access'
import type { Clock } from '../base/clock'
import type { Routes } from '../base/routes'
import type { ChartSource } from '../chart/chart-source'
import type { Connections } from '../connections/connections'
import type { Profiles } from '../connections/profiles'
import type { ToolCalls } from '../connections/tool-calls'
import type { ProxyCredentials } from '../connections/proxy-credentials'
import type { NewHosts } from './new-hosts'
import type { UnsavedChanges } from './unsaved'
import type { FileDialogs } from '../desktop/file-dialogs'
import type { Absence } from '../history/absence'
import type { Exporter } from '../history/exporter'
import type { ConstituentBases } from '../index-page/constituent-bases'
import type { IndexPage } from '../index-page/index-page'
import type { Notices } from '../ipc/notices'
import type { Formulas } from '../quotes/formulas'
import type { QuoteData } from '../quotes/quote-data'
import type { SecretKeeper } from '../storage/secret-keeper'
import type { SpreadsheetAccess } from '../spreadsheets/access'
import type { SettingsStore } from '../storage/settings'
import type { UnfinishedFiles } from '../storage/unfinished-files'
import type { Tape } from '../tape/tape'
import type { Updates } from '../updates/updates'

/** The owners of everything that commands change and the window shows; built in `app/context.ts`. */
export interface AppContext {
  clock: Clock
  routes: Routes
  credentials: ProxyCredentials
  appVersion: string
  settings: SettingsStore
  secrets: SecretKeeper
  quotes: QuoteData
  formulas: Formulas
  alerts: AlertEngine
  judging: Judging
  dataWatch: DataWatch
  reachWatch: ReachWatch
  connections: Connections
  profiles: Profiles
  page: IndexPage
  bases: ConstituentBases
  tape: Tape
  exporter: Exporter
  /** For spreadsheets: what the user exports does not wait for them. */
  tableExporter: Exporter
  rangeTester: RangeTester
  /** Reads a file of alerts in a thread of its own. */
  readRuleFile: (task: RuleFileTask) => Promise<Outcome<AlertDraft[]>>
  absence: Absence
  chart: ChartSource
  assistants: AssistantAccess
  spreadsheets: SpreadsheetAccess
  toolCalls: ToolCalls
  /** What an assistant on this computer is configured with. */
  assistantSetup: AssistantSetup
  notices: Notices
  unsaved: UnsavedChanges
  unfinished: UnfinishedFiles
  dialogs: FileDialogs
  /** The page as it is printed, a PDF. Throws a sentence where it cannot be. */
  printPage: () => Promise<Uint8Array>
  newHosts: NewHosts
  newId: () => string
  diagnostics: () => Diagnostics
  openFolder: (folder: 'log' | 'data') => Promise<Outcome<null>>
  about: () => Promise<About>
  /** Shows the app's website in the browser. */
  openSite: () => Promise<Outcome<null>>
  /** Absent where the app does not look for newer versions. */
  updates: Updates | undefined
}
