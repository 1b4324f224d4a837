import { toJson, type CommandHandlers } from '../protocol/desktop'
import type { Outcome } from '../protocol/model'
import type { Owners } from './app-views'

const done: Outcome<null> = { ok: true, value: null }

type ConnectionCommand =
  'reconnect' | 'saveProfile' | 'removeProfile' | 'setProfileEnabled' | 'testConnection' | 'getDiagnostics'

/** The connections and what can be told of them. */
export function connectionCommands({
  services,
  profiles,
  diagnosis,
}: Owners): Pick<CommandHandlers, ConnectionCommand> {
  return {
    reconnect: () => {
      services.reconnect()
      return done
    },
    saveProfile: ({ profile, keySecret }) => profiles.save(profile, keySecret),
    removeProfile: async ({ profileId }) => {
      await profiles.remove(profileId)
      return done
    },
    setProfileEnabled: ({ profileId, isEnabled }) => profiles.setEnabled(profileId, isEnabled),
    testConnection: ({ profile, keySecret }) => profiles.test(profile, keySecret),
    getDiagnostics: () => ({ ok: true, value: toJson(diagnosis.read()) }),
  }
}
