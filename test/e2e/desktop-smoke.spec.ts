import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test as base } from '../support/app-test'
import { popupColour, RealDesktop } from '../support/real-desktop'
import { levelDraft } from '../support/sample-alerts'
import { screenshot } from '../support/screenshot'

const test = base.extend<{ real: RealDesktop }>({
  desktop: { hasNotifications: false, hasTray: false },
  real: async ({ bench }, use) => {
    const real = await RealDesktop.start(bench.environment())
    await use(real)
    await real.stop()
  },
})

/** Where dunst shows its newest notification, on a screen 1280 px wide. */
const popup = { x: 856, y: 9, width: 415, height: 116 }

test(
  'on a real desktop an alert is shown and opens its index, and the panel has the tray icon',
  { tag: '@deep' },
  async ({ bench, real, alerts }) => {
    // Closing was explained before. The explanation would otherwise appear in the place of the alert's notification.
    const place = { x: 0, y: 0, width: 1280, height: 820, zoom: 1, isClosingExplained: true }
    await mkdir(bench.userData)
    await writeFile(join(bench.userData, 'window.json'), JSON.stringify(place))
    const run = await alerts.launch(bench)
    alerts.publish('67990.40')
    await run.watch.expectValue('BRTI', '67990.40', '67,990.40')
    await run.make({ ...levelDraft('68000'), note: 'Weigh the hedge' })

    await expect.poll(() => real.trayItems()).toHaveLength(1)
    const [item = ''] = await real.trayItems()
    await expect.poll(() => real.trayTooltip(item)).toContain('BRTI 67,990.40')

    await run.running.closeWindows()
    expect((await screenshot(run.running, popup)).colour).not.toBe(popupColour)
    alerts.publish('68000.12')
    await expect.poll(() => real.shown).toContain("summary: 'BRTI rose to 68,000.12 (level 68,000)'")
    expect(real.shown).toContain('Watchlist: My list')
    expect(real.shown).toContain('urgency: NORMAL')
    await expect.poll(async () => (await screenshot(run.running, popup)).colour).toBe(popupColour)
    const folder = join(import.meta.dirname, '..', '..', 'test-results')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'notification.png'), (await screenshot(run.running, popup)).png)
    await writeFile(join(folder, 'desktop.png'), (await screenshot(run.running)).png)

    const reopened = run.running.app.waitForEvent('window')
    await real.click()
    await expect((await reopened).getByRole('button', { name: 'Close BRTI' })).toBeVisible()
  },
)
