/** All of main behind the sockets, combined as in the app, with its history on the disk and a page that shows everything. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SHARE_ENV, Worker } from 'node:worker_threads'
import { connectFormulas } from '../../../main/app/formula-values'
import type { PageSources } from '../../../main/app/page-feed'
import { createTickerFeed, createWindowFeed } from '../../../main/app/pages'
import { distribute } from '../../../main/app/received'
import { AssistantAccess } from '../../../main/access/assistant-access'
import { SystemClock } from '../../../main/base/clock'
import { Emitter } from '../../../main/base/emitter'
import { Counters, createLog } from '../../../main/base/log'
import { CatalogueMemory } from '../../../main/connections/catalogue-memory'
import type { ConnectionEvents } from '../../../main/connections/connection-events'
import { Connections } from '../../../main/connections/connections'
import { storedValues } from '../../../main/connections/known-values'
import { TrayPace } from '../../../main/desktop/tray-pace'
import { createAlerts } from '../../../main/features/alerts'
import type { Core, CoreEvents } from '../../../main/features/feature'
import { createIndexPage } from '../../../main/features/index-page'
import { createWanted, type Wanted } from '../../../main/features/subscriptions'
import { presentTrayView } from '../../../main/features/tray'
import { createValues, type Values } from '../../../main/features/values'
import { HistoryStore } from '../../../main/history-store/history-store'
import { Notices } from '../../../main/ipc/notices'
import { SecretKeeper } from '../../../main/storage/secret-keeper'
import { SettingsStore } from '../../../main/storage/settings'
import { ok, type Subscription } from '../../../core/model'
import type { AlertDraft } from '../../../core/alerts'
import { memoryEncryption } from '../../../test/support/memory-encryption'
import { MemoryJsonFile } from '../../../test/support/memory-json-file'

interface Options {
  url: string
  folder: string
  /** Path of the built history thread. */
  workerPath: string
  wanted: readonly Subscription[]
}

export interface AppPath {
  events: Emitter<ConnectionEvents>
  /** Creates these alerts. */
  watch: (drafts: readonly AlertDraft[]) => Promise<void>
  /** Resolves when everything received is on the disk. */
  written: () => Promise<void>
}

/** Opens the app and connects it to a service. The window is visible, the ticker is not. */
export async function openAppPath({ url, folder, workerPath, wanted }: Options): Promise<AppPath> {
  const clock = new SystemClock()
  const onError = (error: unknown) => {
    throw error
  }
  const log = createLog({ write: (line) => process.stderr.write(`${line}\n`), redact: (text) => text, clock })
  const history = new HistoryStore({
    folder,
    clock,
    log,
    startThread: (workerData) => new Worker(countedThread(workerPath), { eval: true, workerData, env: SHARE_ENV }),
  })
  const settings = new SettingsStore({ backend: new MemoryJsonFile(), clock, onError })
  const secretFile = new MemoryJsonFile()
  const shared = {
    clock,
    log,
    settings,
    history,
    folder,
    hidden: new Set<string>(),
    appVersion: '0.0.0',
    notices: new Notices(onError),
    notice: (message: string) => log.info(message),
    events: new Emitter<CoreEvents>(onError),
    newId: randomUUID,
    onError,
  } satisfies Partial<Core>
  // The parts that the measured work never asks for are missing.
  const core = shared as typeof shared & Core
  const values: Values = createValues(core, () => connections)
  const { quotes, formulas } = values
  const connections: Connections = new Connections({
    ...core,
    launch: { isDemo: false, isHidden: false, environment: { profile: profileOf(url), keySecret: 'bench secret' } },
    createDemo: () => ({ start: () => undefined, dispose: () => undefined }),
    counters: new Counters(),
    secrets: new SecretKeeper({ ...core, file: secretFile, encryption: memoryEncryption, platform: 'linux' }),
    wanted: () => all.all(),
    known: storedValues(history),
    watchedByRules: () => new Set(alerts.listening().map(({ indexId }) => indexId)),
    memory: new CatalogueMemory(core),
    switchTo: async (kind) => {
      await history.use(kind)
      await quotes.use(kind)
      await alerts.use()
    },
  })
  const indexPage = createIndexPage(core, { connections, quotes, printPage: () => Promise.resolve(new Uint8Array()) })
  const { pages } = indexPage
  const alerting = createAlerts(core, { connections, quotes, pages })
  const { alerts, dataWatch, judging } = alerting
  const all: Wanted = createWanted({ clock, connections, values, wanted: () => [...wanted, ...alerting.wanted()] })
  const assistants = new AssistantAccess({
    ...core,
    listen: () => Promise.resolve(ok(() => undefined)),
    data: () => onError('asked'),
    watchlists: () => settings.get().watchlists,
    faultOf: () => undefined,
  })
  const tray = new TrayPace(
    clock,
    () => presentTrayView({ settings, quotes, connections, alerts, judging, dataWatch }, clock.wallMs()),
    { setIcon: () => undefined, setTooltip: () => undefined, setMenu: () => undefined, setTitle: () => undefined },
  )
  distribute(connections.events, { clock, history, quotes, pages, rules: alerts }, (id) => connections.connectionOf(id))
  values.follow()
  quotes.store.events.on('changed', ({ next }) => assistants.valueSeen(next.id))
  indexPage.follow()
  alerting.follow()
  quotes.store.events.on('changed', () => tray.valueChanged())
  connectFormulas({
    ...values,
    events: connections.events,
    pastValues: quotes.pastValues,
  })
  core.events.on('wantedChanged', () => all.changed())
  const sources: PageSources = {
    clock,
    settings,
    onResync: (run) => core.events.on('resync', run),
    store: quotes.store,
    formulas,
    connections,
    alerts,
    alertDocuments: alerting.documents,
    slices: alerting.slices,
    state: () => onError('asked'),
    rowFacts: values.rowFacts,
  }
  createWindowFeed(sources, indexPage, () => undefined).watch(true)
  createTickerFeed(sources, () => undefined)
  const live = new Promise((resolve) => connections.events.on('wentLive', resolve))
  await settings.load()
  await connections.choose()
  all.changed()
  await live
  return {
    events: connections.events,
    async watch(drafts) {
      const created = await alerts.createAll(drafts, () => undefined)
      if (!created.ok) throw new Error(created.problem.message)
    },
    async written() {
      await history.commit({})
    },
  }
}

const profileOf = (webSocketUrl: string) => ({
  id: 'bench',
  name: 'Bench',
  auth: 'basic' as const,
  isEnabled: true,
  webSocketUrl,
  keyId: 'bench',
})

const threadVariable = 'INDEXWATCH_BENCH_THREAD'

/** A program that notes which thread it runs on, then runs the module. The thread of the backup is not noted. */
function countedThread(modulePath: string): string {
  return `process.env.${threadVariable} ??= require('node:fs').readlinkSync('/proc/thread-self')
    import(${JSON.stringify(modulePath)})`
}

/** CPU in µs that the history's thread has used so far. B12 measures what it does. */
export function historyThreadUs(): number {
  const thread = process.env[threadVariable]
  if (thread === undefined) throw new Error('the thread of the history has not started')
  return Number(readFileSync(`/proc/${thread}/schedstat`, 'latin1').split(' ')[0]) / 1_000
}
