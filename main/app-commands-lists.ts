import type { CommandHandlers } from '../protocol/desktop'
import type { Owners } from './app-views'

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
    moveIndex: (args) => settings.moveIndex(args),
    setResolution: (args) => settings.setResolution(args),
    createList: (args) => settings.createList(args),
    renameList: (args) => settings.renameList(args),
    removeList: (args) => settings.removeList(args),
    restoreList: (args) => settings.restoreList(args),
    moveList: (args) => settings.moveList(args),
    arrangeList: (args) => settings.arrangeList(args),
    setPinned: (args) => settings.setPinned(args),
    setPreferences: (preferences) => {
      settings.setPreferences(preferences)
      return { ok: true, value: null }
    },
  }
}
