// @ts-check
// Loaded into an app before its own code: prints when its window was ready to show and when its page first painted.
const { app, ipcMain } = require('electron')

/** @param {'ready' | 'paint'} what @param {number} atMs since 1970 */
const print = (what, atMs) => process.stdout.write(`@bench ${JSON.stringify({ [what]: atMs })}\n`)

ipcMain.on('bench:paint', (_event, /** @type {number} */ atMs) => {
  print('paint', atMs)
})
app.on('session-created', (session) => {
  const filePath = `${__dirname}/start-preload.cjs`
  if ('registerPreloadScript' in session) session.registerPreloadScript({ type: 'frame', filePath })
  // The Electron that stands in for the official one is older.
  else /** @type {{ setPreloads: (paths: string[]) => void }} */ (session).setPreloads([filePath])
})
app.on('browser-window-created', (_event, window) => {
  window.once('ready-to-show', () => {
    print('ready', Date.now())
  })
})
