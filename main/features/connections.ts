import { done, failure, type IndexId, type ServiceKind, type Subscription } from '../../core/model'
import type { CommandHandlers } from '../../protocol/commands/contract'
import { Counters } from '../base/log'
import { CatalogueMemory } from '../connections/catalogue-memory'
import type { Demo, DemoListener } from '../connections/connection-slot'
import { Connections } from '../connections/connections'
import { storedValues } from '../connections/known-values'
import { Profiles } from '../connections/profiles'
import type { ProxyCredentials } from '../connections/proxy-credentials'
import type { LaunchOptions } from '../desktop/launch-options'
import type { SecretKeeper } from '../storage/secret-keeper'
import { does, slice, type Core, type SharedFeature } from './feature'
import { urlsOf } from './new-hosts'

interface Options {
  launch: LaunchOptions
  secrets: SecretKeeper
  credentials: ProxyCredentials
  createDemo: (listener: DemoListener) => Demo
  wanted: () => readonly Subscription[]
  watchedByRules: () => ReadonlySet<IndexId>
  /** Called when another kind of service is used. Resolves when its stored data is read. */
  switchTo: (kind: ServiceKind) => Promise<void>
}

/** After a shorter sleep the connection may still work. If not, it notices itself. */
const longSleepMs = 5_000

/** Connections to services, the user's profiles, and the proxy's credentials. */
export function createConnections(core: Core, options: Options) {
  const counters = new Counters()
  const { secrets } = options
  const known = storedValues(core.history)
  const connections = new Connections({ ...core, ...options, counters, known, memory: new CatalogueMemory(core) })
  const profiles = new Profiles({ ...core, secrets, connections })
  return {
    connections,
    counters,
    slices: [
      slice(
        () => ({
          status: connections.status,
          connections: connections.views,
          hasProxyAsked: core.routes.unauthorizedProxy !== undefined,
        }),
        connections.events,
        'statusChanged',
      ),
      slice(() => ({ catalogue: connections.catalogue }), connections.events, 'catalogueChanged'),
      slice(() => ({ tools: connections.tools }), connections.events, 'toolsChanged'),
      slice(() => ({ secretsKept: secrets.kept() }), secrets.events, 'changed'),
      slice(() => ({ awaitingKeyring: profiles.awaitingKeyring }), profiles.events, 'awaitingKeyring'),
    ],
    commands: connectionCommands(core, { ...options, connections, profiles }),
    follow() {
      connections.events.on('notice', core.notice)
      secrets.events.on('notice', core.notice)
      // Subscriptions depend on how often an index publishes.
      connections.events.on('catalogueChanged', () => core.events.emit('wantedChanged', null))
      connections.events.on('moved', () => core.events.emit('resync', null))
    },
    woke(sleptMs: number) {
      const isToTry = sleptMs >= longSleepMs || connections.status.state !== 'live'
      if (isToTry && !connections.isPaused) connections.reconnect()
    },
    dispose() {
      connections.dispose()
      secrets.dispose()
    },
  } satisfies SharedFeature
}

export function connectionCommands(
  { settings, routes, newHosts }: Pick<Core, 'settings' | 'routes' | 'newHosts'>,
  {
    connections,
    profiles,
    credentials,
  }: Pick<Options, 'credentials'> & { connections: Connections; profiles: Profiles },
) {
  return {
    setProxyCredentials: ({ name, password }) => {
      const { proxy, proxyServer } = settings.get()
      const server = proxy === 'fixed' ? proxyServer : (routes.unauthorizedProxy ?? '')
      if (server === '') return failure('notFound', 'No proxy has asked for a user name and password yet.')
      // The credentials are used immediately. Not awaited: the keyring may ask its user for a password first.
      void credentials.save(server, name, password)
      if (!connections.isPaused) connections.reconnect()
      return done
    },
    reconnect: does(() => connections.reconnect()),
    saveProfile: async ({ profile, keySecret }) =>
      (await newHosts.refusal(urlsOf(profile))) ?? profiles.save(profile, keySecret),
    stopWaitingForKeyring: does(({ profileId, how }) => profiles.stopWaiting(profileId, how)),
    removeProfile: does(({ profileId }) => profiles.remove(profileId)),
    setProfileEnabled: ({ profileId, isEnabled }) => profiles.setEnabled(profileId, isEnabled),
    testConnection: async ({ profile, keySecret }) =>
      (await newHosts.refusal(urlsOf(profile))) ?? profiles.test(profile, keySecret),
  } satisfies Partial<CommandHandlers>
}
