import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import type { Allowance } from '../protocol/commands/allowance'
import type { CommandName } from '../protocol/commands/contract'
import { createApi } from './api'

/** Inserted by the build: all commands with the maximum size of their arguments. */
declare const __ALLOWANCES__: Record<CommandName, Allowance>

contextBridge.exposeInMainWorld(
  'indexwatch',
  createApi(__ALLOWANCES__, {
    invoke: (channel, args) => ipcRenderer.invoke(channel, args),
    listen: (channel, listener) => {
      const forward = (_event: IpcRendererEvent, message: unknown) => {
        listener(message)
      }
      ipcRenderer.on(channel, forward)
      // Returns nothing: ipcRenderer must not reach the page.
      return () => {
        ipcRenderer.removeListener(channel, forward)
      }
    },
  }),
)
