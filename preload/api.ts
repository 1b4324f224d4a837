import { isSmall, tooLarge, type Allowance } from '../protocol/commands/allowance'
import { commandChannel, updateChannel } from '../protocol/commands/channels'
import type { CommandName, DesktopApi } from '../protocol/commands/contract'
import type { WindowUpdate } from '../protocol/desktop'
import type { Json } from '../protocol/json'

/** How messages travel between page and main process. `index.ts` has Electron's. */
export interface Transport {
  invoke(channel: string, args: unknown): Promise<unknown>
  /** Calls `listener` with each message, without the transport's event. Returns its unsubscribe function. */
  listen(channel: string, listener: (message: unknown) => void): () => void
}

/**
 * The window's API over a transport: one function per command, and `onUpdate`. Arguments that are too large are refused
 * in the page's process, because unpacking them would block main.
 */
export function createApi(allowances: Record<CommandName, Allowance>, transport: Transport): DesktopApi {
  const commands = Object.entries(allowances).map(([name, allowance]) => [
    name,
    (args: unknown) =>
      isSmall(args, allowance)
        ? transport.invoke(commandChannel(name as CommandName), args)
        : Promise.resolve(tooLarge),
  ])
  return {
    ...(Object.fromEntries(commands) as Omit<DesktopApi, 'onUpdate'>),
    onUpdate: (listener) => transport.listen(updateChannel, (update) => listener(update as Json<WindowUpdate>)),
  }
}
