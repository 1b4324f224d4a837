import type { CommandHandlers } from '../protocol/desktop'
import type { Outcome } from '../protocol/model'
import type { Owners } from './app-views'

const done: Outcome<null> = { ok: true, value: null }
const notYet: Outcome<never> = { ok: false, problem: { code: 'notYet', message: 'Not built yet.' } }

type ConnectionCommand =
  'reconnect' | 'saveProfile' | 'removeProfile' | 'setProfileEnabled' | 'testConnection' | 'getDiagnostics'

/** The connections and what can be told of them. */
export function connectionCommands({ services }: Owners): Pick<CommandHandlers, ConnectionCommand> {
  return {
    reconnect: () => {
      services.reconnect()
      return done
    },
    saveProfile: ({ profile, keySecret }) => services.saveProfile(profile, keySecret),
    removeProfile: async ({ profileId }) => {
      await services.removeProfile(profileId)
      return done
    },
    setProfileEnabled: () => notYet,
    testConnection: () => notYet,
    getDiagnostics: () => notYet,
  }
}
