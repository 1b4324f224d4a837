import { done, type Settings } from '../../core/model'
import type { Preferences } from '../../core/preferences'
import type { CommandHandlers } from '../../protocol/commands/contract'
import type { Owners } from '../access/latest'
import { slice, type Core, type SharedFeature } from './feature'
import { UnsavedChanges } from './unsaved'

/** The settings, and which changes are not on the disk yet. */
export function createSettings(core: Core, { connections, alerts }: Pick<Owners, 'connections' | 'alerts'>) {
  const { settings, log, notices } = core
  const unsaved = new UnsavedChanges({
    ...core,
    alerts,
    say: (message) => {
      if (message !== undefined) log.warn('Notice', { message })
      notices.say('unsaved', message)
    },
  })
  return {
    unsaved,
    slices: [
      // Pages get each change through `settingsChanged`.
      slice((): { settings: Settings } => ({ settings: settings.get() })),
      slice(() => ({ unsaved: unsaved.view }), unsaved.events, 'changed'),
    ],
    commands: settingsCommands(core, connections),
    follow: () => void settings.events.on('notice', core.notice),
  } satisfies SharedFeature
}

export function settingsCommands(
  { settings, routes, newHosts }: Pick<Core, 'settings' | 'routes' | 'newHosts'>,
  connections: Pick<Owners['connections'], 'isPaused' | 'reconnect'>,
) {
  return {
    setPreferences: async (preferences) => {
      const { proxyServer = '', proxyScript = '', secondWebhook = '', heartbeatWebhook = '' } = preferences
      const urls = [proxyServer, proxyScript, secondWebhook, heartbeatWebhook].filter((url) => url !== '')
      const refusal = await newHosts.refusal(urls)
      if (refusal !== undefined) return refusal
      const before = wayOf(settings.get())
      await settings.set(preferences)
      if (wayOf(settings.get()) !== before) {
        routes.forgetUnauthorized()
        if (!connections.isPaused) connections.reconnect()
      }
      return done
    },
  } satisfies Partial<CommandHandlers>
}

/** The settings that decide how services are reached. */
function wayOf({ proxy, proxyServer, proxyScript }: Preferences): string {
  return JSON.stringify([proxy, proxyServer, proxyScript])
}
