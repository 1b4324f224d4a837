// @ts-check
// Loaded into an app before its own code: prints when its window was ready to show, and what the preloads beside this file find
// out in its page. A line on the standard input is a question to the view-probe; an empty one has it read all rows.
const { createInterface } = require('node:readline')
const { app, ipcMain, webContents } = require('electron')

/** @param {object} line */
const print = (line) => process.stdout.write(`@bench ${JSON.stringify(line)}\n`)

ipcMain.on('bench:line', (_event, /** @type {object} */ line) => {
  print(line)
})
/** When main's loop came to a turn that was due, in milliseconds of the wall clock, and how late. @type {[number, number][]} */
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
  if (question === 'turns') {
    print({ turns })
    turns = []
    return
  }
  for (const contents of webContents.getAllWebContents()) contents.send('bench:ask', question)
})
app.on('session-created', (session) => {
  const preloads = [
    'start-preload.cjs',
    'view-probe.cjs',
    ...(process.env['INDEXWATCH_BENCH_PROBE'] === 'yes' ? ['page-probe.cjs'] : []),
  ]
  const paths = preloads.map((name) => `${__dirname}/${name}`)
  if ('registerPreloadScript' in session)
    for (const filePath of paths) session.registerPreloadScript({ type: 'frame', filePath })
  // The Electron that stands in for the official one is older.
  else /** @type {{ setPreloads: (paths: string[]) => void }} */ (session).setPreloads(paths)
})
app.on('browser-window-created', (_event, window) => {
  window.once('ready-to-show', () => {
    print({ ready: Date.now() })
  })
})
