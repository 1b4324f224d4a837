// @ts-check
// Loaded before the app. Measures how long its main thread is blocked. At SIGUSR2 it writes the longest block since the
// previous signal, in milliseconds, to the file named by INDEXWATCH_TEST_BLOCKS.
const { writeFileSync } = process.getBuiltinModule('node:fs')
const { isMainThread } = process.getBuiltinModule('node:worker_threads')

const everyMs = 5
const file = process.env['INDEXWATCH_TEST_BLOCKS']

if (isMainThread && file !== undefined && !process.argv.includes('--keyring')) {
  let last = performance.now()
  let longestMs = 0
  const look = () => {
    const now = performance.now()
    longestMs = Math.max(longestMs, now - last - everyMs)
    last = now
  }
  setInterval(look, everyMs).unref()
  process.on('SIGUSR2', () => {
    look()
    writeFileSync(file, `${longestMs}\n`)
    longestMs = 0
  })
}
