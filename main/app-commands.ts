import type { CommandHandlers, Json, WindowSnapshot } from '../protocol/desktop'
import { alertFileCommands } from './app-commands-alert-files'
import { alertCommands } from './app-commands-alerts'
import { connectionCommands } from './app-commands-connections'
import { fileCommands } from './app-commands-files'
import { indexCommands } from './app-commands-index'
import { listCommands } from './app-commands-lists'
import { noticeCommands } from './app-commands-notices'
import type { Messengers } from './app-notifications'
import type { Owners } from './app-views'

/** The complete table: which owner does what a command asks for. */
export function commandHandlers(
  owners: Owners,
  messengers: Messengers,
  snapshot: () => Json<WindowSnapshot>,
): CommandHandlers {
  return {
    getSnapshot: () => ({ ok: true, value: snapshot() }),
    ...listCommands(owners),
    ...fileCommands(owners),
    ...alertCommands(owners),
    ...alertFileCommands(owners),
    ...indexCommands(owners),
    ...connectionCommands(owners),
    ...noticeCommands(owners, messengers),
  }
}
