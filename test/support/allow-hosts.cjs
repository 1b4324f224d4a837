// @ts-check
// Required before the app: answers its question about a new host as a user who means it. An installed app takes no
// NODE_OPTIONS.
const { createRequire } = process.getBuiltinModule('node:module')
const { isMainThread } = process.getBuiltinModule('node:worker_threads')

// The app's threads have no Electron; one that asked for it would end.
if (isMainThread) {
  setTimeout(() => {
    const electron = /** @type {unknown} */ (createRequire(__filename)('electron'))
    const { dialog } = /** @type {typeof import('electron')} */ (electron)
    dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false })
  })
}
