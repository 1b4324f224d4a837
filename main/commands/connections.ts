import type { connectionCommands } from '../../protocol/commands/connections'
import type { HandlersOf } from '../../protocol/commands/contract'
import { done, failure } from '../../core/model'
import type { AppContext } from './context'
import { urlsOf } from './new-hosts'

/** The connections to services, and the user's own profiles of them. */
export function connectionHandlers({
  connections,
  profiles,
  newHosts,
  routes,
  credentials,
  settings,
}: AppContext): HandlersOf<typeof connectionCommands> {
  return {
    setProxyCredentials: ({ name, password }) => {
      const { proxy, proxyServer } = settings.get()
      const asking = proxy === 'fixed' ? proxyServer : (routes.asking ?? '')
      if (asking === '') return failure('notFound', 'No proxy has asked for a user name and password yet.')
      // Known from now on; the keyring may ask its user for a password before it keeps them.
      void credentials.save(asking, name, password)
      if (!connections.isPaused) connections.reconnect()
      return done
    },
    reconnect: () => {
      connections.reconnect()
      return done
    },
    saveProfile: async ({ profile, keySecret }) =>
      (await newHosts.refusal(urlsOf(profile))) ?? profiles.save(profile, keySecret),
    stopWaitingForKeyring: ({ profileId, how }) => {
      profiles.stopWaiting(profileId, how)
      return done
    },
    removeProfile: async ({ profileId }) => {
      await profiles.remove(profileId)
      return done
    },
    setProfileEnabled: ({ profileId, isEnabled }) => profiles.setEnabled(profileId, isEnabled),
    testConnection: async ({ profile, keySecret }) =>
      (await newHosts.refusal(urlsOf(profile))) ?? profiles.test(profile, keySecret),
  }
}
