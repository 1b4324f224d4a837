/** The app: the list of its features, and how it starts, stops and quits. */
import { arch, release, type as systemName } from 'node:os'
import { app, dialog, nativeTheme, powerMonitor } from 'electron'
import type { CommandHandlers } from '../../protocol/commands/contract'
import type { WindowState, WindowSystem } from '../../protocol/desktop'
import { notJudgedOf } from '../../protocol/judging'
import { done, failure, ok, type Outcome, type ServiceKind, type Settings, type Watchlist } from '../../core/model'
import type { WatchOver } from '../access/terminal'
import { historyFault } from '../alerts/judging'
import { trustSystemAuthorities } from '../base/authorities'
import type { SystemClock } from '../base/clock'
import type { Log } from '../base/log'
import { Connections } from '../connections/connections'
import { about, openSite } from '../desktop/about'
import { readDeepLink, type DeepLink } from '../desktop/deep-link'
import { DemoProcess } from '../desktop/demo-process'
import { openFolder } from '../desktop/folders'
import { argumentsOfRestart, assistantSetup, type LaunchOptions } from '../desktop/launch-options'
import { watchPower } from '../desktop/power'
import { createAlerts } from '../features/alerts'
import { createConnections } from '../features/connections'
import { createDesk } from '../features/desk'
import { does, type Feature } from '../features/feature'
import { createHistory } from '../features/history'
import { createIndexPage } from '../features/index-page'
import { createLists, listedEntries } from '../features/lists'
import { createPrograms } from '../features/programs'
import { createSettings } from '../features/settings'
import { createWanted, type Wanted } from '../features/subscriptions'
import { createSupport } from '../features/support'
import { presentTrayView } from '../features/tray'
import { unsavedWords } from '../features/unsaved'
import { createValues, type Values } from '../features/values'
import { createWebhooks } from '../features/webhooks'
import type { AppImage } from '../updates/app-image'
import { appImagePath } from '../updates/package-kind'
import { watchClock } from './clock-watch'
import type { CrashRestart } from './crash-restart'
import { createCore, modulePath } from './core'
import { createDesktop, type Desktop } from './desktop'
import { connectFormulas } from './formula-values'
import { createWatch } from './headless-watch'
import { IndexWindows } from './index-windows'
import { JudgingNotices } from './judging-notices'
import { StoredDataReader } from './stored-data'
import { createNewVersion } from './new-version'
import { createNotifications } from './notifications'
import { loginStartSwitch, wasOpenedAtLogin } from './login-start'
import { createUpdates } from './own-updates'
import type { PageSources } from './page-feed'
import { createTickerFeed, createWindowFeed } from './pages'
import { mayQuit } from './quitting'
import { distribute, recordLookedUp } from './received'
import { startAgain } from './start-again'
import { keyNotKept, noRestartsNotice, startNotices, unwatchedNotice } from './start-notices'
import { startReport } from './start-report'
import { WatchRecord } from './watch-record'

interface Options {
  launch: LaunchOptions
  clock: SystemClock
  log: Log
  /** Texts that the log removes. Secrets in use are added. */
  hidden: Set<string>
  /** The last warnings and errors of the log. */
  problems: () => readonly string[]
  /** False if the profile's folder is not writable and a temporary one is used. */
  canSave: boolean
  /** The AppImage that the app runs from, if any. */
  image: AppImage | undefined
  /** Restarts the app after a crash. Undefined if nothing does. */
  crashRestart: CrashRestart | undefined
  /** Called when a headless watch can no longer print anything. */
  onWatchOver: (why: WatchOver, message: string) => void
  windowSystem: WindowSystem
  /** True if XWayland is wanted but does not answer. */
  lacksXWayland: boolean
}

/** What a second start asks of the running app. */
interface StartedAgain {
  isHidden: boolean
  /** The link to open. */
  link: string | undefined
  version: string | undefined
}

const windowCrashed =
  'The window crashed several times in a row. Values and alerts kept running. If it happens again, restart Indexwatch.'
const closingTitle = 'Indexwatch is still running in the tray'
const closingAdvice = 'Click the tray icon to reopen; choose Quit in its menu to exit.'
/** A new version that has run this long counts as working. */
const goodStartMs = 30_000
const startedAgainTitle = 'Indexwatch restarted'

export type App = ReturnType<typeof createApp>

export function createApp(options: Options) {
  const { launch, clock, log, image, crashRestart, windowSystem, onWatchOver } = options
  const startedAtMs = clock.wallMs()
  const ownWebhooks = () => alerts.views().map(({ webhookUrl }) => webhookUrl)
  const { core, secrets, credentials, file } = createCore({ ...options, webhooks: ownWebhooks })
  const { settings, history, events, appVersion } = core
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const addNotice = (message: string) => core.notices.add(message)
  let desktop: Desktop | undefined
  /** `good` when the whole start has succeeded. `broken` when the window has crashed too often. */
  let start: 'pending' | 'good' | 'broken' = 'pending'
  let isStopping = false
  let applyLoginStart: (isWanted: boolean) => void = () => undefined
  let endClockWatch: (() => void) | undefined
  let asking: Promise<boolean> | undefined
  /** Runs at the end, after the user has agreed to quit. */
  let atEnd: (() => void) | undefined
  /** A link that arrived before the desktop was ready. */
  let linkAtStart = launch.link

  const values: Values = createValues(core, () => connections)
  const { quotes } = values
  const connecting = createConnections(core, {
    launch,
    secrets,
    credentials,
    createDemo: (listener) =>
      new DemoProcess({ modulePath: modulePath('simulator-process.js'), clock, log, ...listener }),
    wanted: () => wanted.all(),
    watchedByRules: () => new Set(alerts.listening().map(({ indexId }) => indexId)),
    switchTo: (kind) => switchTo(kind),
  })
  const connections: Connections = connecting.connections
  const wanted: Wanted = createWanted({
    clock,
    connections,
    values,
    wanted: () => features.flatMap((each) => each.wanted?.() ?? []),
  })
  const printPage = async () => {
    if (desktop === undefined) throw new Error('there is no window')
    return desktop.window.print()
  }
  const indexPage = createIndexPage(core, { connections, quotes, printPage })
  const { pages, chart, bases } = indexPage
  const alerting = createAlerts(core, { connections, quotes, pages })
  const { alerts, judging, dataWatch, reachWatch } = alerting
  const owners = { ...core, quotes, alerts, judging, connections, pages, diagnostics }
  const historyFeature = createHistory(core, owners)
  const programs = createPrograms(core, {
    owners,
    reachWatch,
    setup: assistantSetup({
      isPackaged: app.isPackaged,
      executable: appImagePath(process) ?? process.execPath,
      sources: app.getAppPath(),
      profile: app.commandLine.getSwitchValue('user-data-dir'),
      needsNoSandbox: process.platform === 'linux' && process.getuid?.() === 0,
    }),
    askConstituents: (id) => wanted.constituentsOf(id),
  })
  const setting = createSettings(core, { connections, alerts })
  const watch = launch.watch && createWatch(core, { owners, watch: launch.watch, print, onOver: onWatchOver })
  const terminal = watch?.terminal
  const webhooks = createWebhooks(core, { secrets, inbox: () => alerts.inbox() })
  const notifications = createNotifications(
    { ...core, notice: addNotice },
    {
      ...owners,
      webhooks: webhooks.sender,
      unsentFile: file('unsent-events.json'),
      terminal,
      isSeenAtDesk: (eventId) => deskFeature.isSeen(eventId),
      onClick: (id) => (id === undefined ? openAlerts() : desktop?.openIndex(id)),
    },
  )
  const support = createSupport(core, { ...notifications, diagnostics, openFolder, about, openSite })
  const updates = createUpdates(core, options)
  const news = new JudgingNotices({
    clock,
    judging,
    timeZone: () => settings.get().timeZone,
    announce: (text) => {
      log.warn(text.title, { more: text.body })
      // A terminal prints the change itself.
      if (terminal === undefined) void notifications.announce(text)
    },
    notice: addNotice,
  })
  const deskFeature = createDesk(core, {
    ...{ alerts, quotes, connections, reachWatch, secrets, isSeat: terminal === undefined },
    password: launch.deskPassword,
    announce: (text) => void notifications.announce(text),
  })
  const storedData = new StoredDataReader({ clock, history, read: readStoredData, onChange: historyChanged })
  const watchRecord = new WatchRecord({ clock, log, file: file('watched.json') })
  const report = launch.reportPath === undefined ? undefined : reportTo(launch.reportPath)
  /** Disposed after all features that may still store something, and before those that show it. */
  const storage = {
    async dispose() {
      // The history records whether each last notification was shown.
      await notifications.answered()
      storedData.left()
      await Promise.all([settings.flush(), Promise.all([alerts.flush(), bases.flush()]).then(() => history.close())])
    },
  } satisfies Feature
  const indexWindows = new IndexWindows({
    sources: () => pageSources,
    indexPages: indexPage,
    open: (window, onEvent) => desktop?.openIndexWindow(window, onEvent),
    onOpen: (ids) => desktop?.indicesChanged(ids),
    showMain: (address) => desktop?.window.open(address),
  })
  const desktopFeature = {
    commands: {
      getSnapshot: () => {
        image?.startSucceeded()
        return ok(windowFeed.snapshot())
      },
      restart: () => {
        atEnd = () => startAgain(argumentsOfRestart(process.argv))
        app.quit()
        return done
      },
      getTickerSnapshot: () => ok(ticker.feed.snapshot()),
      fitTicker: does((size) => desktop?.ticker.fit(size)),
      openFromTicker: does(({ indexId }) => desktop?.openIndex(indexId)),
      showTickerMenu: does((at) => desktop?.showTickerMenu(at)),
      closeTicker: does(() => settings.set({ showsTicker: false })),
      ...indexWindows.commands,
    } satisfies Partial<CommandHandlers>,
    follow() {
      connections.events.on('statusChanged', trayChanged)
      quotes.store.events.on('changed', ({ next }) => {
        report?.(next)
        desktop?.tray.pace.valueChanged()
      })
      alerts.events.on('changed', trayChanged)
      dataWatch.events.on('changed', trayChanged)
      judging.events.on('changed', trayChanged)
    },
    settingsChanged(changed: Settings) {
      nativeTheme.themeSource = changed.theme
      applyLoginStart(changed.startsAtLogin)
      crashRestart?.turn(changed.startsAfterCrash)
      trayChanged()
      desktop?.follow(changed)
      windowFeed.push({ settings: changed })
      ticker.settingsChanged(changed)
      indexWindows.push({ settings: changed })
    },
    woke() {
      desktop?.tray.recreate()
      events.emit('resync', null)
    },
    async dispose() {
      windowFeed.dispose()
      ticker.feed.dispose()
      indexWindows.dispose()
      news.dispose()
      await desktop?.dispose()
    },
  } satisfies Feature

  /** In the order in which they are disposed. */
  const all = [
    values,
    programs,
    watch ?? {},
    updates,
    connecting,
    indexPage,
    alerting,
    createLists(core, { ...owners, changeLists: deskFeature.changeLists }),
    historyFeature,
    setting,
    support,
    deskFeature,
    storage,
    webhooks,
    notifications,
    desktopFeature,
  ] as const
  const features: readonly Feature[] = all
  const handlers: CommandHandlers = together(all.flatMap((each) => ('commands' in each ? [each.commands] : [])))
  const slices = all.flatMap((each) => ('slices' in each ? [...each.slices] : []))
  const state = (): WindowState => ({
    ...together(slices.map((each) => each.now())),
    ...alerting.documents(),
    alerts: alerts.views(),
    inbox: alerts.inbox(),
    ...windowSystem,
    appVersion,
  })

  distribute(connections.events, { clock, history, quotes, pages, rules: alerts }, (id) => connections.connectionOf(id))
  for (const each of features) each.follow?.()
  programs.toolCalls.events.on('valuesLookedUp', (lookedUp) => {
    const isAhead = (id: string, publishedAtMs: number) => connections.connectionOf(id)?.isAhead(publishedAtMs) === true
    void recordLookedUp({ clock, history, rules: alerts }, lookedUp, (id) => connections.ownerOf(id), isAhead)
  })
  connectFormulas({
    ...values,
    events: connections.events,
    pastValues: quotes.pastValues,
  })
  events.on('wantedChanged', () => wanted.changed())
  history.events.on('troubleChanged', historyChanged)
  const pageSources: PageSources = {
    clock,
    settings,
    onResync: (run) => events.on('resync', run),
    store: quotes.store,
    formulas: values.formulas,
    connections,
    alerts,
    alertDocuments: alerting.documents,
    slices,
    state,
    rowFacts: values.rowFacts,
    meanOf: (id) => values.means.row(id),
  }
  const windowFeed = createWindowFeed(pageSources, indexPage, (update) => desktop?.send('window', update))
  const ticker = createTickerFeed(pageSources, (update) => desktop?.send('ticker', update))

  function diagnostics() {
    const { electron, chrome, node } = process.versions
    return {
      versions: { app: appVersion, electron, chrome, node, system: `${systemName()} ${release()} ${arch()}` },
      startedAtMs,
      counters: connecting.counters.read(),
      connections: connections.views,
      connectionLog: connections.log.entries(),
      problems: [...options.problems()],
    }
  }

  function tellSettings(changed: Settings): void {
    wanted.changed()
    for (const each of features) each.settingsChanged?.(changed)
  }

  function reportTo(path: string): ReturnType<typeof startReport> {
    return startReport({
      clock,
      path,
      ids: () => listedEntries(settings.get()).map(({ id }) => id),
      screenshot: async () => desktop?.window.screenshot(),
      print,
    })
  }

  function trayChanged(): void {
    desktop?.tray.pace.changed()
  }

  /** Opening the inbox from a notification or the tray marks it read. */
  function openAlerts(): void {
    desktop?.window.open('alerts')
    alerts.markRead()
  }

  function confirmStart(): void {
    if (start === 'good') image?.confirmStart()
  }

  async function switchTo(kind: ServiceKind): Promise<void> {
    historyFeature.absence.dismiss()
    for (const each of pages.all()) each.serviceChanged()
    storedData.left()
    await alerting.leave()
    await history.use(kind)
    const areRead = [await quotes.use(kind), await alerts.use(), await bases.use()]
    values.forgetRecalled()
    storedData.opened(areRead.every(Boolean))
    if (areRead.every(Boolean)) void notifications.sendUnsent()
    windowFeed.restart()
    ticker.feed.restart()
    indexWindows.restart()
  }

  /** Called when the history in use becomes readable. Alerts come first, because they depend on nothing else. */
  async function readStoredData(): Promise<boolean> {
    const areRead = [await alerts.read(), await quotes.read(), await bases.use(), await connections.historyOpened()]
    values.forgetRecalled()
    void values.recallPast()
    events.emit('resync', null)
    if (areRead.every(Boolean)) void notifications.sendUnsent()
    return areRead.every(Boolean)
  }

  function historyChanged(): void {
    judging.set('history', historyFault(history.trouble, storedData.hasFailed))
  }

  function woke(sleptMs: number): void {
    clock.noteSleep(sleptMs)
    for (const each of features) each.woke?.(sleptMs)
  }

  /** Removes unfinished exports of a run that was killed. */
  async function sweep(): Promise<void> {
    const removed = await core.unfinished.sweep()
    if (removed.length > 0) log.info('Unfinished exports were removed', { count: removed.length })
  }

  async function beginWatch(): Promise<void> {
    const { afterCrash, isHidden, environment } = launch
    const unwatched = await watchRecord.begin(afterCrash)
    if (afterCrash !== undefined && environment?.keySecret === '') addNotice(keyNotKept)
    if (unwatched === undefined) return
    const message = unwatchedNotice(unwatched, afterCrash !== undefined, settings.get().timeZone)
    log.warn(message)
    addNotice(message)
    // Without a window the notice would not be seen.
    if (afterCrash !== undefined && isHidden) void notifications.announce({ title: startedAgainTitle, body: message })
  }

  function openDesktop(): Promise<Desktop> {
    return createDesktop({
      clock,
      log,
      placeFile: file('window.json'),
      tickerFile: file('ticker.json'),
      indexWindowsFile: file('index-windows.json'),
      placesWindows: windowSystem.placesWindows,
      settings: () => settings.get(),
      connections,
      handlers,
      trayView: () => presentTrayView({ ...owners, dataWatch }, clock.wallMs()),
      onOpenAlerts: openAlerts,
      onVisibility: (which, isVisible) => {
        if (which === 'ticker') {
          ticker.feed.watch(isVisible)
          return
        }
        windowFeed.watch(isVisible)
        historyFeature.absence.setVisible(isVisible)
        crashRestart?.setShown(isVisible)
        if (isVisible) image?.problemsShown()
      },
      onBusEnded: () => crashRestart?.busEnded(),
      onPageGone: () => chart.follow([]),
      onGivenUp: () => {
        start = 'broken'
        addNotice(windowCrashed)
      },
      onNotice: addNotice,
      explainClosing: () => {
        const words = notJudgedOf(judging.view)?.words ?? 'Alerts stay on'
        return notifications.announce({ title: closingTitle, body: `${words}. ${closingAdvice}` })
      },
    })
  }

  async function appear(): Promise<void> {
    desktop = await openDesktop()
    desktop.tray.pace.changed()
    desktop.follow(settings.get())
    if (linkAtStart !== undefined) openLink(linkAtStart)
    else if (!launch.isHidden && !wasOpenedAtLogin(app)) desktop.window.open()
    indexWindows.restore(desktop.indicesOfLastRun)
  }

  /** Opens the section that a link names. A link can do nothing else. An invalid one is refused with a message. */
  function openLink(text: string): void {
    if (desktop === undefined) {
      linkAtStart = text
      return
    }
    const link = readDeepLink(text)
    const view = link.ok ? viewOf(link.value, settings.get().watchlists) : link
    if (!view.ok) addNotice(view.problem.message)
    desktop.window.open(view.ok ? view.value : undefined)
  }

  /** Reads the settings and tells the features. Returns false if the app cannot start with them. */
  async function readSettings(): Promise<boolean> {
    const loaded = await settings.load()
    if (!loaded.ok && !launch.isDemo && launch.environment === undefined) {
      const isNewer = loaded.problem.code === 'newerVersion'
      judging.set('settings', { reason: isNewer ? 'newerSettings' : 'settings' })
    }
    // A watch must not silently run on the demo service with default lists.
    if (!loaded.ok && terminal !== undefined) {
      onWatchOver('badArguments', loaded.problem.message)
      return false
    }
    await beginWatch()
    applyLoginStart = await loginStartSwitch(app, settings, addNotice)
    settings.events.on('changed', tellSettings)
    tellSettings(settings.get())
    const { waitMs = 0 } = crashRestart ?? {}
    const { startsAfterCrash, timeZone } = settings.get()
    if (waitMs > 0 && startsAfterCrash) addNotice(noRestartsNotice(clock.wallMs(), waitMs, timeZone))
    return true
  }

  async function askToEnd(): Promise<boolean> {
    const mayEnd = await mayQuit({
      clock,
      unsaved: setting.unsaved,
      save: () => Promise.all([settings.flush(), alerts.flush().then(() => history.commit({}))]),
      dialog,
    })
    if (!mayEnd) atEnd = undefined
    return mayEnd
  }

  const offerVersion = createNewVersion(
    { version: appVersion, argv: process.argv, isAppImage: appImagePath(process) !== undefined },
    { relaunch: (how) => void (atEnd = () => app.relaunch(how)), quit: () => app.quit() },
    dialog,
  )

  return {
    openLink,
    openWindow: () => desktop?.window.open(),

    /** Called when Electron is ready. Reads the stored data, shows the window and tray, then connects. */
    async start(): Promise<void> {
      for (const notice of startNotices(options)) addNotice(notice)
      void sweep()
      if (!(await readSettings())) return
      endClockWatch = watchClock({ clock, onNotice: addNotice })
      const watching = terminal?.start()
      if (watching === undefined) await appear()
      else if (!watching.ok) {
        onWatchOver('badArguments', watching.problem.message)
        return
      }
      const painted = desktop?.window.firstPaint()
      const metrics = await watch?.serveMetrics()
      if (metrics?.ok === false) {
        onWatchOver('badArguments', metrics.problem.message)
        return
      }
      watchPower(powerMonitor, clock, woke)
      // The page first draws the history. What services send must not delay it.
      connections.hold()
      const chosen = connections.choose()
      await painted
      await trustSystemAuthorities({ clock, log, startThread: () => core.startThread('authorities-worker.js') })
      await chosen
      if (isStopping) return
      connections.release()
      updates.start()
      if (start === 'pending') start = 'good'
      // A window confirms its own start.
      if (desktop?.window.page === undefined) image?.startSucceeded()
      clock.after(goodStartMs, confirmStart)
      void watch?.ready()
    },

    /** The user started the app again. Without a tray this is how to get the window back. */
    startedAgain({ isHidden, link, version }: StartedAgain): void {
      // A watch has nothing to open. The second start says so.
      if (terminal !== undefined) return
      desktop?.tray.recreate()
      if (link !== undefined) openLink(link)
      else if (!isHidden) desktop?.window.open()
      if (version !== undefined) void offerVersion(version)
    },

    /**
     * Returns whether the app may end. Asks if something would be lost, but not if the system ends the app or a watch
     * runs without a window.
     */
    mayEnd(isForced: boolean): Promise<boolean> {
      if (isForced || terminal !== undefined) {
        const { view } = setting.unsaved
        if (view !== null) process.stderr.write(`Indexwatch: ${unsavedWords(view)}\n`)
        return Promise.resolve(true)
      }
      asking ??= askToEnd().finally(() => (asking = undefined))
      return asking
    },

    /** Saves everything and disposes all features. */
    async stop(): Promise<void> {
      isStopping = true
      endClockWatch?.()
      atEnd?.()
      if (start !== 'broken') image?.startSucceeded()
      for (const each of features) await each.dispose?.()
      await watchRecord.end()
      confirmStart()
    },

    /**
     * On macOS an update closes all windows before the app hears that it quits. That must not count as the user closing
     * them.
     */
    closeForUpdate(): void {
      desktop?.ticker.dispose()
      indexWindows.dispose()
      desktop?.window.dispose()
    },

    /** Installs an update that is ready. Called last, right before the process ends. */
    installUpdate: () => updates.installAtEnd(),
  }
}

type Union<Part> = (Part extends unknown ? (each: Part) => void : never) extends (all: infer All) => void ? All : never

/** All parts as one object. The type check fails while a part is missing. */
function together<Part extends object>(parts: readonly Part[]): Union<Part> {
  return Object.assign({}, ...parts) as Union<Part>
}

/** The page's section that a link opens. */
function viewOf(link: DeepLink, lists: readonly Watchlist[]): Outcome<string> {
  const path = (...parts: (string | undefined)[]) => parts.map((part) => encodeURIComponent(part ?? '')).join('/')
  if (link.to === 'index') return ok(path('index', link.indexId))
  if (link.to === 'newAlert') return ok(path('new-alert', link.indexId, link.level))
  const wanted = link.name.toLowerCase()
  const list = lists.find(({ name }) => name.toLowerCase() === wanted)
  if (list === undefined) return failure('badLink', 'The link was not opened: there is no watchlist of that name.')
  return ok(path('watchlist', list.id))
}
