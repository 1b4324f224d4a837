import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron'
import { commandChannel, updateChannel } from '../../protocol/commands/channels'
import { commandNames, type CommandHandlers, type PageName } from '../../protocol/commands/contract'
import type { WindowUpdate } from '../../protocol/desktop'
import type { Json } from '../../protocol/json'
import type { Log } from '../base/log'
import { gateTo, type Caller } from './gate'

interface Options {
  handlers: CommandHandlers
  log: Log
  /** The app's open pages. The bridge knows nothing of windows. */
  pages: Record<PageName, () => readonly (WebContents | undefined)[]>
  /** Origin of the development server. Set only when the app is not packaged. */
  devServer?: string
}

/** The process boundary: the only user of `ipcMain` and of `webContents.send`. */
export class Bridge {
  readonly #pages: Options['pages']

  constructor({ pages, ...gateOptions }: Options) {
    this.#pages = pages
    const gate = gateTo(gateOptions)
    for (const name of commandNames) {
      ipcMain.handle(commandChannel(name), (event, args: unknown) => gate(name, this.#caller(event), args))
    }
  }

  /** Pushes to a page, if it exists. */
  send(page: WebContents | undefined, update: Json<WindowUpdate>): void {
    if (page !== undefined && !page.isDestroyed()) page.send(updateChannel, update)
  }

  dispose(): void {
    for (const name of commandNames) ipcMain.removeHandler(commandChannel(name))
  }

  #caller(event: IpcMainInvokeEvent): Caller {
    // Null if the frame navigated away after the call. Then the call is not trusted.
    const frame = event.senderFrame
    const names = Object.keys(this.#pages) as PageName[]
    return {
      page: names.find((name) => this.#pages[name]().includes(event.sender)),
      isTopFrame: frame?.parent === null,
      url: frame?.url ?? '',
    }
  }
}
