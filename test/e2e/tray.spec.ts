import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectionVariables, type AppBench, type RunningApp } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { addressOf } from '../support/scripted-rest'
import type { ScriptedService } from '../support/scripted-service'

function windowCount({ app }: RunningApp): Promise<number> {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
}

async function closeWindow({ app }: RunningApp): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close()
  })
}

/** A live app whose window was closed, and the window it opens next. */
async function launchInTray(bench: AppBench, service: ScriptedService) {
  const { running } = await bench.launchLive(addressOf(service))
  await bench.peer.nextTrayItem()
  await closeWindow(running)
  await expect.poll(() => windowCount(running)).toBe(0)
  return { running, reopened: running.app.waitForEvent('window') }
}

test('shows state and values in tooltip, menu and icon', async ({ bench, service }) => {
  const running = await bench.launch([], connectionVariables(addressOf(service)))
  const watch = await running.watch()
  await bench.peer.nextTrayItem()
  await watch.expectState('Live')
  const time = Math.floor(Date.now() / 1_000) * 1_000
  service.sendValue('BRTI', '79767.340', time)
  const label = `BRTI 79,767.340 at ${new Date(time).toISOString().slice(11, 19)}`
  await expect.poll(() => bench.peer.trayTooltip()).toBe(`Indexwatch: Live\n${label}`)
  const labels = async () => (await bench.peer.trayMenu()).map((item) => item.label)
  await expect
    .poll(labels)
    .toEqual([
      'Open Indexwatch',
      label,
      'No unread alerts',
      'Mute for 1 hour',
      'Mute all',
      'Pause',
      'Show ticker',
      'Quit',
    ])
  const live = await bench.peer.trayIcon()
  await bench.peer.clickMenu('Pause')
  await expect.poll(() => bench.peer.trayTooltip()).toBe(`Indexwatch: Paused\n${label} (not live)`)
  await expect.poll(() => service.connectionCount).toBe(0)
  await expect.poll(labels).toContain('Resume')
  await bench.peer.clickMenu('Resume')
  await expect.poll(() => bench.peer.trayTooltip()).toBe(`Indexwatch: Live\n${label}`)
  await service.stop()
  await expect.poll(() => bench.peer.trayTooltip()).toBe(`Indexwatch: Reconnecting\n${label} (not live)`)
  await expect.poll(labels).toContain(`${label} (not live)`)
  expect((await bench.peer.trayIcon()).equals(live)).toBe(false)
})

test('closing the window leaves the app in the tray, and its menu brings the window back', async ({
  bench,
  service,
}) => {
  const { reopened } = await launchInTray(bench, service)
  await bench.peer.clickMenu('Open Indexwatch')
  await expect((await reopened).getByRole('status', { name: 'Connection' })).toContainText('Live')
  expect(service.handshakes).toHaveLength(1)
})

test('a click on the icon opens the window', async ({ bench, service }) => {
  const running = await bench.launch(['--hidden'], connectionVariables(addressOf(service)))
  await bench.peer.nextTrayItem()
  await expect.poll(() => service.connectionCount).toBe(1)
  expect(await windowCount(running)).toBe(0)
  const opened = running.app.waitForEvent('window')
  await bench.peer.activateTray()
  await (await opened).getByRole('table', { name: 'Watchlist' }).waitFor()
})

test('a panel that starts later or again gets the icon, and without one closing the window asks once', async ({
  bench,
  service,
}) => {
  const { running } = await bench.launchLive(addressOf(service))
  await bench.peer.nextTrayItem()
  await bench.peer.stopTray()
  const messages = await running.answerMessages('Keep running')
  // The app learns of it a moment later; a window that closes before that goes without a question.
  await expect
    .poll(async () => {
      await running.app.evaluate(({ BrowserWindow }) => {
        for (const window of BrowserWindow.getAllWindows()) window.close()
      })
      await expect.poll(() => windowCount(running)).toBe(0)
      const asked = await messages()
      if (asked.length === 0) {
        const opened = running.app.waitForEvent('window')
        await once(bench.spawn([], connectionVariables(addressOf(service))), 'exit')
        await (await opened).getByRole('table', { name: 'Watchlist' }).waitFor()
      }
      return asked
    })
    .toEqual([expect.stringContaining('Keep Indexwatch running without its window?')])
  await bench.peer.startTray()
  await bench.peer.nextTrayItem()
  // An icon that found the panel by itself is gone again once the app has made another.
  await expect(async () => {
    expect(await bench.peer.trayTooltip()).toContain('Indexwatch: Live')
  }).toPass()
  // Asked once: it is a setting now.
  const settings = await readFile(join(bench.userData, 'settings.json'), 'utf8')
  expect(settings).toMatch(/"closingWithoutTray":\s*"keepRunning"/)
})

test('Quit ends the app', async ({ bench, service }) => {
  const running = await bench.launch([], connectionVariables(addressOf(service)))
  await running.watch()
  await bench.peer.nextTrayItem()
  const ended = once(running.app.process(), 'exit')
  await bench.peer.clickMenu('Quit')
  const [code] = (await ended) as [number | null]
  expect(code).toBe(0)
})

test('a second start opens the window of the first, makes the tray icon again and ends', async ({ bench, service }) => {
  const { reopened } = await launchInTray(bench, service)
  const second = bench.spawn([], connectionVariables(addressOf(service)))
  const [code] = (await once(second, 'exit')) as [number | null]
  expect(code).toBe(0)
  await (await reopened).getByRole('table', { name: 'Watchlist' }).waitFor()
  await bench.peer.nextTrayItem()
  await expect.poll(() => bench.peer.trayTooltip()).toContain('Indexwatch: Live')
  expect(service.handshakes).toHaveLength(1)
})

test('a second start with --hidden, as at login, opens no window', async ({ bench, service }) => {
  const running = await bench.launch(['--hidden'], connectionVariables(addressOf(service)))
  await bench.peer.nextTrayItem()
  const second = bench.spawn(['--hidden'], connectionVariables(addressOf(service)))
  const [code] = (await once(second, 'exit')) as [number | null]
  expect(code).toBe(0)
  // The running app has heard of it.
  await bench.peer.nextTrayItem()
  await expect.poll(() => bench.peer.trayTooltip()).toContain('Indexwatch: Live')
  expect(await windowCount(running)).toBe(0)
})

test('the first time the window is closed a notification says where the app is, and never again', async ({
  bench,
  service,
}) => {
  const { running } = await bench.launchLive(addressOf(service))
  await closeWindow(running)
  const { summary, body } = await bench.peer.nextNotification()
  expect(summary).toBe('Indexwatch is still running in the tray')
  expect(body).toContain('Quit')
  await expect.poll(() => readFile(join(bench.userData, 'window.json'), 'utf8')).toMatch(/"isClosingExplained":\s*true/)
  await running.quit()
  const { running: again } = await bench.launchLive(addressOf(service))
  await closeWindow(again)
  await expect.poll(() => windowCount(again)).toBe(0)
  // Longer than it waits for a window that is opened again at once.
  await sleep(6_000)
  await again.quit()
  expect(bench.peer.unreadCount).toBe(0)
})

test('Ctrl and +, − and 0 zoom the page, within bounds, and the zoom is remembered', async ({ bench, service }) => {
  const zoom = ({ app }: RunningApp) =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomFactor().toFixed(2))
  // Keys as the system gives them: those of a page's driver come to the page alone.
  const press = ({ app }: RunningApp, keyCode: string) =>
    app.evaluate(({ BrowserWindow }, pressed) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      contents?.sendInputEvent({ type: 'keyDown', keyCode: pressed, modifiers: ['control'] })
    }, keyCode)
  const first = await bench.launchLive(addressOf(service))
  await press(first.running, '=')
  await expect.poll(() => zoom(first.running)).toBe('1.10')
  await press(first.running, '0')
  await press(first.running, '-')
  await expect.poll(() => zoom(first.running)).toBe('0.90')
  for (let times = 0; times < 20; times++) await press(first.running, '+')
  await expect.poll(() => zoom(first.running)).toBe('2.00')
  await closeWindow(first.running)
  await first.running.quit()
  const second = await bench.launchLive(addressOf(service))
  await expect.poll(() => zoom(second.running)).toBe('2.00')
  await press(second.running, '0')
  await expect.poll(() => zoom(second.running)).toBe('1.00')
  // Written at once: nothing closes the window in good order.
  await expect.poll(() => readFile(join(bench.userData, 'window.json'), 'utf8')).toMatch(/"zoom":\s*1\b/)
  await second.running.kill()
  const third = await bench.launchLive(addressOf(service))
  await expect.poll(() => zoom(third.running)).toBe('1.00')
})

test('the window comes back where it was, whether it was closed or the app ended', async ({ bench, service }) => {
  const bounds = ({ app }: RunningApp) =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())
  const move = ({ app }: RunningApp, to: { x: number; y: number; width: number; height: number }) =>
    app.evaluate(({ BrowserWindow }, wanted) => {
      BrowserWindow.getAllWindows()[0]?.setBounds(wanted)
    }, to)
  const launch = async () => {
    const { running } = await bench.launchLive(addressOf(service))
    return running
  }
  const places = [
    { x: 40, y: 60, width: 1000, height: 700 },
    { x: 90, y: 30, width: 1100, height: 650 },
  ] as const
  const first = await launch()
  await move(first, places[0])
  await expect.poll(() => bounds(first)).toEqual(places[0])
  await closeWindow(first)
  await first.quit()
  const second = await launch()
  await expect.poll(() => bounds(second)).toEqual(places[0])
  await move(second, places[1])
  await expect.poll(() => bounds(second)).toEqual(places[1])
  await second.quit()
  const third = await launch()
  await expect.poll(() => bounds(third)).toEqual(places[1])
})
