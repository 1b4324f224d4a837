import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron'
import { commandChannel, updateChannel } from '../../protocol/commands/channels'
import { commandNames, type CommandHandlers } from '../../protocol/commands/contract'
import type { WindowUpdate } from '../../protocol/desktop'
import type { Json } from '../../protocol/json'
import type { Log } from '../base/log'
import { Gate, type Caller } from './gate'

interface Options {
  handlers: CommandHandlers
  log: Log
  /** The page that is pushed to and may ask, while there is one. It knows nothing of windows. */
  page: () => WebContents | undefined
  /** Origin of the development server; given only when the app is not packaged. */
  devServer?: string
}

/** The process boundary: the only user of `ipcMain` and of `webContents.send`. */
export class Bridge {
  readonly #page: () => WebContents | undefined

  constructor({ page, ...gateOptions }: Options) {
    this.#page = page
    const gate = new Gate(gateOptions)
    for (const name of commandNames) {
      ipcMain.handle(commandChannel(name), (event, args: unknown) => gate.call(name, this.#caller(event), args))
    }
  }

  /** Pushes to the page; without one nothing happens. */
  send(update: Json<WindowUpdate>): void {
    const page = this.#page()
    if (page !== undefined && !page.isDestroyed()) page.send(updateChannel, update)
  }

  dispose(): void {
    for (const name of commandNames) ipcMain.removeHandler(commandChannel(name))
  }

  #caller(event: IpcMainInvokeEvent): Caller {
    // A frame that navigated away since it called is null: nobody to trust.
    const frame = event.senderFrame
    return {
      isOwnWindow: event.sender === this.#page(),
      isTopFrame: frame !== null && frame.parent === null,
      url: frame?.url ?? '',
    }
  }
}
