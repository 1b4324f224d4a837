// @ts-check
const { contextBridge, ipcRenderer } = require('electron')

contextBridge.exposeInMainWorld('twin', {
  /** @param {(pushed: unknown) => void} listener */
  onPush: (listener) => {
    ipcRenderer.on('push', (_event, /** @type {unknown} */ pushed) => {
      listener(pushed)
    })
  },
})
