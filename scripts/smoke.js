// @ts-check
// node scripts/smoke.js [FOLDER]: starts every package in FOLDER that this computer can start, by default of release/.
// Where it has none, starts the unpacked app in it.
// node scripts/smoke.js EXECUTABLE [FLAGS]: starts one app.
// Each app runs with the demo service and a new profile. Exits with 0 once every app has shown a live value, stored one
// in its history, and judges alerts.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { openPackage, startablePackages } from './packaging/opened-package.js'
import { SetupError, projectRoot, runCommand, startChild, toolEnvironment } from './setup/processes.js'
import { sandboxFlags } from './setup/electron.js'
import { say, secondsSince } from './setup/terminal.js'

const timeoutMs = 60_000
const unpacked = [
  ...['linux-unpacked', 'linux-arm64-unpacked'].map((name) => join(name, 'indexwatch')),
  join('win-unpacked', 'Indexwatch.exe'),
  ...['mac-arm64', 'mac'].map((name) => join(name, 'Indexwatch.app', 'Contents', 'MacOS', 'Indexwatch')),
]

/**
 * @template T
 * @param {string | (() => string)} missing what the error says
 * @param {() => T | undefined | Promise<T | undefined>} read undefined as long as it is missing
 * @returns {Promise<T>}
 */
async function wait(missing, read) {
  const until = performance.now() + timeoutMs
  for (;;) {
    const found = await read()
    if (found !== undefined) return found
    if (performance.now() > until) throw new SetupError(typeof missing === 'string' ? missing : missing())
    await sleep(100)
  }
}

/** @param {import('@playwright/test').Page} page @returns {Promise<{ state?: string, words?: string }>} */
function judgingIn(page) {
  return page.evaluate('window.indexwatch.getSnapshot({}).then(({ value }) => JSON.parse(value).state.judging)')
}

/** @param {import('@playwright/test').Page} page @returns {Promise<number | undefined>} when the oldest value was published */
function storedIn(page) {
  return page.evaluate('window.indexwatch.getHistorySize({}).then(({ value }) => value?.oldestMs)')
}

/** @param {import('@playwright/test').Page} page @returns {Promise<string>} the value in the window */
async function check(page) {
  const value = page.locator('[data-value]:not([data-value=""])').first()
  const shown = await wait('no value is in the window', async () =>
    (await value.count()) > 0 ? String(await value.textContent()) : undefined,
  )
  let words = 'no answer'
  const judged = async () => {
    const judging = await judgingIn(page)
    words = judging.words ?? judging.state ?? words
    return judging.state === 'judged' ? true : undefined
  }
  await wait(() => `alerts are not judged: ${words}`, judged)
  await wait('the history has no value', () => storedIn(page))
  const live = page.getByRole('status', { name: 'Connection' }).getByText('Live')
  await wait('the connection is not live', async () => ((await live.isVisible()) ? true : undefined))
  return shown
}

/** @param {string} name @param {string} executable @param {string[]} flags */
async function smoke(name, executable, flags) {
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
    const portFile = join(profile, 'DevToolsActivePort')
    const port = await wait('the app did not start', () => {
      const lines = existsSync(portFile) ? readFileSync(portFile, 'utf8').split('\n') : []
      return lines.length > 1 ? lines[0] : undefined
    })
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    const context = browser.contexts()[0]
    if (context === undefined) throw new SetupError('the app has nothing to look into')
    const page = context.pages()[0] ?? (await context.waitForEvent('page', { timeout: timeoutMs }))
    say('smoke', `${name}: ${await check(page)} in the window, stored and judged (${secondsSince(startedAt)})`)
    await browser.close()
  } catch (error) {
    if (error instanceof SetupError) throw new SetupError(`${name}: ${error.message}`)
    throw error
  } finally {
    app.kill()
    await new Promise((done) =>
      app.exitCode === null && app.signalCode === null ? app.once('exit', done) : done(null),
    )
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** @param {string} file a package */
async function smokePackage(file) {
  const folder = await mkdtemp(join(tmpdir(), 'indexwatch-opened-'))
  const { executable, close } = await openPackage(file, folder)
  try {
    await smoke(basename(file), executable, [])
  } finally {
    await close?.()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

runCommand(async () => {
  const [given = join(projectRoot, 'release'), ...flags] = process.argv.slice(2)
  const place = resolve(given)
  if (!existsSync(place)) throw new SetupError(`there is no ${place}: npm run package`)
  if (!statSync(place).isDirectory()) {
    await smoke(basename(place), place, flags)
    return 0
  }
  const packages = startablePackages(place)
  for (const file of packages) await smokePackage(file)
  if (packages.length > 0) return 0
  const executable = unpacked.map((name) => join(place, name)).find(existsSync)
  if (executable === undefined) throw new SetupError(`there is no packaged app in ${place}: npm run package`)
  await smoke(basename(executable), executable, [])
  return 0
})
