import type { CommandHandlers } from '../protocol/desktop'
import type { Outcome } from '../protocol/model'
import type { Owners } from './app-views'

const done: Outcome<null> = { ok: true, value: null }
const notYet: Outcome<never> = { ok: false, problem: { code: 'notYet', message: 'Not built yet.' } }

type ListCommand =
  | 'addIndex'
  | 'removeIndex'
  | 'moveIndex'
  | 'setResolution'
  | 'createList'
  | 'renameList'
  | 'removeList'
  | 'restoreList'
  | 'moveList'
  | 'arrangeList'
  | 'setPinned'
  | 'setPreferences'
  | 'setTheme'

/** Lists, and how the app looks: the settings own both. */
export function listCommands({ settings, services }: Owners): Pick<CommandHandlers, ListCommand> {
  return {
    addIndex: (args) => {
      const added = settings.addIndex(args)
      // Adding what the service refused is how a user asks for it again.
      if (added.ok && added.value.wasThere) services.askAgain(args.indexId)
      return added
    },
    removeIndex: (args) => settings.removeIndex(args),
    moveIndex: () => notYet,
    setResolution: (args) => settings.setResolution(args),
    createList: () => notYet,
    renameList: () => notYet,
    removeList: () => notYet,
    restoreList: () => notYet,
    moveList: () => notYet,
    arrangeList: () => notYet,
    setPinned: () => notYet,
    setPreferences: () => notYet,
    setTheme: ({ theme }) => {
      settings.setTheme(theme)
      return done
    },
  }
}
