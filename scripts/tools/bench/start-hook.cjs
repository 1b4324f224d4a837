// @ts-check
// Loaded before the app's own code. Prints when its window was ready to show, and the reports of the preloads beside
// this file. The input line `turns` asks for the turns of the main loop, `sweep` makes page-probe.cjs read every row.
const { createInterface } = require('node:readline')
const { app, ipcMain, webContents } = require('electron')

/** @param {object} line */
const print = (line) => process.stdout.write(`@bench ${JSON.stringify(line)}\n`)

ipcMain.on('bench:line', (_event, /** @type {object} */ line) => {
  print(line)
})
/** Wall-clock time of each due turn of the main loop, and its delay, in ms. @type {[number, number][]} */
let turns = []
if (process.env['INDEXWATCH_BENCH_LOOP'] === 'yes') {
  let dueMs = performance.now() + 1
  setInterval(() => {
    const nowMs = performance.now()
    turns.push([performance.timeOrigin + nowMs, Math.max(0, nowMs - dueMs)])
    dueMs = nowMs + 1
  }, 1)
}
createInterface(process.stdin).on('line', (question) => {
  if (question === 'sweep') for (const contents of webContents.getAllWebContents()) contents.send('bench:sweep')
  if (question !== 'turns') return
  print({ turns })
  turns = []
})
app.on('session-created', (session) => {
  const preloads = ['start-preload.cjs', ...(process.env['INDEXWATCH_BENCH_PROBE'] === 'yes' ? ['page-probe.cjs'] : [])]
  const paths = preloads.map((name) => `${__dirname}/${name}`)
  if ('registerPreloadScript' in session)
    for (const filePath of paths) session.registerPreloadScript({ type: 'frame', filePath })
  // The API of older Electron versions, with which the tests may run.
  else /** @type {{ setPreloads: (paths: string[]) => void }} */ (session).setPreloads(paths)
})
app.on('browser-window-created', (_event, window) => {
  window.once('ready-to-show', () => {
    print({ ready: Date.now() })
  })
})
