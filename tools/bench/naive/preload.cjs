// @ts-check
const { contextBridge, ipcRenderer } = require('electron')

contextBridge.exposeInMainWorld('naive', {
  /** @param {(message: { id: string, time: number, value: string }) => void} listener */
  onValue: (listener) => {
    ipcRenderer.on('value', (_event, /** @type {{ id: string, time: number, value: string }} */ message) => {
      listener(message)
    })
  },
})
