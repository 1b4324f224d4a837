/** The app restarts only after a crash of its main process. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Browser } from '@playwright/test'
import { connectionVariables, type AppBench } from '../support/app-bench'
import { expect, test as base } from '../support/app-test'
import { appsOf, watchersOf } from '../support/left-processes'
import { levelDraft } from '../support/sample-alerts'
import { addressOf } from '../support/scripted-rest'
import { WatchPage } from '../support/watch-page'

/** The apps that run one after another on a bench's profile. The bench starts only the first one. */
class ReturningApp {
  readonly #bench: AppBench
  readonly #browsers: Browser[] = []
  /** Process id of the latest main process. */
  pid = 0

  constructor(bench: AppBench) {
    this.#bench = bench
  }

  async start(args: string[] = [], variables: Record<string, string> = {}): Promise<void> {
    const child = this.#bench.spawn(['--remote-debugging-port=0', ...args], {
      INDEXWATCH_COMES_BACK: '1',
      NODE_OPTIONS: '--require ./test/support/throw-on-signal.cjs',
      ...variables,
    })
    child.stdout.resume()
    child.stderr.resume()
    this.pid = child.pid ?? 0
    await this.isWatched()
  }

  /** Resolves when another process has replaced the crashed one. */
  async isBack(): Promise<void> {
    const former = this.pid
    await expect.poll(() => this.#holder(), { timeout: 60_000 }).not.toBe(former)
    this.pid = await this.#holder()
  }

  async isWatched(): Promise<void> {
    await expect.poll(() => watchersOf(this.#bench.userData), { timeout: 60_000 }).toHaveLength(1)
  }

  /** Resolves when the app has ended and no process would start it again. */
  async isGone(): Promise<void> {
    await expect
      .poll(async () => [...(await watchersOf(this.#bench.userData)), ...(await appsOf(this.#bench.userData))], {
        timeout: 60_000,
      })
      .toEqual([])
  }

  /** The window that the app opened by itself. */
  async watch(): Promise<WatchPage> {
    const context = (await this.#connect()).contexts()[0]
    const page = context?.pages()[0] ?? (await context?.waitForEvent('page'))
    if (page === undefined) throw new Error('the app has no window')
    return new WatchPage(page)
  }

  async windowCount(): Promise<number> {
    return (await this.#connect()).contexts().flatMap((context) => context.pages()).length
  }

  async dispose(): Promise<void> {
    for (const browser of this.#browsers) await browser.close().catch(() => undefined)
  }

  async #connect(): Promise<Browser> {
    const path = join(this.#bench.userData, 'DevToolsActivePort')
    let browser: Browser | undefined
    await expect(async () => {
      const [port] = (await readFile(path, 'utf8')).split('\n')
      browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    }).toPass({ timeout: 60_000 })
    if (browser === undefined) throw new Error('the app cannot be driven')
    this.#browsers.push(browser)
    return browser
  }

  /** Id of the process that holds the profile, from Chromium's lock link. */
  async #holder(): Promise<number> {
    const link = await readlink(join(this.#bench.userData, 'SingletonLock')).catch(() => '')
    return Number(link.split('-').at(-1) ?? this.pid) || this.pid
  }
}

const test = base.extend<{ app: ReturningApp }>({
  app: async ({ bench }, use) => {
    const app = new ReturningApp(bench)
    await use(app)
    await app.dispose()
  },
})

test('after the session bus ends the app restarts with its window and checks missed values', async ({
  bench,
  service,
  alerts,
  run,
  app,
}) => {
  await bench.peer.nextTrayItem()
  await run.make(levelDraft('110'))
  await run.running.quit()
  await app.start([], connectionVariables(addressOf(service)))
  await (await app.watch()).expectState('Live')
  // Chromium exits with the bus only once the tray is on it. The app restarts only once a process waits for its end.
  await bench.peer.nextTrayItem()
  await app.isWatched()
  alerts.publish('101.00')
  const crossedAtMs = alerts.timeMs + 1_000
  alerts.timeMs += 2_000
  alerts.answerValues(['101.00', '125.00', '103.00'])
  await bench.endSessionBus()
  await app.isBack()
  await app.isWatched()
  const watch = await app.watch()
  await expect(watch.notices.filter({ hasText: 'stopped unexpectedly' })).toContainText(
    /Indexwatch stopped unexpectedly and missed \d\d:\d\d:\d\d–\d\d:\d\d:\d\d\. It is now fetching/,
  )
  await watch.expectState('Live')
  service.sendValue('BRTI', '103.00', alerts.timeMs)
  await expect
    .poll(async () => (await watch.snapshot()).state.inbox[0])
    .toMatchObject({ kind: 'lateFromHistory', inputs: { value: '125.00', publishedAtMs: crossedAtMs } })
})

test('after any crash of the main process the app restarts in its tray, at most three times', async ({
  bench,
  service,
  app,
}) => {
  await app.start(['--hidden'], connectionVariables(addressOf(service)))
  await bench.peer.nextTrayItem()
  const comesBackAfter = async (signal: NodeJS.Signals) => {
    process.kill(app.pid, signal)
    await app.isBack()
    await bench.peer.nextTrayItem()
    const { summary, body } = await bench.peer.nextNotification()
    expect(summary).toBe('Indexwatch restarted')
    expect(body).toMatch(/^Indexwatch stopped unexpectedly and missed \d\d:\d\d:\d\d–\d\d:\d\d:\d\d\./)
    expect(await app.windowCount()).toBe(0)
  }
  for (const signal of ['SIGKILL', 'SIGSEGV'] as const) {
    await comesBackAfter(signal)
    await app.isWatched()
  }
  // The signal throws an uncaught error.
  await comesBackAfter('SIGUSR2')
  // After the third restart no process waits for the app's end.
  expect(await watchersOf(bench.userData)).toEqual([])
  process.kill(app.pid, 'SIGKILL')
  await app.isGone()
})

test('the app does not restart after an orderly exit or the end of the session', async ({ bench, service, app }) => {
  const variables = connectionVariables(addressOf(service))
  await test.step('the app is told to end', async () => {
    await app.start(['--hidden'], variables)
    await bench.peer.nextTrayItem()
    process.kill(app.pid, 'SIGTERM')
    await app.isGone()
  })
  await test.step('its user quits', async () => {
    await app.start(['--hidden'], variables)
    await bench.peer.nextTrayItem()
    await bench.peer.clickMenu('Quit')
    await app.isGone()
  })
  await test.step('the session ends every process', async () => {
    await app.start(['--hidden'], variables)
    await bench.peer.nextTrayItem()
    for (const pid of await watchersOf(bench.userData)) process.kill(pid, 'SIGTERM')
    process.kill(app.pid, 'SIGKILL')
    await app.isGone()
  })
  await test.step('the session ends its display', async () => {
    await app.start(['--hidden'], variables)
    await bench.peer.nextTrayItem()
    await bench.endDisplay()
    await app.isGone()
  })
})

test('restarting can be turned off, and the waiting process holds no app file and no key', async ({
  bench,
  service,
  app,
}) => {
  const address = addressOf(service)
  await app.start([], connectionVariables(address))
  const watch = await app.watch()
  await watch.ask('setPreferences', { startsAfterCrash: false })
  await expect.poll(() => watchersOf(bench.userData)).toEqual([])
  await watch.ask('setPreferences', { startsAfterCrash: true })
  await app.isWatched()
  const [pid] = await watchersOf(bench.userData)
  expect(await readdir(`/proc/${pid}/fd`)).toEqual(['0', '1', '2'])
  const held = await Promise.all(['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')))
  expect(held.join()).toContain(address.keyId)
  expect(held.join()).not.toContain(address.keySecret)
})
