import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import type { CommandName } from '../protocol/commands/contract'
import { createApi } from './api'

/** Put in by the build: the names of all commands. */
declare const __COMMAND_NAMES__: readonly CommandName[]

contextBridge.exposeInMainWorld(
  'indexwatch',
  createApi(__COMMAND_NAMES__, {
    invoke: (channel, args) => ipcRenderer.invoke(channel, args),
    listen: (channel, listener) => {
      const forward = (_event: IpcRendererEvent, message: unknown) => {
        listener(message)
      }
      ipcRenderer.on(channel, forward)
      return () => {
        ipcRenderer.removeListener(channel, forward)
      }
    },
  }),
)
