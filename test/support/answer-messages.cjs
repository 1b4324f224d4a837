// @ts-check
// Required before the app: answers its message boxes by the button that ANSWER_BUTTON names, and writes what they say.
const { createRequire } = process.getBuiltinModule('node:module')
const { isMainThread } = process.getBuiltinModule('node:worker_threads')

// The app's threads and the demo service have no dialogs; one that asked for them would end.
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
