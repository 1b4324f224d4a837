import type { RunningApp } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { addressOf } from '../support/scripted-rest'
import { WatchPage } from '../support/watch-page'

/** Crashes the page as often as it is started again by itself, and once more. */
async function crashForGood(running: RunningApp): Promise<void> {
  const crash = () =>
    running.app.evaluate(
      ({ BrowserWindow }) =>
        new Promise<void>((resolve) => {
          const contents = BrowserWindow.getAllWindows()[0]?.webContents
          contents?.once('render-process-gone', () => {
            resolve()
          })
          contents?.forcefullyCrashRenderer()
        }),
    )
  for (let restarts = 0; restarts < 3; restarts++) {
    const loaded = running.app.evaluate(
      ({ BrowserWindow }) =>
        new Promise<void>((resolve) => {
          BrowserWindow.getAllWindows()[0]?.webContents.once('did-finish-load', () => {
            resolve()
          })
        }),
    )
    await crash()
    await loaded
  }
  await crash()
}

test('a page that keeps crashing is reloaded when the user says so in a dialog of the desktop', async ({
  bench,
  service,
}) => {
  const { running } = await bench.launchLive(addressOf(service))
  const messages = await running.answerMessages('Reload')
  const opened = running.app.waitForEvent('window')
  await crashForGood(running)
  const watch = new WatchPage(await opened)
  await watch.expectState('Live')
  await expect(watch.row('BRTI')).toHaveCount(1)
  expect(await messages()).toEqual([expect.stringContaining('crashed several times')])
  expect(running.app.windows()).toHaveLength(1)
  expect(service.handshakes).toHaveLength(1)
})

test('starting the app again gives a working window in the place of a crashed one', async ({ bench, service }) => {
  const { running } = await bench.launchLive(addressOf(service))
  // Nobody answers the dialog.
  await running.answerMessages('no such button')
  await crashForGood(running)
  const opened = running.app.waitForEvent('window')
  bench.spawn()
  const watch = new WatchPage(await opened)
  await watch.expectState('Live')
  expect(service.handshakes).toHaveLength(1)
})

test('a page that hangs is noticed, and reloaded when the user says so', async ({ bench, service }) => {
  const { running, watch } = await bench.launchLive(addressOf(service))
  const messages = await running.answerMessages('Reload')
  await watch.page.evaluate(() => {
    setTimeout(() => {
      for (;;);
    })
  })
  const opened = running.app.waitForEvent('window')
  // Chromium says so itself once input is not answered, but not while a debugger looks on, as here.
  await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.emit('unresponsive'))
  const again = new WatchPage(await opened)
  await again.expectState('Live')
  expect(await messages()).toEqual([expect.stringContaining('does not respond')])
  expect(service.handshakes).toHaveLength(1)
})

test('starting the app again gives a working window in the place of one that hangs', async ({ bench, service }) => {
  const { running, watch } = await bench.launchLive(addressOf(service))
  await running.answerMessages('Wait')
  await watch.page.evaluate(() => {
    setTimeout(() => {
      for (;;);
    })
  })
  await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.emit('unresponsive'))
  const opened = running.app.waitForEvent('window')
  bench.spawn()
  await new WatchPage(await opened).expectState('Live')
})
