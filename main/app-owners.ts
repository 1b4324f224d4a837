import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { app } from 'electron'
import type { Notice, OpenedIndex } from '../protocol/desktop'
import type { IndexId } from '../protocol/model'
import { AlertEngine } from './alerts/engine'
import { createChart } from './app-chart'
import { Diagnosis } from './app-diagnosis'
import { Notices } from './app-notices'
import { Profiles } from './app-profiles'
import { Services } from './app-services'
import { userDay } from './app-user-day'
import { Values, type ValueKind } from './app-values'
import { wantedSubscriptions, type Owners } from './app-views'
import type { Clock } from './base/clock'
import { Counters } from './base/counters'
import type { JsonFile } from './base/json-file'
import type { Log } from './base/log'
import { DemoProcess } from './desktop/demo-process'
import type { LaunchOptions } from './desktop/launch-options'
import { ConstituentBases } from './index-page/constituent-bases'
import { IndexPage } from './index-page/index-page'
import { Secrets } from './storage/secrets'
import { SettingsStore } from './storage/settings'
import { SettingsFile } from './storage/settings-file'

interface Options {
  launch: LaunchOptions
  clock: Clock
  log: Log
  /** Texts the log takes out; the secrets in use are added. */
  hidden: Set<string>
  /** The profile's. */
  folder: string
  file: (name: string, how: { keepsBackup: boolean }) => JsonFile
  /** The last lines of the log that tell of something wrong. */
  problems: () => readonly string[]
}

/** What the owners say that is no event of one of them. */
export interface OwnersListener {
  /** Another kind of service answers from now on. */
  useValues: (kind: ValueKind) => Promise<void>
  /** Another connection answers for these from now on. */
  moved: (ids: readonly IndexId[]) => void
  statusChanged: () => void
  catalogueChanged: () => void
  toolsChanged: () => void
  rowChanged: (id: IndexId) => void
  noticesChanged: (notices: Notice[]) => void
  /** Another index page is open, or none. */
  pageChanged: () => void
  /** There is news for the open page. */
  openedChanged: (opened: OpenedIndex) => void
}

const demoModulePath = () => join(app.getAppPath(), 'out', 'main', 'simulator-process.js')

/** Builds the owners of all that is shown; what one does to another is said in `app.ts`. */
export function createOwners(options: Options, listener: OwnersListener): Owners {
  const { clock, log, folder } = options
  const onError = (error: unknown) => {
    log.error('A listener failed', { error: String(error) })
  }
  const settings = new SettingsStore({
    backend: new SettingsFile({ path: join(folder, 'settings.json'), clock }),
    newId: randomUUID,
    onError,
  })
  const secrets = new Secrets({ file: options.file('secret.json', { keepsBackup: false }), onError })
  const values = new Values({ folder, clock, log, changeBase: () => settings.get().changeBase, onError })
  const cadenceOf = (id: IndexId) => services.resolutionOf(id)
  const dayOf = (ms: number) => userDay(ms, settings.get().timeZone)
  const alerts = new AlertEngine({ clock, newId: randomUUID, log, cadenceOf, dayOf })
  const bases = new ConstituentBases({ clock, log })
  const page: IndexPage = new IndexPage({
    clock,
    source: () => (page.id === undefined ? undefined : services.sourceOf(page.id)),
    baseOf: (id) => bases.get(id),
    onIdChange: () => {
      chart.opened(page.id)
      listener.pageChanged()
    },
    onChange: listener.openedChanged,
  })
  const chart = createChart({ clock, settings, values, services: () => services })
  const appVersion = app.getVersion()
  const counters = new Counters()
  const services: Services = new Services({
    launch: options.launch,
    createDemo: (heard) => new DemoProcess({ modulePath: demoModulePath(), clock, log, ...heard }),
    clock,
    log,
    counters,
    settings,
    secrets,
    hidden: options.hidden,
    values,
    page,
    rules: alerts,
    appVersion,
    wanted: () => wantedSubscriptions(owners),
    useValues: listener.useValues,
    onMoved: listener.moved,
    onStatus: () => {
      chart.streamChanged()
      listener.statusChanged()
    },
    onCatalogue: listener.catalogueChanged,
    onTools: listener.toolsChanged,
    onRow: listener.rowChanged,
  })
  const notices = new Notices(listener.noticesChanged)
  const profiles = new Profiles({ settings, secrets, services, hidden: options.hidden, clock, appVersion })
  const diagnosis = new Diagnosis({ appVersion, clock, counters, services, problems: options.problems })
  const parts = { settings, secrets, values, alerts, services, profiles, page, bases, chart, notices, diagnosis }
  const owners: Owners = { ...parts, clock, appVersion }
  return owners
}
