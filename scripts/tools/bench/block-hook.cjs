// @ts-check
// Loaded before the app. Measures blocks of the main loop and answers the file dialogs. The input line `block` asks for
// the longest block since the previous one. The line `file` sets the path that the next dialogs return.
const { createRequire } = process.getBuiltinModule('node:module')
const { isMainThread } = process.getBuiltinModule('node:worker_threads')
const { readFileSync } = process.getBuiltinModule('node:fs')
const { createInterface } = process.getBuiltinModule('node:readline')

// The app's threads have no Electron. A thread that loaded it would exit.
if (isMainThread) setTimeout(begin)

/** Milliseconds in which the main thread worked or waited, except for a processor. */
function ownMs() {
  const [, waitedNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')
  return performance.now() - Number(waitedNs) / 1e6
}

function begin() {
  const electron = /** @type {unknown} */ (createRequire(__filename)('electron'))
  const { dialog } = /** @type {typeof import('electron')} */ (electron)
  let path = ''
  dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path })
  dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
  let longest = 0
  let last = ownMs()
  setInterval(() => {
    const now = ownMs()
    longest = Math.max(longest, now - last)
    last = now
  }, 1)
  createInterface(process.stdin).on('line', (question) => {
    if (question.startsWith('file ')) path = question.slice('file '.length)
    if (question !== 'block') return
    process.stdout.write(`@bench ${JSON.stringify({ block: longest })}\n`)
    longest = 0
  })
}
