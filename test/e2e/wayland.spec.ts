import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { connectionVariables, type RunningApp } from '../support/app-bench'
import { expect, test as base } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'
import { addressOf } from '../support/scripted-rest'
import { WatchPage } from '../support/watch-page'
import { WaylandDisplay } from '../support/wayland-display'

const test = base.extend<{ wayland: WaylandDisplay }>({
  wayland: async ({ bench }, use) => {
    const folder = join(bench.folder, 'screen')
    await mkdir(folder)
    const wayland = await WaylandDisplay.start(bench.environment(), folder)
    await use(wayland)
    await wayland.stop()
  },
})

const flag = '--ozone-platform=wayland'

async function closeWindow({ app }: RunningApp): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close()
  })
}

test('under Wayland the window is painted at the start, and again from the tray, by a second start and by a notification', async ({
  bench,
  wayland,
  alerts,
}) => {
  const variables = { ...connectionVariables(addressOf(alerts.service)), ...wayland.variables }
  const isPainted = async () => (await wayland.colours()) > 20
  const inTray = bench.peer.nextTrayItem()
  const running = await bench.launch([flag], variables)
  const { page } = await running.watch()
  await page.getByRole('table', { name: 'Watchlist' }).waitFor()
  await expect.poll(isPainted).toBe(true)
  alerts.publish('100.00')
  const watch = new WatchPage(page)
  await watch.expectValue('BRTI', '100.00', '100.00')
  await watch.ask('createAlert', { draft: levelDraft('110'), whenAlreadyMet: 'wait' })

  // The ticker works where nobody can place it, and Settings says so.
  expect((await watch.snapshot()).state.placesWindows).toBe(false)
  const opening = running.app.waitForEvent('window')
  await watch.ask('setPreferences', { showsTicker: true })
  await expect((await opening).locator('[data-index="BRTI"] [data-value]')).toHaveText('100.00')

  await inTray
  await closeWindow(running)
  await expect.poll(isPainted).toBe(false)
  await bench.peer.clickMenu('Open Indexwatch')
  await expect.poll(isPainted).toBe(true)

  await closeWindow(running)
  await expect.poll(isPainted).toBe(false)
  await once(bench.spawn([flag], variables), 'exit')
  await expect.poll(isPainted).toBe(true)

  await closeWindow(running)
  await expect.poll(isPainted).toBe(false)
  alerts.publish('110.00')
  bench.peer.click(await bench.peer.nextAlert('BRTI'))
  await expect.poll(isPainted).toBe(true)
  expect(running.pageErrors).toEqual([])
})
