import type { AlertDraft } from '../../core/alerts'
import type { AssistantSetup } from '../../protocol/assistants'
import type { Outcome } from '../../core/model'
import type { About } from '../../protocol/responses'
import type { DataWatch } from '../alerts/data-watch'
import type { ReachWatch } from '../alerts/reach-watch'
import type { RangeTester } from '../alerts/range-tester'
import type { RuleFileTask } from '../alerts/rule-file'
import type { AssistantAccess } from '../access/assistant-access'
import type { Owners } from '../access/latest'
import type { Routes } from '../base/routes'
import type { ChartSource } from '../chart/chart-source'
import type { Profiles } from '../connections/profiles'
import type { ToolCalls } from '../connections/tool-calls'
import type { ProxyCredentials } from '../connections/proxy-credentials'
import type { NewHosts } from './new-hosts'
import type { UnsavedChanges } from './unsaved'
import type { FileDialogs } from '../desktop/file-dialogs'
import type { Absence } from '../history/absence'
import type { Exporter } from '../history/exporter'
import type { ConstituentBases } from '../index-page/constituent-bases'
import type { Notices } from '../ipc/notices'
import type { Formulas } from '../quotes/formulas'
import type { SecretKeeper } from '../storage/secret-keeper'
import type { SpreadsheetAccess } from '../access/spreadsheet-access'
import type { UnfinishedFiles } from '../storage/unfinished-files'
import type { Updates } from '../updates/updates'

/** The owners of everything that commands change and the window shows; built in `app/context.ts`. */
export interface AppContext extends Owners {
  routes: Routes
  credentials: ProxyCredentials
  secrets: SecretKeeper
  formulas: Formulas
  dataWatch: DataWatch
  reachWatch: ReachWatch
  profiles: Profiles
  bases: ConstituentBases
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
  openFolder: (folder: 'log' | 'data') => Promise<Outcome<null>>
  about: () => Promise<About>
  /** Shows the app's website in the browser. */
  openSite: () => Promise<Outcome<null>>
  /** Absent where the app does not look for newer versions. */
  updates: Updates | undefined
}
