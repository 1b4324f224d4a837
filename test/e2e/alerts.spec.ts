import { expect, test } from '@playwright/test'
import { AppBench, connectionVariables, type RunningApp } from '../support/app-bench'
import { addressOf, tellCatalogue } from '../support/scripted-rest'
import { ScriptedService } from '../support/scripted-service'
import type { WatchPage } from '../support/watch-page'

let bench: AppBench
let service: ScriptedService
/** Publish times rise by whole seconds, and are never ahead of the clock. */
let time = 0

test.beforeEach(async () => {
  time = Math.floor(Date.now() / 1_000) * 1_000 - 600_000
  service = await ScriptedService.start()
  tellCatalogue(service)
})

test.afterEach(async () => {
  await bench.dispose()
  await service.stop()
})

function publish(value: string): void {
  time += 1_000
  service.sendValue('BRTI', value, time)
}

async function launchLive(): Promise<{ running: RunningApp; watch: WatchPage }> {
  const running = await bench.launch([], connectionVariables(addressOf(service)))
  const watch = await running.watch()
  await watch.expectState('Live')
  await expect.poll(() => service.connectionCount).toBe(1)
  return { running, watch }
}

async function makeAlert(watch: WatchPage, level: string): Promise<void> {
  await watch.open('Alerts')
  await watch.page.getByRole('button', { name: 'New alert' }).first().click()
  const dialog = watch.page.getByRole('dialog', { name: 'New alert' })
  await dialog.getByLabel('Index').selectOption('BRTI')
  await dialog.getByLabel('Level').fill(level)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(watch.page.getByRole('table', { name: 'Alert rules' })).toContainText('BRTI')
}

function inbox(watch: WatchPage) {
  return watch.page.getByRole('table', { name: 'Alert inbox' })
}

test('a threshold that is met is told by a notification; a click on it opens the alerts', async () => {
  bench = await AppBench.create()
  const { watch, running } = await launchLive()
  publish('68400.00')
  await watch.expectValue('BRTI', '68400.00', '68,400.00')
  await makeAlert(watch, '68500.00')
  publish('68499.99')
  publish('68500.120')
  const shown = await bench.peer.nextNotification()
  expect(shown.summary).toBe('BRTI at or above 68,500.00')
  const at = new Date(time).toISOString().slice(11, 23)
  expect(shown.body).toBe(`68,500.120 at ${at}`)
  await expect(inbox(watch)).toContainText('shown')
  await watch.open('Watchlist')
  await expect(inbox(watch)).toHaveCount(0)
  bench.peer.click(shown)
  await expect(inbox(watch)).toContainText('clicked')
  publish('68400.00')
  publish('68600.00')
  await watch.open('Watchlist')
  await watch.expectValue('BRTI', '68600.00', '68,600.00')
  expect(bench.peer.unreadCount).toBe(0)
  expect(running.pageErrors).toEqual([])
})

test('an alert survives a restart and does not fire twice', async () => {
  bench = await AppBench.create()
  const first = await launchLive()
  publish('100.00')
  await first.watch.expectValue('BRTI', '100.00', '100.00')
  await makeAlert(first.watch, '110.00')
  await first.running.quit()

  const second = await launchLive()
  publish('110.00')
  expect((await bench.peer.nextNotification()).summary).toBe('BRTI at or above 110.00')
  await second.running.quit()

  const third = await launchLive()
  publish('111.00')
  publish('109.00')
  publish('112.00')
  await third.watch.expectValue('BRTI', '112.00', '112.00')
  expect(bench.peer.unreadCount).toBe(0)
  await third.watch.open('Alerts')
  await expect(inbox(third.watch).getByRole('rowheader')).toHaveCount(1)
})

test('an alert fires while the window is closed, and the tray says that it is unread', async () => {
  bench = await AppBench.create()
  const { watch, running } = await launchLive()
  await bench.peer.nextTrayItem()
  publish('100.00')
  await watch.expectValue('BRTI', '100.00', '100.00')
  await makeAlert(watch, '110.00')
  await running.app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close()
  })
  publish('110.00')
  const shown = await bench.peer.nextNotification()
  await expect.poll(() => bench.peer.trayTooltip()).toContain('1 unread alert')
  const reopened = running.app.waitForEvent('window')
  bench.peer.click(shown)
  await expect((await reopened).getByRole('table', { name: 'Alert inbox' })).toContainText('clicked')
  await expect.poll(() => bench.peer.trayTooltip()).not.toContain('unread')
})

test('without a notification daemon the inbox has it all the same', async () => {
  bench = await AppBench.create({ hasNotifications: false })
  const { watch } = await launchLive()
  publish('100.00')
  await watch.expectValue('BRTI', '100.00', '100.00')
  await makeAlert(watch, '110.00')
  publish('110.00')
  await expect(inbox(watch)).toContainText('110.00')
  const answer = JSON.stringify(await watch.ask('getSnapshot', {}))
  expect(answer).not.toContain('\\"shown\\"')
  await expect(inbox(watch)).toContainText(/could not be shown|not confirmed/)
})
