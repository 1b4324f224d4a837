// @ts-check
// Loaded before the app. Answers its question about a new host like a user who confirms it. An installed app does not
// read NODE_OPTIONS.
const { createRequire } = process.getBuiltinModule('node:module')
const { isMainThread } = process.getBuiltinModule('node:worker_threads')

// The app's threads have no Electron. A thread that loaded it would exit.
if (isMainThread) {
  setTimeout(() => {
    const electron = /** @type {unknown} */ (createRequire(__filename)('electron'))
    const { dialog } = /** @type {typeof import('electron')} */ (electron)
    dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false })
  })
}
