/** Composition root: builds every part, starts and stops them. */
import { app, dialog, powerMonitor } from 'electron'
import type { WindowSystem } from '../../protocol/desktop'
import { notJudgedOf, type Judging } from '../../protocol/judging'
import { failure, type IndexId, type Outcome, type ServiceKind, type Watchlist } from '../../core/model'
import { historyFault } from '../alerts/judging'
import { watchClock } from './clock-watch'
import type { Comeback } from './comeback'
import { createContext, startThread } from './context'
import { Desktop } from './desktop'
import { NewVersion } from './new-version'
import { createUpdates, notInstalled } from './own-updates'
import { createNotifiers, type Notifiers } from './notifications'
import { followPreferences, wasOpenedAtLogin } from './preferences'
import type { PageFeed } from './page-feed'
import { JudgingNews } from './judging-news'
import { KeptReader } from './kept'
import { mayQuit } from './quitting'
import { Metrics } from '../access/metrics'
import { ProfileFiles } from './profile-files'
import { startAgain } from './start-again'
import { ServiceManager } from './service-manager'
import { StartReport } from './start-report'
import { WantedSubscriptions } from './subscriptions'
import { Terminal, type WatchOver } from '../access/terminal'
import { glanceIds, listedEntries, presentTrayView } from './views'
import { WatchRecord } from './watch-record'
import { createTickerFeed } from './ticker-feed'
import { createWindowFeed } from './window-feed'
import type { AppContext } from '../commands/context'
import { unsavedWords } from '../commands/unsaved'
import { commandHandlers } from '../commands/handlers'
import { trustSystemAuthorities } from '../base/authorities'
import type { SystemClock } from '../base/clock'
import { redactor, type Log } from '../base/log'
import { timeText } from '../base/user-time'
import { argumentsOfRestart, type LaunchOptions } from '../desktop/launch-options'
import type { AppImage } from '../updates/app-image'
import { appImagePath } from '../updates/package-kind'
import { readDeepLink, type DeepLink } from '../desktop/deep-link'
import { watchPower } from '../desktop/power'

interface Options {
  launch: LaunchOptions
  clock: SystemClock
  log: Log
  /** Texts the log takes out; the secrets in use are added. */
  hidden: Set<string>
  /** The last warnings and errors of the log. */
  problems: () => readonly string[]
  /** False when the profile's folder cannot be written to and a temporary one stands in for it. */
  canSave: boolean
  /** The file the app runs from, where it is an AppImage. */
  image: AppImage | undefined
  /** What starts the app again after a crash; absent where nothing does. */
  comeback: Comeback | undefined
  /** A watch without a window has nothing to print, and why. */
  onWatchOver: (why: WatchOver, message: string) => void
  windowSystem: WindowSystem
  /** XWayland is wanted, and does not answer. */
  lacksXWayland: boolean
}

/** What a second start wants of the running app. */
interface StartedAgain {
  isHidden: boolean
  /** What it was started to open. */
  link: string | undefined
  version: string | undefined
}

const notKept = 'Nothing will be saved: the data folder is not writable. Check its permissions.'
const readOnly = 'Read-only: another computer uses this profile and checks your alerts. Changes here are not saved.'
const noXWayland =
  'XWayland does not answer, so Indexwatch runs on Wayland and cannot place the ticker. Check the session, or turn off XWayland in Settings.'
const windowCrashed =
  'The window crashed several times in a row. Values and alerts kept running. If it happens again, restart Indexwatch.'
const closingExplained = (judging: Judging) => ({
  title: 'Indexwatch is still running in the tray',
  body: `${notJudgedOf(judging)?.words ?? 'Alerts stay on'}. Click the tray icon to reopen; choose Quit in its menu to exit.`,
})
/** A new version that has run so long starts well. */
const goodStartMs = 30_000
const takenBack = (version: string) =>
  `Indexwatch ${version} failed to start twice, so the previous version was restored. The next version will be installed when it is published.`
const notWatching = (from: string, to: string) =>
  `Indexwatch stopped unexpectedly and missed ${from}–${to}. It is now fetching those values and checking your alerts.`
const startedAgainTitle = 'Indexwatch restarted'
const noMoreComebacks = (until: string) =>
  `Indexwatch stopped unexpectedly three times in five minutes. Until ${until} it does not restart after a crash.`
const keyNotKept = 'INDEXWATCH_KEY_SECRET was lost in the crash. Quit Indexwatch and start it with that variable again.'
/** After a shorter sleep the connection may still hold, and its own watch finds out. */
const longSleepMs = 5_000

export class App {
  readonly #options: Options
  readonly #files: ProfileFiles
  readonly #watchRecord: WatchRecord
  readonly #context: AppContext
  readonly #subscriptions: WantedSubscriptions
  readonly #feed: PageFeed
  readonly #tickerFeed: PageFeed
  readonly #notifiers: Notifiers
  readonly #kept: KeptReader
  readonly #judgingNews: JudgingNews
  readonly #report: StartReport | undefined
  readonly #terminal: Terminal | undefined
  readonly #metrics: Metrics | undefined
  readonly #serviceManager: ServiceManager | undefined
  readonly #newVersion = new NewVersion(
    { version: app.getVersion(), argv: process.argv, isAppImage: appImagePath(process) !== undefined },
    {
      relaunch: (options) => {
        this.#atEnd = () => app.relaunch(options)
      },
      quit: () => app.quit(),
    },
    dialog,
  )
  #desktop: Desktop | undefined
  /** Whether the whole start went through; broken once the window has crashed for good. */
  #start: 'goingOn' | 'good' | 'broken' = 'goingOn'
  #isStopping = false
  #endClockWatch: (() => void) | undefined
  #asking: Promise<boolean> | undefined
  /** What is done when the user lets the app end. */
  #atEnd: (() => void) | undefined
  readonly #recalled = new Set<IndexId>()
  /** Came before there was a desktop to open it on. */
  #linkAtStart: string | undefined

  constructor(options: Options) {
    this.#options = options
    this.#linkAtStart = options.launch.link
    this.#files = new ProfileFiles(app.getPath('userData'), options.clock)
    this.#watchRecord = new WatchRecord({ ...options, file: this.#files.plain('watched.json') })
    this.#context = this.#createContext()
    this.#subscriptions = new WantedSubscriptions(this.#context, options.launch.watch?.ids)
    this.#feed = createWindowFeed(this.#context, {
      send: (update) => this.#desktop?.send('window', update),
      windowSystem: options.windowSystem,
    })
    this.#tickerFeed = createTickerFeed(this.#context, {
      send: (update) => this.#desktop?.send('ticker', update),
      windowSystem: options.windowSystem,
    })
    this.#report = this.#createReport()
    this.#terminal = this.#createTerminal()
    this.#metrics = this.#createMetrics()
    if (options.launch.watch !== undefined) {
      const { env, pid } = process
      this.#serviceManager = new ServiceManager({ ...options, env, pid })
    }
    this.#notifiers = createNotifiers(this.#context, this.#terminal, (indexId) => {
      if (indexId === undefined) this.#openAlerts()
      else this.#desktop?.openIndex(indexId)
    })
    this.#kept = new KeptReader({
      ...options,
      tape: this.#context.tape,
      read: () => this.#readKept(),
      onChange: () => this.#historyChanged(),
    })
    this.#judgingNews = this.#createJudgingNews()
    this.#connect()
  }

  /** Electron is ready: reads what was kept, appears on the desktop, then turns to the service. */
  async start(): Promise<void> {
    const { settings, connections, notices, tape } = this.#context
    if (this.#options.launch.profileUse === 'look') notices.add(readOnly)
    else if (!this.#options.canSave) notices.add(notKept)
    if (this.#options.lacksXWayland) notices.add(noXWayland)
    const refused = this.#options.image?.refused
    if (refused?.isSaid === false) notices.add(takenBack(refused.version))
    const unsaid = notInstalled(this.#options.image)
    if (unsaid !== undefined) notices.add(unsaid)
    void this.#sweep()
    const loaded = await settings.load()
    if (!loaded.ok && this.#usesSettings) {
      const isNewer = loaded.problem.code === 'newerVersion'
      this.#context.judging.set('settings', { reason: isNewer ? 'newerSettings' : 'settings' })
    }
    // Whoever started a watch is not there to see that it runs on the demo service and lists of its own.
    if (!loaded.ok && this.#terminal !== undefined) {
      this.#options.onWatchOver('badArguments', loaded.problem.message)
      return
    }
    await this.#beginWatch()
    const onNotice = (message: string) => notices.add(message)
    await followPreferences(settings, {
      onChangeBase: () => {
        connections.changeBaseChanged()
        this.#recalled.clear()
        void this.#recallPast()
        this.#feed.resync()
        this.#tickerFeed.resync()
      },
      onBounds: (bounds) => {
        void tape.ask('setBounds', bounds)
      },
      onNotice,
    })
    this.#endClockWatch = watchClock({ clock: this.#options.clock, onNotice })
    this.#followComeback()
    this.#context.assistants.turn(settings.get().allowsAssistants)
    void this.#context.spreadsheets.turn(settings.get())
    this.#subscriptions.changed()
    const watching = this.#terminal?.start()
    if (watching === undefined) await this.#appear()
    else if (!watching.ok) {
      this.#options.onWatchOver('badArguments', watching.problem.message)
      return
    }
    const painted = this.#desktop?.window.firstPaint()
    const metrics = await this.#metrics?.listen(this.#options.launch.watch?.metricsPort ?? 0)
    if (metrics?.ok === false) {
      this.#options.onWatchOver('badArguments', `watch --metrics: ${metrics.problem.message} Choose another one.`)
      return
    }
    watchPower(powerMonitor, this.#options.clock, (sleptMs) => this.#woke(sleptMs))
    // The page draws what the tape has, and is not held up by what comes from services.
    connections.hold()
    const chosen = connections.choose()
    await painted
    await trustSystemAuthorities({
      ...this.#options,
      startThread: () => startThread('authorities-worker.js'),
    })
    await chosen
    if (this.#isStopping) return
    connections.release()
    this.#context.updates?.start()
    if (this.#start === 'goingOn') this.#start = 'good'
    // A window says so itself.
    if (this.#desktop?.window.page === undefined) this.#options.image?.startDidNotFail()
    this.#options.clock.after(goodStartMs, () => this.#confirmStart())
    this.#serviceManager?.ready()
  }

  openWindow(): void {
    this.#desktop?.window.open()
  }

  /** Opens what a link names, which is the most a link can do; one that cannot be read is refused with a message. */
  openLink(text: string): void {
    if (this.#desktop === undefined) {
      this.#linkAtStart = text
      return
    }
    const link = readDeepLink(text)
    const view = link.ok ? viewOf(link.value, this.#context.settings.get().watchlists) : link
    if (!view.ok) this.#context.notices.add(view.problem.message)
    this.#desktop.window.open(view.ok ? view.value : undefined)
  }

  /** The user started the app once more: the way back when there is no tray, or one that came late. */
  startedAgain({ isHidden, link, version }: StartedAgain): void {
    // A watch has nothing to open; the second start says so.
    if (this.#terminal !== undefined) return
    this.#desktop?.tray.recreate()
    if (link !== undefined) this.openLink(link)
    else if (!isHidden) this.openWindow()
    if (version !== undefined) void this.#newVersion.seen(version)
  }

  /**
   * Whether the app may end: asks where something would be lost, unless nobody is there to answer, as when the system ends it
   * or a watch runs without a window.
   */
  mayEnd(isForced: boolean): Promise<boolean> {
    if (isForced || this.#terminal !== undefined) {
      this.#sayLost()
      return Promise.resolve(true)
    }
    this.#asking ??= this.#askToEnd().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  /** Saves what is not saved yet and ends every part. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#endClockWatch?.()
    this.#atEnd?.()
    const { settings, alerts, dataWatch, reachWatch, bases, tape, exporter, rangeTester, connections, page, updates } =
      this.#context
    this.#context.formulas.dispose()
    this.#context.assistants.dispose()
    this.#metrics?.dispose()
    this.#serviceManager?.dispose()
    this.#context.spreadsheets.dispose()
    if (this.#start !== 'broken') this.#options.image?.startDidNotFail()
    updates?.dispose()
    connections.dispose()
    this.#context.secrets.dispose()
    page.dispose()
    alerts.dispose()
    // Else the next start would not know whether what was notified at the end was shown.
    await this.#notifiers.answered()
    this.#kept.leave()
    await exporter.dispose()
    await this.#context.tableExporter.dispose()
    await rangeTester.dispose()
    await Promise.all([settings.flush(), Promise.all([alerts.flush(), bases.flush()]).then(() => tape.close())])
    dataWatch.dispose()
    reachWatch.dispose()
    this.#feed.dispose()
    this.#tickerFeed.dispose()
    this.#notifiers.dispose()
    this.#judgingNews.dispose()
    await this.#desktop?.dispose()
    await this.#watchRecord.end()
    this.#confirmStart()
  }

  /** On macOS an update closes every window before the app hears that it quits: that is not the user's doing. */
  closeForUpdate(): void {
    this.#desktop?.ticker.dispose()
    this.#desktop?.window.dispose()
  }

  /** As the last thing before the process ends: installs an update that is ready. */
  installUpdate(): void {
    this.#context.updates?.installAtEnd()
  }

  /** What exports left behind when the app was killed. */
  async #sweep(): Promise<void> {
    const removed = await this.#context.unfinished.sweep()
    if (removed.length > 0) this.#options.log.info('Unfinished exports were removed', { count: removed.length })
  }

  async #askToEnd(): Promise<boolean> {
    const { clock, unsaved, settings, alerts, tape } = this.#context
    const mayEnd = await mayQuit({
      clock,
      unsaved,
      save: () => Promise.all([settings.flush(), alerts.flush().then(() => tape.commit({}))]),
      ask: async (message, signal) => {
        // Without a parent: the window may be hidden.
        const { response } = await dialog.showMessageBox({
          type: 'warning',
          title: 'Not saved',
          message,
          detail:
            'Unsaved changes are lost when Indexwatch quits. Indexwatch quits automatically once everything is saved.',
          buttons: ['Stay', 'Quit anyway'],
          defaultId: 0,
          cancelId: 0,
          signal,
        })
        return response === 1
      },
    })
    if (!mayEnd) this.#atEnd = undefined
    return mayEnd
  }

  #sayLost(): void {
    const { view } = this.#context.unsaved
    if (view !== null) process.stderr.write(`Indexwatch: ${unsavedWords(view)}\n`)
  }

  async #beginWatch(): Promise<void> {
    const { settings, notices } = this.#context
    const { afterCrash, isHidden, environment } = this.#options.launch
    const unwatched = await this.#watchRecord.begin(afterCrash)
    if (afterCrash !== undefined && environment?.keySecret === '') notices.add(keyNotKept)
    if (unwatched === undefined) return
    const { fromMs, toMs } = unwatched
    const precision = afterCrash === undefined ? 'minute' : 'second'
    const how = { precision, timeZone: settings.get().timeZone } as const
    const message = notWatching(timeText(fromMs, toMs, how), timeText(toMs, toMs, how))
    this.#options.log.warn(message)
    notices.add(message)
    // In the tray nobody sees the notice.
    if (afterCrash !== undefined && isHidden) void this.#notifiers.announce({ title: startedAgainTitle, body: message })
  }

  #followComeback(): void {
    const { comeback, clock } = this.#options
    if (comeback === undefined) return
    const { settings, notices } = this.#context
    const apply = () => comeback.turn(settings.get().startsAfterCrash)
    apply()
    settings.events.on('changed', apply)
    const { waitMs } = comeback
    if (waitMs === 0 || !settings.get().startsAfterCrash) return
    const nowMs = clock.wallMs()
    notices.add(noMoreComebacks(timeText(nowMs + waitMs, nowMs, { timeZone: settings.get().timeZone })))
  }

  async #appear(): Promise<void> {
    this.#desktop = await this.#createDesktop()
    this.#desktop.tray.changed()
    this.#desktop.follow(this.#context.settings.get())
    if (this.#linkAtStart !== undefined) this.openLink(this.#linkAtStart)
    else if (!this.#options.launch.isHidden && !wasOpenedAtLogin()) this.#desktop.window.open()
  }

  #createContext(): AppContext {
    return createContext(
      { ...this.#options, files: this.#files, updates: (routes) => createUpdates({ ...this.#options, routes }) },
      {
        wanted: () => this.#subscriptions.all(),
        switchTo: (kind) => this.#switchTo(kind),
        noticesChanged: (notices) => this.#feed.push({ notices }),
        pageChanged: () => {
          this.#subscriptions.changed()
          // A push cannot say that there is no page any more; a snapshot can.
          if (this.#context.page.id === undefined) this.#feed.resync()
        },
        followedChanged: () => this.#subscriptions.changed(),
        askConstituents: (id) => this.#subscriptions.constituentsOf(id),
        printPage: async () => {
          if (this.#desktop === undefined) throw new Error('there is no window')
          return this.#desktop.window.print()
        },
        openedChanged: (opened) => this.#feed.push({ opened }),
      },
    )
  }

  /** Whether connections come from the settings. */
  get #usesSettings(): boolean {
    const { isDemo, environment } = this.#options.launch
    return !isDemo && environment === undefined
  }

  #createJudgingNews(): JudgingNews {
    const { clock, log } = this.#options
    const { judging, settings, notices } = this.#context
    return new JudgingNews({
      clock,
      judging,
      timeZone: () => settings.get().timeZone,
      announce: (text) => {
        log.warn(text.title, { more: text.body })
        // A terminal says so itself.
        if (this.#terminal === undefined) void this.#notifiers.announce(text)
      },
      notice: (message) => notices.add(message),
    })
  }

  #createReport(): StartReport | undefined {
    const { launch, clock } = this.#options
    if (launch.reportPath === undefined) return undefined
    return new StartReport({
      clock,
      path: launch.reportPath,
      ids: () => listedEntries(this.#context.settings).map((entry) => entry.id),
      screenshot: async () => this.#desktop?.window.screenshot(),
      print: (line) => process.stdout.write(`${line}\n`),
    })
  }

  #createTerminal(): Terminal | undefined {
    const { launch, clock, onWatchOver } = this.#options
    if (launch.watch === undefined) return undefined
    return new Terminal({
      context: this.#context,
      watch: launch.watch,
      clock,
      print: (line) => process.stdout.write(`${line}\n`),
      onKeyLost: (problem) => onWatchOver('keyLost', problem),
      onUnknownRule: (problem) => onWatchOver('badArguments', problem),
    })
  }

  #createMetrics(): Metrics | undefined {
    const { launch, clock, hidden, log } = this.#options
    if (launch.watch?.metricsPort === undefined) return undefined
    return new Metrics({
      clock,
      context: this.#context,
      ids: () => this.#terminal?.ids ?? [],
      redact: redactor(() => [...hidden]),
      onError: (error) => log.error('Metrics could not be answered', { error: String(error) }),
    })
  }

  #createDesktop(): Promise<Desktop> {
    const { clock, log, windowSystem } = this.#options
    return Desktop.create({
      clock,
      log,
      placeFile: this.#files.plain('window.json'),
      tickerFile: this.#files.plain('ticker.json'),
      placesWindows: windowSystem.placesWindows,
      settings: () => this.#context.settings.get(),
      connections: this.#context.connections,
      handlers: commandHandlers(this.#context, {
        snapshot: () => {
          this.#options.image?.startDidNotFail()
          return this.#feed.snapshot()
        },
        testNotification: this.#notifiers.testNotification,
        restart: () => this.#startAgain(),
        ticker: {
          snapshot: () => this.#tickerFeed.snapshot(),
          fit: (size) => this.#desktop?.ticker.fit(size),
          showMenu: (at) => this.#desktop?.showTickerMenu(at),
          openIndex: (id) => this.#desktop?.openIndex(id),
        },
      }),
      trayView: () => presentTrayView(this.#context, clock.wallMs()),
      onOpenAlerts: () => this.#openAlerts(),
      onVisibility: (page, isVisible) => {
        const feed = page === 'window' ? this.#feed : this.#tickerFeed
        feed.watch(isVisible)
        if (page === 'window') this.#context.absence.setVisible(isVisible)
        if (page === 'window') this.#options.comeback?.setShown(isVisible)
        if (isVisible && page === 'window') this.#options.image?.problemsShown()
      },
      onBusEnded: () => {
        this.#options.comeback?.busEnded()
      },
      onPageGone: () => this.#context.chart.follow([]),
      onGivenUp: () => {
        this.#start = 'broken'
        this.#context.notices.add(windowCrashed)
      },
      onNotice: (message) => this.#context.notices.add(message),
      explainClosing: () => this.#notifiers.announce(closingExplained(this.#context.judging.view)),
    })
  }

  #connect(): void {
    const { settings, quotes, alerts, dataWatch, connections, judging, tape } = this.#context
    const trayChanged = () => {
      this.#desktop?.tray.changed()
    }
    settings.events.on('changed', () => {
      this.#subscriptions.changed()
      void this.#recallPast()
      trayChanged()
      this.#desktop?.follow(settings.get())
    })
    quotes.store.events.on('changed', ({ next }) => {
      this.#report?.valueChanged(next)
      trayChanged()
    })
    connections.events.on('statusChanged', () => {
      trayChanged()
      void this.#recallPast()
    })
    connections.events.on('moved', (ids) => {
      for (const id of ids) this.#recalled.delete(id)
      void this.#recallPast()
    })
    connections.events.on('catalogueChanged', () => {
      void this.#recallPast()
      // What a page asks for depends on how often its index publishes.
      this.#subscriptions.changed()
    })
    alerts.events.on('changed', () => {
      this.#subscriptions.alertsChanged()
      trayChanged()
    })
    dataWatch.events.on('changed', trayChanged)
    judging.events.on('changed', trayChanged)
    tape.events.on('troubleChanged', () => this.#historyChanged())
    settings.events.on('changed', ({ profiles }) => {
      if (profiles.length > 0) judging.set('settings', undefined)
    })
    alerts.events.on('notify', this.#notifiers.notify)
  }

  /** The rows show what the tape has of their past, whatever services say, once it is known how often each publishes. */
  async #recallPast(): Promise<void> {
    const { settings, quotes, connections } = this.#context
    const shown = new Set([...listedEntries(settings).map(({ id }) => id), ...glanceIds(settings)])
    // A row that is taken away and comes back has forgotten its past.
    for (const id of this.#recalled) if (!shown.has(id)) this.#recalled.delete(id)
    const names = settings.get().profiles.map(({ name }) => name)
    const indices = [...shown].flatMap((id) => {
      const resolution = connections.resolutionOf(id)
      if (resolution === undefined || this.#recalled.has(id)) return []
      const own = connections.originOf(id).connection
      return [{ id, resolution, others: new Set(names.filter((name) => name !== own)) }]
    })
    for (const { id } of indices) this.#recalled.add(id)
    if (!(await quotes.recall(indices))) return
    this.#feed.resync()
    this.#tickerFeed.resync()
  }

  /** Quits and starts as it was started, but for what is read from the settings again. */
  #startAgain(): void {
    this.#atEnd = () => startAgain(argumentsOfRestart(process.argv))
    app.quit()
  }

  #confirmStart(): void {
    if (this.#start === 'good') this.#options.image?.confirmStart()
  }

  /** Opening the inbox from a notification or the tray marks it read, also in a window that only now opens. */
  #openAlerts(): void {
    this.#desktop?.window.open('alerts')
    this.#context.alerts.markRead()
  }

  async #switchTo(kind: ServiceKind): Promise<void> {
    const { tape, quotes, alerts, reachWatch, bases, page, absence, judging } = this.#context
    absence.dismiss()
    page.serviceChanged()
    reachWatch.reset()
    this.#kept.leave()
    judging.setRulesRead(false)
    judging.set('lost', undefined)
    await alerts.leave()
    await tape.use(kind)
    const areValuesRead = await quotes.use(kind)
    this.#recalled.clear()
    const areRulesRead = await alerts.use()
    const areBasesRead = await bases.use()
    this.#kept.taken(areValuesRead && areRulesRead && areBasesRead)
    this.#feed.restart()
    this.#tickerFeed.restart()
  }

  /** As the tape in use can be read at last. Rules first: they wait for nothing else. */
  async #readKept(): Promise<boolean> {
    const { quotes, alerts, bases, connections } = this.#context
    const areRead = [await alerts.read(), await quotes.read(), await bases.use(), await connections.tapeOpened()]
    this.#recalled.clear()
    void this.#recallPast()
    this.#feed.resync()
    this.#tickerFeed.resync()
    return areRead.every(Boolean)
  }

  #historyChanged(): void {
    const { judging, tape } = this.#context
    judging.set('history', historyFault(tape.trouble, this.#kept.hasFailed))
  }

  #woke(sleptMs: number): void {
    const { connections, alerts, absence } = this.#context
    this.#options.clock.noteSleep(sleptMs)
    absence.slept(sleptMs)
    alerts.woke()
    const isToTry = sleptMs >= longSleepMs || connections.status.state !== 'live'
    if (isToTry && !connections.isPaused) connections.reconnect()
    this.#desktop?.tray.recreate()
    this.#feed.resync()
    this.#tickerFeed.resync()
  }
}

/** The section of the page that a link opens. */
function viewOf(link: DeepLink, lists: readonly Watchlist[]): Outcome<string> {
  const path = (...parts: (string | undefined)[]) => parts.map((part) => encodeURIComponent(part ?? '')).join('/')
  if (link.to === 'index') return { ok: true, value: path('index', link.indexId) }
  if (link.to === 'newAlert') return { ok: true, value: path('new-alert', link.indexId, link.level) }
  const wanted = link.name.toLowerCase()
  const list = lists.find(({ name }) => name.toLowerCase() === wanted)
  if (list === undefined) return failure('badLink', 'The link was not opened: there is no watchlist of that name.')
  return { ok: true, value: path('watchlist', list.id) }
}
