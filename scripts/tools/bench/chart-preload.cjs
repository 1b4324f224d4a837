// @ts-check
// Gives the chart page its tasks, and Node's clock, which is finer than the page's.
const { ipcRenderer } = require('electron')

Object.assign(globalThis, {
  bench: {
    nowMs: () => Number(process.hrtime.bigint()) / 1e6,
    /** @param {(task: unknown) => Promise<unknown>} run */
    onTask: (run) => {
      ipcRenderer.on('bench:task', (_event, /** @type {unknown} */ task) => {
        void run(task).then((answer) => {
          ipcRenderer.send('bench:answer', answer)
        })
      })
    },
  },
})
