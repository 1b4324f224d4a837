import type { RunningApp } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { addressOf } from '../support/scripted-rest'
import { WatchPage } from '../support/watch-page'

/** Crashes the page once. */
function crash({ app }: RunningApp): Promise<void> {
  return app.evaluate(
    ({ BrowserWindow }) =>
      new Promise<void>((resolve) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        contents?.once('render-process-gone', () => resolve())
        contents?.forcefullyCrashRenderer()
      }),
  )
}

/** Crashes the page once more often than it is restarted automatically. */
async function crashForGood(running: RunningApp): Promise<void> {
  for (let restarts = 0; restarts < 3; restarts++) {
    const loaded = running.app.evaluate(
      ({ BrowserWindow }) =>
        new Promise<void>((resolve) => {
          BrowserWindow.getAllWindows()[0]?.webContents.once('did-finish-load', () => resolve())
        }),
    )
    await crash(running)
    await loaded
  }
  await crash(running)
}

/** Puts the page into an endless loop. */
async function hang(running: RunningApp, { page }: WatchPage): Promise<void> {
  await page.evaluate(() => {
    setTimeout(() => {
      for (;;);
    })
  })
  // Chromium reports an unanswered input itself, but not with a debugger attached as here.
  await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.emit('unresponsive'))
}

test('a page that hangs or crashes is reloaded or the app restarts, as the user chooses', async ({
  bench,
  service,
}) => {
  const { running, watch } = await bench.launchLive(addressOf(service))
  await expect.poll(() => service.requests.length).toBeGreaterThan(0)
  /** Returns the window that replaces the only open one. */
  const replacedAfter = async (happening: () => Promise<void>): Promise<WatchPage> => {
    const opened = running.app.waitForEvent('window')
    await happening()
    const next = new WatchPage(await opened)
    await next.expectState('Live')
    await expect.poll(() => running.app.windows().length).toBe(1)
    return next
  }

  const messages = await running.answerMessages('Reload')
  const second = await replacedAfter(() => hang(running, watch))
  expect(await messages()).toEqual([expect.stringContaining('does not respond')])

  await running.answerMessages('Wait')
  const third = await replacedAfter(async () => {
    await hang(running, second)
    bench.spawn()
  })
  await expect(third.row('BRTI')).toHaveCount(1)

  const reads = service.requests.length
  const crashMessages = await running.answerMessages('Reload')
  const fourth = await replacedAfter(() => crashForGood(running))
  await expect(fourth.row('BRTI')).toHaveCount(1)
  expect(await crashMessages()).toEqual([expect.stringContaining('crashed several times')])

  // One more crash exceeds the limit. The dialog stays unanswered.
  await running.answerMessages('no such button')
  await replacedAfter(async () => {
    await crash(running)
    bench.spawn()
  })
  // The main process owns the connection, so nothing was fetched again.
  expect(service.requests).toHaveLength(reads)
  expect(service.handshakes).toHaveLength(1)
})
