// @ts-check
// Loaded into an app before its own code: says for how long main's loop came to no turn, and answers the file dialogs. A line on
// the standard input is a question: `block`, or `file` with the path that the next dialogs answer.
const { createRequire } = process.getBuiltinModule('node:module')
const { isMainThread } = process.getBuiltinModule('node:worker_threads')
const { readFileSync } = require('node:fs')
const { createInterface } = require('node:readline')


if (isMainThread) setTimeout(() => { const electron = createRequire(__filename)('electron'); begin(electron) })
function begin(electron) {
// Which processor time the main thread has had, in milliseconds: what other programs take of the machine is not in it.
const statistics = `/proc/self/task/${process.pid}/schedstat`
const cpuMs = () => Number(readFileSync(statistics, 'utf8').split(' ')[0]) / 1e6
const none = { cpuMs: 0, wallMs: 0 }
let longest = none
let last = { cpuMs: cpuMs(), wallMs: performance.now() }
setInterval(() => {
  const now = { cpuMs: cpuMs(), wallMs: performance.now() }
  longest = {
    cpuMs: Math.max(longest.cpuMs, now.cpuMs - last.cpuMs),
    wallMs: Math.max(longest.wallMs, now.wallMs - last.wallMs),
  }
  last = now
}, 1)

let path = ''
electron.dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path })
electron.dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })

const inspector = require('node:inspector')
let session
createInterface(process.stdin).on('line', (question) => {
  if (question.startsWith('file ')) path = question.slice('file '.length)
  if (question.startsWith('profile ')) {
    const name = question.slice(8)
    if (name === 'start') {
      session = new inspector.Session()
      session.connect()
      session.post('Profiler.enable')
      session.post('Profiler.setSamplingInterval', { interval: 500 })
      session.post('Profiler.start')
    } else {
      session.post('Profiler.stop', (_e, r) => require('node:fs').writeFileSync(name, JSON.stringify(r.profile)))
    }
  }
  if (question !== 'block') return
  process.stdout.write(`@bench ${JSON.stringify({ block: longest })}\n`)
  longest = none
})
}
