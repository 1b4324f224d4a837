import { onTestFinished } from 'vitest'
import { distribute } from '../../main/app/received'
import { storedValues } from '../../main/connections/known-values'
import { Profiles } from '../../main/connections/profiles'
import { CatalogueMemory } from '../../main/connections/catalogue-memory'
import { Connections } from '../../main/connections/connections'
import { QuoteData } from '../../main/quotes/quote-data'
import { SystemClock } from '../../main/base/clock'
import { Counters } from '../../main/base/log'
import { IndexPage } from '../../main/index-page/index-page'
import { PageMemory } from '../../main/index-page/page-memory'
import { SecretKeeper, type Encryption } from '../../main/storage/secret-keeper'
import { SettingsStore } from '../../main/storage/settings'
import type { ConnectionProfile, IndexId, Subscription } from '../../core/model'
import { startSimulator, type Simulator } from '../../simulator/server'
import { memoryEncryption } from './memory-encryption'
import { MemoryHistory } from './memory-history'
import { MemoryJsonFile } from './memory-json-file'
import { RecordedLog } from './recorded-log'
import { noRules } from './open-alerts'
import { ScriptedService, successBody } from './scripted-service'
import { onError } from './on-error'

/**
 * The connections as the app combines them, without Electron and the demo service. Everything ends with the test.
 * `rules` receive the data, and what they need is requested.
 */
export async function openConnections(
  ids: readonly IndexId[],
  history = new MemoryHistory(),
  {
    rules = noRules,
    wantedByRules = () => [],
    encryption = memoryEncryption,
    secretFile = new MemoryJsonFile(),
  }: {
    rules?: typeof noRules
    wantedByRules?: () => Subscription[]
    encryption?: Encryption
    secretFile?: MemoryJsonFile
  } = {},
) {
  const clock = new SystemClock()
  const log = new RecordedLog()
  const settings = new SettingsStore({ backend: new MemoryJsonFile(), clock, onError })
  const secrets = new SecretKeeper({ file: secretFile, encryption, clock, platform: 'linux', onError })
  const quotes = new QuoteData({ history, clock, log, changeBase: () => 'sessionFirst', onError })
  const page: IndexPage = new IndexPage({
    clock,
    memory: new PageMemory({ history: history, clock, log: log }),
    source: () => (page.id === undefined ? undefined : connections.sourceOf(page.id)),
    onIdChange: () => connections.wantedChanged(),
    onChange: () => undefined,
  })
  const wanted = (): Subscription[] => [
    ...ids.map((id): Subscription => ({ stream: 'value', id, maxResolution: 'PER_SECOND' })),
    ...(page.id === undefined ? [] : [{ stream: 'value', id: page.id, maxResolution: 'PER_SECOND' } as const]),
    ...wantedByRules(),
  ]
  const moved: IndexId[][] = []
  const demo = { starts: 0, ends: 0, giveUp: (): void => undefined }
  const kinds: string[] = []
  const hidden = new Set<string>()
  const connections: Connections = new Connections({
    launch: { isDemo: false, isHidden: true },
    createDemo: ({ onGivenUp }) => {
      demo.giveUp = onGivenUp
      return { start: () => demo.starts++, dispose: () => demo.ends++ }
    },
    clock,
    log,
    counters: new Counters(),
    settings,
    secrets,
    hidden,
    appVersion: '1.2.3',
    wanted,
    known: storedValues(history),
    watchedByRules: () => new Set(),
    memory: new CatalogueMemory({ history, clock, log }),
    switchTo: async (kind) => {
      kinds.push(kind)
      await quotes.use(kind)
    },
    onError,
  })
  connections.events.on('moved', (ids) => moved.push([...ids]))
  distribute(connections.events, { clock, history, quotes, pages: { all: () => [page] }, rules }, (id) =>
    connections.connectionOf(id),
  )
  const profiles = new Profiles({ settings, secrets, connections, hidden, clock, appVersion: '1.2.3', onError })
  onTestFinished(() => {
    connections.dispose()
    page.dispose()
  })
  await settings.load()
  return { connections, profiles, settings, secrets, quotes, page, log, moved, demo, kinds, hidden }
}

/** A simulator with its own key, and a profile that connects to it. */
export async function openSimulator(id: string, more: Partial<ConnectionProfile> = {}) {
  const simulator = await startSimulator({ key: { id: `${id}-key`, secret: `${id}-secret-5d1f` } })
  onTestFinished(() => simulator.close())
  return { simulator, profile: profileOf(simulator, id, more), secret: simulator.keySecret }
}

function profileOf(simulator: Simulator, id: string, more: Partial<ConnectionProfile> = {}): ConnectionProfile {
  const { wsUrl: webSocketUrl, restUrl, mcpUrl, keyId } = simulator
  return { id, name: id, auth: 'basic', isEnabled: true, webSocketUrl, restUrl, mcpUrl, keyId, ...more }
}

/** A scripted service that lists these indices, and a profile that connects to it. */
export async function openScripted(id: string, indices: readonly IndexId[]) {
  const service = await ScriptedService.start()
  onTestFinished(() => service.stop())
  const listed = indices.map((index) => ({ id: index, name: index, decimals: 2, maxResolution: 'PER_SECOND' }))
  service.routes.set('indices', { body: successBody(listed) })
  const { webSocketUrl, restUrl } = service
  const profile: ConnectionProfile = {
    id,
    name: id,
    auth: 'basic',
    isEnabled: true,
    webSocketUrl,
    restUrl,
    keyId: `${id}-key`,
  }
  /** The ids subscribed now, in order of subscription. */
  const subscribed = (): string[] => {
    const held = new Set<string>()
    for (const command of service.commands as { type: string; id: string }[]) {
      if (command.type === 'subscribe') held.add(command.id)
      if (command.type === 'unsubscribe') held.delete(command.id)
    }
    return [...held]
  }
  return { service, profile, secret: `${id}-secret-9c2e`, subscribed }
}
