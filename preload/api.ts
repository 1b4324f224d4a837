import { commandChannel, updateChannel } from '../protocol/commands/channels'
import type { CommandName, DesktopApi } from '../protocol/commands/contract'
import type { WindowUpdate } from '../protocol/desktop'
import type { Json } from '../protocol/json'

/** How messages travel between page and main process; Electron's in `index.ts`. */
export interface Transport {
  invoke(channel: string, args: unknown): Promise<unknown>
  /** Calls `listener` with what was sent, without the transport's own event; the answer ends it. */
  listen(channel: string, listener: (message: unknown) => void): () => void
}

/** The window's API over a transport: one function per command and `onUpdate`, nothing else. */
export function createApi(names: readonly CommandName[], transport: Transport): DesktopApi {
  const commands = names.map((name) => [name, (args: unknown) => transport.invoke(commandChannel(name), args)])
  return {
    ...(Object.fromEntries(commands) as Omit<DesktopApi, 'onUpdate'>),
    onUpdate: (listener) =>
      transport.listen(updateChannel, (update) => {
        listener(update as Json<WindowUpdate>)
      }),
  }
}
