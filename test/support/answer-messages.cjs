// @ts-check
// Loaded before the app. Clicks the button named by ANSWER_BUTTON in its message boxes, and prints their texts.
const { createRequire } = process.getBuiltinModule('node:module')
const { isMainThread } = process.getBuiltinModule('node:worker_threads')

// The app's threads and the demo service have no dialogs. A thread that loaded them would exit.
if (isMainThread && process.type === 'browser') {
  setTimeout(() => {
    const electron = /** @type {unknown} */ (createRequire(__filename)('electron'))
    const { dialog } = /** @type {typeof import('electron')} */ (electron)
    dialog.showMessageBox = (/** @type {unknown[]} */ ...args) => {
      const { message, buttons = [] } = /** @type {Electron.MessageBoxOptions} */ (args.at(-1))
      process.stderr.write(`asked: ${message} [${buttons.join(', ')}]\n`)
      return Promise.resolve({ response: buttons.indexOf(process.env['ANSWER_BUTTON'] ?? ''), checkboxChecked: false })
    }
  })
}
