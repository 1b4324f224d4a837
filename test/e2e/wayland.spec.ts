import { once } from 'node:events'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectionVariables } from '../support/app-bench'
import { expect, test as base } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'
import { addressOf } from '../support/scripted-rest'
import { WatchPage } from '../support/watch-page'
import { WaylandDisplay } from '../support/wayland-display'

const test = base.extend<{ wayland: WaylandDisplay }>({
  wayland: async ({ bench }, use, testInfo) => {
    const folder = join(bench.folder, 'screen')
    await mkdir(folder)
    const wayland = await WaylandDisplay.start(bench.environment(), folder)
    await use(wayland)
    if (testInfo.status !== testInfo.expectedStatus) {
      await wayland.keepPicture(testInfo.outputPath('screen.xwd'))
    }
    await wayland.stop()
  },
})

/** The flag of a Wayland session. The app uses the Wayland display unless the user chose XWayland. */
const flag = '--ozone-platform-hint=auto'

/** Command lines of the app's main process and of its pages on this profile. */
async function startedAs(userData: string): Promise<{ app: string | undefined; pages: string[] }> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(processes.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  // Chromium rewrites its command line with spaces between the arguments.
  const own = commands.filter((command) => command.includes(`--user-data-dir=${userData}`))
  return {
    app: own.find((command) => !command.includes('--type=')),
    pages: own.filter((command) => command.includes('--type=renderer')),
  }
}

test(
  'under Wayland the window is painted at the start and each time it is shown again',
  { tag: '@deep' },
  async ({ bench, wayland, alerts }) => {
    const variables = { ...connectionVariables(addressOf(alerts.service)), ...wayland.variables }
    const isPainted = async () => (await wayland.colours()) > 20
    const inTray = bench.peer.nextTrayItem()
    // A link still opens the window. A restart must drop both.
    const args = [flag, '--hidden', 'indexwatch://list/My%20list']
    const running = await bench.launch(process.getuid?.() === 0 ? [...args, '--no-sandbox'] : args, variables)
    const { page } = await running.watch()
    await page.getByRole('table', { name: 'My list' }).waitFor()
    await expect.poll(isPainted).toBe(true)
    alerts.publish('100.00')
    const watch = new WatchPage(page)
    await watch.expectValue('BRTI', '100.00', '100.00')
    await watch.ask('createAlert', { draft: levelDraft('110'), whenAlreadyMet: 'wait' })

    // The ticker works although the app cannot place it, and Settings says so.
    expect((await watch.snapshot()).state.placesWindows).toBe(false)
    const opening = running.app.waitForEvent('window')
    await watch.ask('setPreferences', { showsTicker: true })
    await expect((await opening).locator('[data-index="BRTI"] [data-value]')).toHaveText('100.00')

    await inTray
    await running.closeWindows()
    await expect.poll(isPainted).toBe(false)
    await bench.peer.clickMenu('Open Indexwatch')
    await expect.poll(isPainted).toBe(true)

    await running.closeWindows()
    await expect.poll(isPainted).toBe(false)
    await once(bench.spawn([flag], variables), 'exit')
    await expect.poll(isPainted).toBe(true)

    await running.closeWindows()
    await expect.poll(isPainted).toBe(false)
    alerts.publish('110.00')
    bench.peer.click(await bench.peer.nextAlert('BRTI'))
    await expect.poll(isPainted).toBe(true)
    expect(running.pageErrors).toEqual([])

    const reopened = await running.watch()
    expect((await reopened.snapshot()).state.xwayland).toBe('offered')
    await reopened.ask('setPreferences', { usesXWayland: true, showsTicker: false })
    const closed = running.app.waitForEvent('close')
    // The page may close before the answer arrives. A refusal would leave the app open and fail the checks below.
    await Promise.all([closed, reopened.ask('restart', {}).catch(() => undefined)])
    // The app restarts from Wayland to XWayland.
    await expect.poll(async () => (await startedAs(bench.userData)).app).toContain('--ozone-platform=x11')
    await expect.poll(async () => (await startedAs(bench.userData)).pages).toHaveLength(1)
    const { app } = await startedAs(bench.userData)
    expect(app).not.toMatch(/--hidden|indexwatch:/)
    // The icon of the new app answers. The old one no longer does.
    await expect(async () => {
      expect(await bench.peer.trayTooltip()).toContain('Indexwatch')
    }).toPass()
    await bench.peer.clickMenu('Quit')
    await expect.poll(async () => (await startedAs(bench.userData)).app).toBeUndefined()
  },
)
