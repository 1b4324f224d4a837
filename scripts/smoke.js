// @ts-check
// node scripts/smoke.js [EXECUTABLE [FLAGS]]: starts a packaged app with the demo service and exits with 0 once its
// window shows a live value. The default is the unpacked app that `npm run package` left in release/.
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { SetupError, projectRoot, runCommand, startChild, toolEnvironment } from './setup/processes.js'
import { sandboxFlags } from './setup/electron.js'
import { say, secondsSince } from './setup/terminal.js'

const timeoutMs = 60_000
const release = join(projectRoot, 'release')
const places = {
  linux: [join(release, 'linux-unpacked', 'indexwatch')],
  win32: [join(release, 'win-unpacked', 'Indexwatch.exe')],
  darwin: ['mac-arm64', 'mac'].map((name) => join(release, name, 'Indexwatch.app', 'Contents', 'MacOS', 'Indexwatch')),
}

function unpackedApp() {
  const found = Object.entries(places)
    .find(([platform]) => platform === process.platform)?.[1]
    .find(existsSync)
  if (found === undefined) throw new SetupError('there is no packaged app in release/: npm run package')
  return found
}

/** @param {string} profile @param {number} startedAt @returns {Promise<string>} the address of Chromium's debugging server */
async function debuggingAddress(profile, startedAt) {
  const file = join(profile, 'DevToolsActivePort')
  while (!existsSync(file) || !readFileSync(file, 'utf8').includes('\n')) {
    if (performance.now() - startedAt > timeoutMs) throw new SetupError('the app did not start')
    await sleep(100)
  }
  return `http://127.0.0.1:${readFileSync(file, 'utf8').split('\n')[0]}`
}

runCommand(async () => {
  const [executable = unpackedApp(), ...flags] = process.argv.slice(2)
  const startedAt = performance.now()
  const profile = await mkdtemp(join(tmpdir(), 'indexwatch-smoke-'))
  const args = [
    ...sandboxFlags('--no-sandbox'),
    '--demo',
    `--user-data-dir=${profile}`,
    '--remote-debugging-port=0',
    ...flags,
  ]
  // Without this variable, a packaged app refuses a debugger.
  const env = toolEnvironment({ INDEXWATCH_DEV: '1' })
  const app = startChild(executable, args, { env, stdio: ['ignore', 'inherit', 'inherit'] })
  try {
    const browser = await chromium.connectOverCDP(await debuggingAddress(profile, startedAt))
    const context = browser.contexts()[0]
    if (context === undefined) throw new SetupError('the app has nothing to look into')
    const page = context.pages()[0] ?? (await context.waitForEvent('page', { timeout: timeoutMs }))
    const value = page.locator('[data-value]:not([data-value=""])').first()
    await value.waitFor({ timeout: timeoutMs })
    await page.getByRole('status', { name: 'Connection' }).getByText('Live').waitFor({ timeout: timeoutMs })
    say('smoke', `${await value.textContent()} in the window (${secondsSince(startedAt)})`)
    await browser.close()
    return 0
  } finally {
    app.kill()
    await new Promise((done) =>
      app.exitCode === null && app.signalCode === null ? app.once('exit', done) : done(null),
    )
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
})
