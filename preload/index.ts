import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import { createApi } from './api'

contextBridge.exposeInMainWorld(
  'indexwatch',
  createApi({
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
