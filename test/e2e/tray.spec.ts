import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectionVariables, type AppBench, type RunningApp } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { addressOf } from '../support/scripted-rest'
import { trayItems } from '../support/tray-items'

function windowCount({ app }: RunningApp): Promise<number> {
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
}

/** Starts the app again beside the running one. Resolves with its output once this start has ended with code 0. */
async function startAgain(bench: AppBench, args: string[], variables: Record<string, string>): Promise<string> {
  const child = bench.spawn(args, variables)
  let said = ''
  child.stdout.on('data', (data: Buffer) => (said += data.toString()))
  expect(await once(child, 'close')).toEqual([0, null])
  return said
}

test('hidden, the app is only in the tray, and its icon, menu and tooltip show its state', async ({
  bench,
  service,
}) => {
  const variables = connectionVariables(addressOf(service))
  const running = await bench.launch(['--hidden'], variables)
  await bench.peer.nextTrayItem()
  await expect.poll(() => service.connectionCount).toBe(1)

  await test.step('--help is printed without a display, and a second hidden start opens no window', async () => {
    const said = await startAgain(bench, ['--help'], { DISPLAY: '', DBUS_SESSION_BUS_ADDRESS: '' })
    expect(said).toContain('--user-data-dir=DIR')
    await startAgain(bench, ['--hidden'], variables)
    // The running app has noticed the second start.
    await bench.peer.nextTrayItem()
    await expect.poll(() => bench.peer.trayTooltip()).toContain('Indexwatch: Live')
    expect(await windowCount(running)).toBe(0)
  })

  await test.step('free memory is returned once a minute, instead of every four seconds per process', async () => {
    const features = await running.app.evaluate(({ app }) => app.commandLine.getSwitchValue('enable-features'))
    expect(features.split(',')).toContain('PartitionAllocMemoryReclaimer:interval/60s')
  })

  await test.step('a click on the icon opens the window', async () => {
    const opened = running.app.waitForEvent('window')
    await bench.peer.activateTray()
    await (await opened).getByRole('table', { name: 'My list' }).waitFor()
  })

  await test.step('state and values are in tooltip, menu and icon', async () => {
    const time = Math.floor(Date.now() / 1_000) * 1_000
    service.sendValue('BRTI', '79767.340', time)
    const label = `BRTI 79,767.340 at ${new Date(time).toISOString().slice(11, 19)}`
    await expect.poll(() => bench.peer.trayTooltip()).toBe(`Indexwatch: Live\n${label}`)
    const labels = async () => (await bench.peer.trayMenu()).map((item) => item.label)
    await expect.poll(labels).toEqual(['Open Indexwatch', 'BRTI', ...trayItems])
    const live = await bench.peer.trayIcon()
    await bench.peer.clickMenu('Disconnect')
    await expect.poll(() => bench.peer.trayTooltip()).toBe(`Indexwatch: Disconnected\n${label} (not live)`)
    await expect.poll(() => service.connectionCount).toBe(0)
    await expect.poll(labels).toContain('Reconnect')
    await bench.peer.clickMenu('Reconnect')
    await expect.poll(() => bench.peer.trayTooltip()).toBe(`Indexwatch: Live\n${label}`)
    await service.stop()
    await expect.poll(() => bench.peer.trayTooltip()).toBe(`Indexwatch: Reconnecting\n${label} (not live)`)
    expect((await bench.peer.trayIcon()).equals(live)).toBe(false)
  })

  await test.step('Quit ends the app', async () => {
    const ended = once(running.app.process(), 'exit')
    await bench.peer.clickMenu('Quit')
    const [code] = (await ended) as [number | null]
    expect(code).toBe(0)
  })
})

test(
  'a panel that starts later gets the icon, and closing without a panel asks once',
  { tag: '@deep' },
  async ({ bench, service }) => {
    const { running } = await bench.launchLive(addressOf(service))
    await bench.peer.nextTrayItem()
    await bench.peer.stopTray()
    const messages = await running.answerMessages('Keep running')
    // The app notices the missing panel a moment later. A window closed before that asks nothing.
    await expect
      .poll(async () => {
        await running.closeWindows()
        await expect.poll(() => windowCount(running)).toBe(0)
        const asked = await messages()
        if (asked.length === 0) {
          const opened = running.app.waitForEvent('window')
          await once(bench.spawn([], connectionVariables(addressOf(service))), 'exit')
          await (await opened).getByRole('table', { name: 'My list' }).waitFor()
        }
        return asked
      })
      .toEqual([expect.stringContaining('Keep Indexwatch running without its window?')])
    await bench.peer.startTray()
    await bench.peer.nextTrayItem()
    // The old icon may register by itself. It disappears when the app creates a new one.
    await expect(async () => {
      expect(await bench.peer.trayTooltip()).toContain('Indexwatch: Live')
    }).toPass()
    // The answer is stored as a setting, so the user is asked only once.
    await expect
      .poll(() => readFile(join(bench.userData, 'settings.json'), 'utf8'))
      .toMatch(/"closingWithoutTray":\s*"keepRunning"/)
  },
)

test('a closed window leaves the app in the tray and reopens with its place and size', async ({ bench, service }) => {
  const zoom = ({ app }: RunningApp) =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomFactor().toFixed(2))
  // Sent as system input, because Playwright's keys reach only the page.
  const press = ({ app }: RunningApp, keyCode: string) =>
    app.evaluate(({ BrowserWindow }, pressed) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      contents?.sendInputEvent({ type: 'keyDown', keyCode: pressed, modifiers: ['control'] })
    }, keyCode)
  const bounds = ({ app }: RunningApp) =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())
  const move = ({ app }: RunningApp, to: { x: number; y: number; width: number; height: number }) =>
    app.evaluate(({ BrowserWindow }, wanted) => {
      BrowserWindow.getAllWindows()[0]?.setBounds(wanted)
    }, to)
  const places = [
    { x: 40, y: 60, width: 1000, height: 700 },
    { x: 90, y: 30, width: 1100, height: 650 },
  ] as const
  const variables = connectionVariables(addressOf(service))
  const first = (await bench.launchLive(addressOf(service))).running
  await bench.peer.nextTrayItem()

  await test.step('Ctrl and +, − and 0 zoom the page, within bounds', async () => {
    await press(first, '=')
    await expect.poll(() => zoom(first)).toBe('1.10')
    await press(first, '0')
    await press(first, '-')
    await expect.poll(() => zoom(first)).toBe('0.90')
    for (let times = 0; times < 20; times++) await press(first, '+')
    await expect.poll(() => zoom(first)).toBe('2.00')
  })
  await move(first, places[0])
  await expect.poll(() => bounds(first)).toEqual(places[0])

  await test.step('the first time it is closed a notification says where the app is', async () => {
    await first.closeWindows()
    await expect.poll(() => windowCount(first)).toBe(0)
    const { summary, body } = await bench.peer.nextNotification()
    expect(summary).toBe('Indexwatch is still running in the tray')
    expect(body).toContain('Quit')
    await expect
      .poll(() => readFile(join(bench.userData, 'window.json'), 'utf8'))
      .toMatch(/"isClosingExplained":\s*true/)
  })

  await test.step('the menu reopens it, and so does a second start, which creates the icon again', async () => {
    let opened = first.app.waitForEvent('window')
    await bench.peer.clickMenu('Open Indexwatch')
    await expect((await opened).getByRole('status', { name: 'Connection' })).toContainText('Live')
    await first.closeWindows()
    await expect.poll(() => windowCount(first)).toBe(0)
    opened = first.app.waitForEvent('window')
    await startAgain(bench, [], variables)
    await (await opened).getByRole('table', { name: 'My list' }).waitFor()
    await bench.peer.nextTrayItem()
    await expect.poll(() => bench.peer.trayTooltip()).toContain('Indexwatch: Live')
    expect(service.handshakes).toHaveLength(1)
    await first.closeWindows()
    await first.quit()
  })

  const second = (await bench.launchLive(addressOf(service))).running
  await test.step('zoom and place are restored, and closing is not explained again', async () => {
    await expect.poll(() => zoom(second)).toBe('2.00')
    await expect.poll(() => bounds(second)).toEqual(places[0])
    const opened = second.app.waitForEvent('window')
    await bench.peer.nextTrayItem()
    await second.closeWindows()
    await expect.poll(() => windowCount(second)).toBe(0)
    // Longer than the app waits for a window to be reopened.
    await sleep(6_000)
    expect(bench.peer.unreadCount).toBe(0)
    await bench.peer.clickMenu('Open Indexwatch')
    await (await opened).getByRole('table', { name: 'My list' }).waitFor()
  })

  await test.step('its place is saved when the app ends, and its zoom at once', async () => {
    const kept = () => readFile(join(bench.userData, 'window.json'), 'utf8')
    await press(second, '0')
    await expect.poll(() => zoom(second)).toBe('1.00')
    await expect.poll(kept).toMatch(/"zoom":\s*1\b/)
    await move(second, places[1])
    await expect.poll(() => bounds(second)).toEqual(places[1])
    await second.quit()
    expect(JSON.parse(await kept())).toMatchObject(places[1])
  })
})
