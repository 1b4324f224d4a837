import { randomUUID } from 'node:crypto'
import { arch, release, type } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { app } from 'electron'
import type { Notice, OpenedIndex } from '../../protocol/desktop'
import type { ConstituentsPublication, IndexId, ServiceKind, Subscription } from '../../core/model'
import { distribute, recordLookedUp } from './received'
import { answersOfApp } from '../access/answers'
import { faultOfProposal } from '../commands/alert-previews'
import { connectFormulas } from './formula-values'
import type { ProfileFiles } from './profile-files'
import { createRoutes } from './routes'
import { offeredIndices, watchedIndex } from './known-index'
import { listedEntries } from './views'
import type { AppContext } from '../commands/context'
import { DataWatch } from '../alerts/data-watch'
import { NewHosts } from '../commands/new-hosts'
import { UnsavedChanges } from '../commands/unsaved'
import { AlertEngine } from '../alerts/engine'
import { Judging } from '../alerts/judging'
import { ReachWatch } from '../alerts/reach-watch'
import { RangeTester } from '../alerts/range-tester'
import { takeRules } from '../alerts/rule-file-reader'
import { AssistantAccess } from '../access/assistant-access'
import type { Clock } from '../base/clock'
import { Counters, redactor, type Log } from '../base/log'
import type { Routes } from '../base/routes'
import { userDay } from '../base/user-time'
import { ChartSource } from '../chart/chart-source'
import { FormulaCharts } from '../chart/formula-charts'
import { CatalogueMemory } from '../connections/catalogue-memory'
import { ToolCalls } from '../connections/tool-calls'
import { Connections } from '../connections/connections'
import { valuesOnTape } from '../connections/known-values'
import { Profiles } from '../connections/profiles'
import { ProxyCredentials } from '../connections/proxy-credentials'
import { DemoProcess } from '../desktop/demo-process'
import { nativeFileDialogs } from '../desktop/file-dialogs'
import { assistantSetup, isDevelopment, type LaunchOptions } from '../desktop/launch-options'
import { about, openSite } from '../desktop/about'
import { openFolder } from '../desktop/folders'
import { Absence } from '../history/absence'
import { Exporter } from '../history/exporter'
import { ConstituentBases } from '../index-page/constituent-bases'
import { IndexPage } from '../index-page/index-page'
import { PageMemory } from '../index-page/page-memory'
import { Notices } from '../ipc/notices'
import { listenPrivately } from '../access/private-socket'
import { FormulaPast } from '../quotes/formula-past'
import { Formulas } from '../quotes/formulas'
import { QuoteData } from '../quotes/quote-data'
import { keyringSecrets } from '../storage/keyring'
import { isSecretDocument } from '../storage/secret-keeper'
import { SpreadsheetAccess } from '../access/spreadsheet-access'
import { SettingsStore } from '../storage/settings'
import { SettingsFile } from '../storage/settings-file'
import { UnfinishedFiles } from '../storage/unfinished-files'
import { Tape } from '../tape/tape'
import { appImagePath } from '../updates/package-kind'
import type { Updates } from '../updates/updates'

interface Options {
  launch: LaunchOptions
  clock: Clock
  log: Log
  files: ProfileFiles
  /** Texts the log takes out; the secrets in use are added. */
  hidden: Set<string>
  /** The last warnings and errors of the log. */
  problems: () => readonly string[]
  /** Absent where the app does not look for newer versions. */
  updates: (routes: Routes) => Updates | undefined
}

/** What the owners need of the app, and report other than by an event of one of them. */
export interface ContextListener {
  wanted: () => readonly Subscription[]
  /** Another kind of service answers from now on: done when everything kept for it has been read. */
  switchTo: (kind: ServiceKind) => Promise<void>
  noticesChanged: (notices: Notice[]) => void
  /** Another index page is open, or none. */
  pageChanged: () => void
  /** Other indices are followed beside the open page. */
  followedChanged: () => void
  /** Asks the service for the constituents of an index; `undefined` where none come soon. */
  askConstituents: (id: IndexId) => Promise<ConstituentsPublication | undefined>
  /** The window's page as it is printed, a PDF. Throws a sentence where it cannot be. */
  printPage: () => Promise<Uint8Array>
  /** There is news for the open page. */
  openedChanged: (opened: OpenedIndex) => void
}

/** Where the build has the module of another process or thread. */
const modulePath = (name: string) => join(app.getAppPath(), 'out', 'main', name)

/** Starts a module of the build in a thread of its own. */
export function startThread(name: string, workerData?: unknown): Worker {
  return new Worker(modulePath(name), { workerData })
}

/** Builds the owners of everything that is shown and connects what is received with them. */
export function createContext(options: Options, listener: ContextListener): AppContext {
  const { clock, log, files, hidden } = options
  const appVersion = app.getVersion()
  const startedAtMs = clock.wallMs()
  const counters = new Counters()
  const onError = (error: unknown) => log.error('A listener failed', { error: String(error) })
  const settings = new SettingsStore({
    backend: new SettingsFile({ path: join(files.folder, 'settings.json'), clock }),
    clock,
    onError,
  })
  const secrets = keyringSecrets({ file: files.plain('secret.json', isSecretDocument), clock, onError })
  const changeBase = () => settings.get().changeBase
  const tape = new Tape({
    folder: files.folder,
    clock,
    log,
    startThread: (task) => startThread('tape-worker.js', task),
  })
  const credentials = new ProxyCredentials(secrets, hidden)
  const routes = createRoutes({ settings, credentials, clock })
  const connectionOf = (id: IndexId) => connections.originOf(id).connection ?? ''
  const quotes = new QuoteData({ tape, clock, log, changeBase, connectionOf, onError })
  const connections: Connections = new Connections({
    launch: options.launch,
    createDemo: (demoListener) =>
      new DemoProcess({ modulePath: modulePath('simulator-process.js'), clock, log, ...demoListener }),
    clock,
    log,
    counters,
    settings,
    secrets,
    hidden,
    appVersion,
    routes,
    wanted: listener.wanted,
    known: valuesOnTape(tape),
    watchedByRules: () => new Set(alerts.listening().map(({ indexId }) => indexId)),
    memory: new CatalogueMemory({ tape, clock, log }),
    switchTo: listener.switchTo,
    onError,
  })
  const resolutionOf = (id: IndexId) => connections.resolutionOf(id)
  const formulas = new Formulas({ clock, store: quotes.store, resolutionOf, onError })
  const formulaPast = new FormulaPast({ tape, store: quotes.store, formulas, resolutionOf, log, onError })
  const originOf = (id: IndexId) => connections.originOf(id)
  const dayOf = (ms: number) => userDay(ms, settings.get().timeZone)
  const sourceOf = (id: IndexId) => quotes.store.sourceOf(id)
  const of = { cadenceOf: resolutionOf, originOf, sourceOf, dayOf }
  const alerts = new AlertEngine({ clock, newId: randomUUID, log, tape, ...of })
  const dataWatch = new DataWatch({
    clock,
    ids: () => alerts.indexIds(),
    rulesOf: (id) => alerts.viewsOf(id),
    snoozes: () => alerts.snoozes(),
    indexOf: (id) => watchedIndex({ connections, quotes }, id),
    onError,
  })
  const reachWatch = new ReachWatch({
    clock,
    rules: () => alerts.views(),
    offers: () => offeredIndices({ connections, quotes }),
    onFound: (found) => void alerts.noteReach(found),
    onError,
  })
  const bases = new ConstituentBases({ clock, log, tape })
  const memory = new PageMemory({ tape, clock, log })
  const page: IndexPage = new IndexPage({
    clock,
    memory,
    source: () => (page.id === undefined ? undefined : connections.sourceOf(page.id)),
    isKeyInDoubt: (id) => {
      const state = connections.connectionOf(id)?.status.state
      return state === 'connecting' || state === 'notAuthorised'
    },
    baseOf: (id) => bases.get(id),
    onIdChange: () => {
      chart.opened(page.id)
      listener.pageChanged()
    },
    onChange: listener.openedChanged,
  })
  const charts = new FormulaCharts({ service: (id) => connections.connectionOf(id), resolutionOf })
  const chart = new ChartSource({
    clock,
    tape,
    service: (id) => (page.isWaiting(id) ? undefined : charts.of(id)),
    latest: (id) => quotes.store.get(id),
    isEveryTick: (id) =>
      listedEntries(settings).some((entry) => entry.id === id && entry.maxResolution === 'PER_200MS'),
    onFollowed: listener.followedChanged,
  })
  const dialogs = nativeFileDialogs
  const unfinished = new UnfinishedFiles(files.folder)
  const createExporter = () =>
    new Exporter({ clock, tape, unfinished, startThread: (task) => startThread('export-worker.js', task) })
  const tableExporter = createExporter()
  const notices = new Notices(listener.noticesChanged)
  const context: AppContext = {
    clock,
    routes,
    credentials,
    appVersion,
    settings,
    secrets,
    quotes,
    formulas,
    alerts,
    judging: new Judging({ clock, onError }),
    dataWatch,
    reachWatch,
    connections,
    profiles: new Profiles({ settings, secrets, connections, hidden, clock, appVersion, routes, onError }),
    page,
    bases,
    tape,
    exporter: createExporter(),
    tableExporter,
    rangeTester: new RangeTester({
      tape,
      startThread: (task) => startThread('range-test-worker.js', task),
    }),
    readRuleFile: (task) => takeRules(startThread('rule-file-worker.js', task)),
    absence: new Absence({ clock, onError }),
    chart,
    assistants: new AssistantAccess({
      clock,
      newId: randomUUID,
      listen: (onChannel) => listenPrivately(files.folder, onChannel),
      known: () => answersOfApp(context, log, listener.askConstituents),
      watchlists: () => settings.get().watchlists,
      faultOf: (draft) => faultOfProposal(context, draft),
      redact: redactor(() => [...hidden]),
      onError,
    }),
    spreadsheets: new SpreadsheetAccess({
      clock,
      known: () => answersOfApp(context, log, listener.askConstituents),
      history: (request) => tableExporter.read(request, join(files.folder, 'spreadsheet.csv')),
      tokenHash: () => settings.spreadsheetTokenHash,
      keepHash: (hash) => settings.setSpreadsheetTokenHash(hash),
      hide: (token) => hidden.add(token),
      redact: redactor(() => [...hidden]),
      onError,
    }),
    toolCalls: new ToolCalls({
      clock,
      newId: randomUUID,
      offered: () => (connections.tools?.state === 'listed' ? connections.tools.tools : []),
      clientOf: (id) => connections.toolsClientOf(id),
      onError,
    }),
    assistantSetup: assistantSetup({
      isPackaged: app.isPackaged,
      executable: appImagePath(process) ?? process.execPath,
      sources: app.getAppPath(),
      profile: app.commandLine.getSwitchValue('user-data-dir'),
      needsNoSandbox: process.platform === 'linux' && process.getuid?.() === 0,
    }),
    notices,
    unfinished,
    unsaved: new UnsavedChanges({
      clock,
      settings,
      tape,
      alerts,
      say: (message) => {
        if (message !== undefined) log.warn('Notice', { message })
        notices.say('unsaved', message)
      },
      onError,
    }),
    dialogs,
    printPage: listener.printPage,
    newHosts: new NewHosts({
      settings,
      alerts,
      dialogs,
      trustsLoopback: isDevelopment({ env: process.env, isPackaged: app.isPackaged }),
    }),
    newId: randomUUID,
    diagnostics: () => ({
      versions: versionsOf(appVersion),
      startedAtMs,
      counters: counters.read(),
      connections: connections.views,
      connectionLog: connections.log.entries(),
      problems: [...options.problems()],
    }),
    openFolder,
    about,
    openSite,
    updates: options.updates(routes),
  }
  connectOwners(context, log)
  connectFormulas({ events: connections.events, history: quotes.history, formulas, past: formulaPast, resolutionOf })
  return context
}

/** What one owner does to another; what reaches the window is said in `window-feed.ts`. */
function connectOwners(context: AppContext, log: Log): void {
  const { clock, settings, secrets, quotes, alerts, dataWatch, reachWatch, connections, page, bases } = context
  const { tape, absence, chart, notices, assistants, spreadsheets, toolCalls, judging } = context
  distribute(connections.events, { clock, tape, quotes, page, rules: alerts }, (id) => connections.connectionOf(id))
  connections.events.on('statusChanged', () => {
    alerts.setPaused(connections.isPaused)
    absence.setLive(connections.views.some(({ state }) => state === 'live'))
    chart.streamChanged()
    dataWatch.changed()
    reachWatch.changed()
  })
  connections.events.on('statusChanged', () => judging.set('key', keyFault(connections)))
  tape.events.on('lost', () => judging.set('lost', { reason: 'lost' }))
  alerts.events.on('changed', () => {
    judging.setRulesRead(alerts.isJudging)
    if (alerts.count > 0) judging.set('lost', undefined)
  })
  connections.events.on('caughtUp', () => absence.learned())
  connections.events.on('stayedUnknown', () => absence.learned())
  connections.events.on('refusalChanged', () => reachWatch.changed())
  connections.events.on('catalogueChanged', () => reachWatch.changed())
  connections.events.on('constituentsPublished', ({ id, publication }) => reachWatch.constituentsSeen(id, publication))
  connections.events.on('conditionsPublished', ({ id, publication }) => reachWatch.conditionsSeen(id, publication))
  connections.events.on('refused', (refusal) => reachWatch.refused(refusal))
  connections.events.on('wentLive', (ids) => reachWatch.connected(ids))
  alerts.events.on('changed', () => {
    dataWatch.changed()
    reachWatch.changed()
  })
  const isAhead = (id: IndexId, publishedAtMs: number) => {
    return connections.connectionOf(id)?.isAhead(publishedAtMs) === true
  }
  toolCalls.events.on('valuesLookedUp', (lookedUp) => {
    void recordLookedUp({ clock, tape, rules: alerts }, lookedUp, (id) => connections.ownerOf(id), isAhead)
  })
  quotes.store.events.on('changed', ({ previous, next, by, isBehind }) => {
    alerts.consider(previous, next, by, isBehind)
    dataWatch.valueSeen(next.id)
    reachWatch.valueSeen(next.id)
    assistants.valueSeen(next.id)
  })
  quotes.store.events.on('past', ({ id, publication, by }) => alerts.considerPast(id, publication, by))
  quotes.store.events.on('received', ({ id, publication }) => chart.record(id, publication))
  bases.events.on('changed', (id) => page.baseChanged(id))
  settings.events.on('changed', (changed) => {
    assistants.turn(changed.allowsAssistants)
    void spreadsheets.turn(changed)
    assistants.listsSeen()
  })
  const addNotice = (message: string) => {
    log.warn('Notice', { message })
    notices.add(message)
  }
  settings.events.on('notice', addNotice)
  secrets.events.on('notice', addNotice)
  alerts.events.on('notice', addNotice)
  bases.events.on('notice', addNotice)
  tape.events.on('notice', addNotice)
  connections.events.on('notice', addNotice)
  quotes.watchClock(addNotice)
}

/** Where others go on, it is the first that is named. */
function keyFault({ keyFaults, views }: AppContext['connections']): Parameters<Judging['set']>[1] {
  const [first] = keyFaults
  if (first === undefined) return undefined
  const isOfAll = keyFaults.length === views.length
  return { reason: first.isMissing ? 'keyMissing' : 'keyRefused', ...(!isOfAll && { connection: first.name }) }
}

function versionsOf(appVersion: string) {
  const { electron, chrome, node } = process.versions
  return { app: appVersion, electron, chrome, node, system: `${type()} ${release()} ${arch()}` }
}
