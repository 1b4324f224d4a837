// @ts-check
// The plain way to push into a page: one JSON string.
const { contextBridge, ipcRenderer } = require('electron')

contextBridge.exposeInMainWorld('indexwatch', {
  /** @param {(text: string) => void} listener */
  onUpdate: (listener) => {
    ipcRenderer.on('indexwatch:update', (_event, /** @type {string} */ text) => {
      listener(text)
    })
  },
})
