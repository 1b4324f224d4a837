/** Composition root: builds every part and says what one does to another. */
import { join } from 'node:path'
import { app, nativeTheme } from 'electron'
import type { IndexId } from '../protocol/model'
import { alertFiles } from './app-alert-files'
import { AlertRelay } from './app-alert-relay'
import { relayPoints } from './app-chart'
import { followChangeBase } from './app-change-base'
import { commandHandlers } from './app-commands'
import { Desktop } from './app-desktop'
import { followLoginStart } from './app-login'
import { cacheNotice, crashedNotice, notKeptNotice, relayNotices } from './app-notices'
import { createMessengers, type Messengers } from './app-notifications'
import { createOwners } from './app-owners'
import { StartReport } from './app-report'
import { RowPace } from './app-rows'
import type { ValueKind } from './app-values'
import {
  allRowFacts,
  listedEntries,
  presentTrayView,
  rowFacts,
  wantedSubscriptions,
  windowState,
  type Owners,
} from './app-views'
import type { SystemClock } from './base/clock'
import type { JsonFile } from './base/json-file'
import type { Log } from './base/log'
import type { LaunchOptions } from './desktop/launch-options'
import { watchPower } from './desktop/power'
import { isBasesDocument } from './index-page/base-document'
import { Batcher } from './ipc/batcher'
import { AtomicJsonFile } from './storage/atomic-file'

interface Options {
  launch: LaunchOptions
  clock: SystemClock
  log: Log
  /** Texts the log takes out; the secrets in use are added. */
  hidden: Set<string>
  /** The last lines of the log that tell of something wrong. */
  problems: () => readonly string[]
  /** False when the profile's folder cannot be written to and a temporary one stands in for it. */
  canSave: boolean
}

/** After a shorter sleep the line to the service may still hold, and its own watch finds out. */
const longSleepMs = 5_000
const mostFileBytes = 16 * 2 ** 20

export class App {
  readonly #options: Options
  readonly #folder = app.getPath('userData')
  readonly #owners: Owners
  readonly #batcher: Batcher
  readonly #rows: RowPace
  readonly #alertRelay: AlertRelay
  readonly #messengers: Messengers
  readonly #report: StartReport | undefined
  #wantedIds: ReadonlySet<IndexId> = new Set()
  #desktop: Desktop | undefined

  constructor(options: Options) {
    const { clock } = options
    this.#options = options
    this.#owners = this.#createOwners()
    const { values, services } = this.#owners
    this.#batcher = new Batcher({
      clock,
      send: (update) => this.#desktop?.send(update),
      ageMs: (id) => values.store.ageMs(id),
    })
    this.#rows = new RowPace({
      clock,
      resolutionOf: (id) => services.resolutionOf(id),
      push: (id) => {
        this.#pushRow(id)
      },
    })
    this.#alertRelay = new AlertRelay(this.#owners, this.#batcher, () => {
      this.#wantedChanged()
    })
    this.#messengers = createMessengers(this.#owners, clock, (indexId) => {
      if (indexId === undefined) this.#openAlerts()
      else this.#desktop?.window.open(`index/${encodeURIComponent(indexId)}`)
    })
    this.#report = this.#createReport()
    this.#connectParts()
  }

  /** Electron is ready: reads what was kept, appears on the desktop, then turns to the service. */
  async start(): Promise<void> {
    const { settings, services, notices } = this.#owners
    if (!this.#options.canSave) notices.add(notKeptNotice)
    await settings.load()
    nativeTheme.themeSource = settings.get().theme
    followLoginStart(settings, (message) => {
      notices.add(message)
    })
    followChangeBase(settings, () => {
      services.changeBaseChanged()
      this.#batcher.resync()
    })
    this.#wantedChanged()
    this.#desktop = await this.#createDesktop()
    this.#desktop.tray.changed()
    watchPower(this.#options.clock, (sleptMs) => {
      this.#woke(sleptMs)
    })
    if (!this.#options.launch.isHidden) this.#desktop.window.open()
    await services.choose()
  }

  openWindow(): void {
    this.#desktop?.window.open()
  }

  /** The user started the app once more: the way back when there is no tray, or one that came late. */
  startedAgain(): void {
    this.#desktop?.tray.recreate()
    this.openWindow()
  }

  /** Saves what is not saved yet and lets go of everything. */
  async stop(): Promise<void> {
    const { settings, alerts, bases, values, services, page } = this.#owners
    services.dispose()
    page.dispose()
    alerts.dispose()
    await Promise.all([settings.flush(), alerts.flush(), bases.flush(), values.flush()])
    this.#rows.dispose()
    this.#alertRelay.watch(false)
    this.#messengers.dispose()
    await this.#desktop?.dispose()
  }

  #file(name: string, how: { keepsBackup?: boolean; accepts?: (value: unknown) => boolean } = {}): JsonFile {
    const { clock } = this.#options
    return new AtomicJsonFile({ path: join(this.#folder, name), clock, maxBytes: mostFileBytes, ...how })
  }

  #createOwners(): Owners {
    const { launch, clock, log, hidden, problems } = this.#options
    const file = (name: string, how: { keepsBackup: boolean }) => this.#file(name, how)
    return createOwners(
      { launch, clock, log, hidden, problems, folder: this.#folder, file },
      {
        useValues: (kind) => this.#useValues(kind),
        moved: (ids) => {
          this.#owners.values.demote(ids)
          this.#batcher.resync()
        },
        statusChanged: () => {
          const { services, secrets } = this.#owners
          const { status, views: connections } = services
          this.#batcher.stateChanged({ status, connections, secretsKept: secrets.kept() })
          this.#desktop?.tray.changed()
        },
        catalogueChanged: () => {
          this.#batcher.stateChanged({ catalogue: this.#owners.services.catalogue })
          // What a page asks for depends on how often its index publishes.
          this.#wantedChanged()
        },
        toolsChanged: () => {
          const { tools } = this.#owners.services
          if (tools !== undefined) this.#batcher.stateChanged({ tools })
        },
        rowChanged: (id) => {
          this.#pushRow(id)
        },
        noticesChanged: (notices) => {
          this.#batcher.stateChanged({ notices })
        },
        pageChanged: () => {
          this.#wantedChanged()
          // A push cannot say that there is no page any more; a snapshot can.
          if (this.#owners.page.id === undefined) this.#batcher.resync()
        },
        openedChanged: (opened) => {
          this.#batcher.stateChanged({ opened })
        },
      },
    )
  }

  #createReport(): StartReport | undefined {
    const { launch, clock } = this.#options
    if (launch.reportPath === undefined) return undefined
    return new StartReport({
      clock,
      path: launch.reportPath,
      ids: () => listedEntries(this.#owners.settings).map((entry) => entry.id),
      screenshot: async () => this.#desktop?.window.screenshot(),
      print: (line) => process.stdout.write(`${line}\n`),
    })
  }

  #createDesktop(): Promise<Desktop> {
    const { clock, log } = this.#options
    const owners = this.#owners
    const snapshot = () => this.#batcher.snapshot(owners.values.store.all(), allRowFacts(owners), windowState(owners))
    return Desktop.create({
      clock,
      log,
      boundsFile: this.#file('window.json', { keepsBackup: false }),
      handlers: commandHandlers(owners, this.#messengers, snapshot),
      trayView: () => presentTrayView(owners, clock.wallMs()),
      onOpenAlerts: () => {
        this.#openAlerts()
      },
      onVisibility: (isVisible) => {
        this.#alertRelay.watch(isVisible)
        if (isVisible) this.#batcher.resume()
        else this.#batcher.pause()
      },
      onGivenUp: () => {
        owners.notices.add(crashedNotice)
      },
    })
  }

  #connectParts(): void {
    const { log } = this.#options
    const { settings, values, alerts, bases, page } = this.#owners
    relayNotices(this.#owners, log)
    relayPoints(this.#owners, this.#batcher)
    settings.events.on('changed', (changed) => {
      nativeTheme.themeSource = changed.theme
      this.#batcher.stateChanged({ settings: changed })
      this.#wantedChanged()
      this.#desktop?.tray.changed()
    })
    values.store.events.on('changed', ({ previous, next }) => {
      values.noteChange()
      alerts.consider(previous, next)
      this.#alertRelay.valueSeen()
      this.#batcher.quoteChanged(next)
      this.#rows.valueChanged(next.id)
      this.#report?.valueChanged(next)
      this.#desktop?.tray.changed()
    })
    values.store.events.on('corrected', ({ id, publication }) => {
      alerts.correct(id, publication)
    })
    bases.events.on('changed', (id) => {
      page.baseChanged(id)
    })
    alerts.events.on('changed', () => {
      this.#alertRelay.changed()
      this.#desktop?.tray.changed()
    })
    alerts.events.on('told', this.#messengers.tell)
  }

  /** Who is led to the inbox by a click has read it, also in a window that only now opens. */
  #openAlerts(): void {
    this.#desktop?.window.open('alerts')
    this.#owners.alerts.markRead()
  }

  #pushRow(id: IndexId): void {
    this.#batcher.rowChanged(rowFacts(this.#owners, id))
  }

  #wantedChanged(): void {
    const { values, services } = this.#owners
    const wanted = wantedSubscriptions(this.#owners)
    const ids = new Set(wanted.map(({ id }) => id))
    for (const id of this.#wantedIds) {
      if (!ids.has(id)) values.forget(id)
    }
    this.#wantedIds = ids
    services.wantedChanged()
  }

  async #useValues(kind: ValueKind): Promise<void> {
    const { values, alerts, bases, page, notices } = this.#owners
    page.serviceChanged()
    const cache = await values.use(kind)
    const place = { folder: this.#folder, clock: this.#options.clock }
    if (cache !== undefined) await alerts.use(alertFiles(kind, place))
    const basesName = kind === 'demo' ? 'constituent-bases-demo.json' : 'constituent-bases.json'
    if (cache !== undefined) await bases.use(this.#file(basesName, { accepts: isBasesDocument }))
    this.#rows.reset()
    this.#batcher.resync()
    const notice = cache === undefined ? undefined : cacheNotice(cache)
    if (notice !== undefined) notices.add(notice)
  }

  #woke(sleptMs: number): void {
    const { services, alerts } = this.#owners
    this.#options.clock.noteSleep(sleptMs)
    alerts.woke()
    if (sleptMs >= longSleepMs || services.status.state !== 'live') services.reconnect()
    this.#desktop?.tray.recreate()
    this.#batcher.resync()
  }
}
