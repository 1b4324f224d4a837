// @ts-check
// Required before the app: says for how long main worked without coming to a turn of its loop, and answers the file dialogs. A line
// on the standard input is `block`, which asks for the longest since it was last asked for, or `file` with the path that the next
// dialogs answer.
const { createRequire } = process.getBuiltinModule('node:module')
const { isMainThread } = process.getBuiltinModule('node:worker_threads')
const { readFileSync, readdirSync } = process.getBuiltinModule('node:fs')
const { createInterface } = process.getBuiltinModule('node:readline')

// The app's threads have no Electron; one that asked for it would end.
if (isMainThread) setTimeout(begin)

/**
 * Milliseconds that a thread has worked, and that it has waited for a processor.
 * @param {number} thread
 */
function spentMs(thread) {
  const [workedNs, waitedNs] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ')
  return { worked: Number(workedNs) / 1e6, waited: Number(waitedNs) / 1e6 }
}

/** Electron's thread that wakes main for events: of those without a name it has had most turns, some seconds after the start. */
function findWaker() {
  const nameOf = (/** @type {number} */ thread) => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8')
  const turnsOf = (/** @type {number} */ thread) =>
    Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(readFileSync(`/proc/self/task/${thread}/status`, 'utf8'))?.[1])
  const threads = readdirSync('/proc/self/task').map(Number)
  const nameless = threads.filter((thread) => thread !== process.pid && nameOf(thread) === nameOf(process.pid))
  return nameless.sort((a, b) => turnsOf(b) - turnsOf(a))[0] ?? process.pid
}

function begin() {
  const electron = /** @type {unknown} */ (createRequire(__filename)('electron'))
  const { dialog } = /** @type {typeof import('electron')} */ (electron)
  let path = ''
  dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path })
  dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
  let waker = process.pid
  let longest = { block: 0, worked: 0 }
  const look = () => {
    const main = spentMs(process.pid)
    return { atMs: performance.now(), main, wakerMs: waker === process.pid ? 0 : spentMs(waker).waited }
  }
  let last = look()
  setInterval(() => {
    const now = look()
    // While the waker waits for a processor, main does nothing or works: the work counts, the wait does not.
    const processorMs = now.main.waited - last.main.waited + (now.wakerMs - last.wakerMs)
    const worked = now.main.worked - last.main.worked
    const block = Math.max(worked, now.atMs - last.atMs - processorMs)
    if (block > longest.block) longest = { block, worked }
    last = now
  }, 1)
  createInterface(process.stdin).on('line', (question) => {
    if (question.startsWith('file ')) path = question.slice('file '.length)
    if (question !== 'block') return
    process.stdout.write(`@bench ${JSON.stringify(longest)}\n`)
    longest = { block: 0, worked: 0 }
    waker = findWaker()
    last = look()
  })
}
