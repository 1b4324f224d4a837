import type { connectionCommands } from '../../protocol/commands/connections'
import type { HandlersOf } from '../../protocol/commands/contract'
import type { AppContext } from './context'

/** The connections to services, and the user's own profiles of them. */
export function connectionHandlers({ connections, profiles }: AppContext): HandlersOf<typeof connectionCommands> {
  return {
    reconnect: () => {
      connections.reconnect()
      return { ok: true, value: null }
    },
    saveProfile: ({ profile, keySecret }) => profiles.save(profile, keySecret),
    removeProfile: async ({ profileId }) => {
      await profiles.remove(profileId)
      return { ok: true, value: null }
    },
    setProfileEnabled: ({ profileId, isEnabled }) => profiles.setEnabled(profileId, isEnabled),
    testConnection: ({ profile, keySecret }) => profiles.test(profile, keySecret),
  }
}
