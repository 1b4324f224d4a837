import type { connectionCommands } from '../../protocol/commands/connections'
import type { HandlersOf } from '../../protocol/commands/contract'
import { done } from '../../protocol/model'
import type { AppContext } from './context'
import { urlsOf } from './new-hosts'

/** The connections to services, and the user's own profiles of them. */
export function connectionHandlers({
  connections,
  profiles,
  newHosts,
}: AppContext): HandlersOf<typeof connectionCommands> {
  return {
    reconnect: () => {
      connections.reconnect()
      return done
    },
    saveProfile: async ({ profile, keySecret }) =>
      (await newHosts.refusal(urlsOf(profile))) ?? profiles.save(profile, keySecret),
    removeProfile: async ({ profileId }) => {
      await profiles.remove(profileId)
      return done
    },
    setProfileEnabled: ({ profileId, isEnabled }) => profiles.setEnabled(profileId, isEnabled),
    testConnection: async ({ profile, keySecret }) =>
      (await newHosts.refusal(urlsOf(profile))) ?? profiles.test(profile, keySecret),
  }
}
