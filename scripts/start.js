// @ts-check
// npm start [-- FLAGS]: sets up what is missing and starts the app with these flags.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasDisplay, startVirtualDisplay } from './setup/display.js'
import { runCommand } from './setup/processes.js'
import { ensureApp, runApp } from './setup/program.js'
import { say, secondsSince } from './setup/terminal.js'

function screenshotFile() {
  const [day, time] = new Date().toISOString().replace(/[-:]/g, '').split(/[T.]/)
  return join(tmpdir(), `indexwatch-${day}-${time}.png`)
}

/** @param {string[]} flags @returns {Promise<{ flags: string[], display: NodeJS.ProcessEnv }>} */
async function withDisplay(flags) {
  if (hasDisplay()) return { flags, display: {} }
  const number = await startVirtualDisplay()
  say('display', `none found: running under Xvfb (${number}); the first values and a screenshot's path follow`)
  const report = flags.some((flag) => flag.startsWith('--report=')) ? [] : [`--report=${screenshotFile()}`]
  // Without a desktop Chromium logs many lines about a missing bus and GPU, which would bury the first values.
  return { flags: ['--log-level=3', ...report, ...flags], display: { DISPLAY: number } }
}

runCommand(async () => {
  const electron = await ensureApp()
  const { flags, display } = await withDisplay(process.argv.slice(2))
  say('start', `set up in ${secondsSince(0)}, starting the app`)
  return runApp(electron, [], flags, display)
})
