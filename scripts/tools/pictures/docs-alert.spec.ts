/**
 * Films an alert for the README, in the real app with a real notification daemon. The value nears the level, the
 * notification appears, a click on it opens the index, then the inbox and the reason. Needs ImageMagick. Part of
 * `npm run pictures -- docs`. Check each frame in `test-results/alert/`.
 */
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { AlertRun } from '../../../test/support/alert-run'
import type { AppBench } from '../../../test/support/app-bench'
import { RealDesktop } from '../../../test/support/real-desktop'
import { levelDraft } from '../../../test/support/sample-alerts'
import { screenshot } from '../../../test/support/screenshot'
import { onProvider, publishEachSecond, type Measured } from './live-app'

const root = join(import.meta.dirname, '../../..')
const frames = join(root, 'test-results', 'alert')
const result = join(root, 'docs/screenshots/alert.gif')
/** On the right, where the daemon shows notifications. The smallest window size keeps the text readable. */
const place = { x: 380, y: 0, width: 900, height: 600 }

/** Starts as a user who has seen the message about closing the window. */
async function placeWindow(bench: AppBench): Promise<void> {
  await mkdir(bench.userData)
  await writeFile(join(bench.userData, 'window.json'), JSON.stringify({ ...place, zoom: 1, isClosingExplained: true }))
}

test('the film of an alert', async () => {
  test.setTimeout(300_000)
  await rm(frames, { recursive: true, force: true })
  await mkdir(frames, { recursive: true })
  let desktop: RealDesktop | undefined
  const film = async ({ running, simulator, watch }: Measured) => {
    const { page } = watch
    const shots: string[] = []
    const take = async (seconds: number) => {
      const file = join(frames, `${shots.length / 3}.png`)
      await writeFile(file, (await screenshot(running, place)).png)
      shots.push('-delay', String(seconds * 100), file)
    }
    await watch.ask('setPreferences', { theme: 'light' })
    await expect(page.locator('[data-index="LINKUSD_RTI"] [data-value]').first()).toBeVisible()
    // Time for the first changes and the past of each row.
    await page.waitForTimeout(15_000)
    await page.mouse.move(450, 560)
    simulator.holdMarket()
    const value = page.locator('[data-index="BRTI"] [data-value]').first()
    const level = Math.round(Number(await value.getAttribute('data-value')) / 10) * 10
    await publishEachSecond(simulator, [level - 4])
    await expect(value).toHaveAttribute('data-value', (level - 4).toFixed(2))
    const alerts = new AlertRun(running, watch)
    await alerts.make({ ...levelDraft(String(level), { condition: 'crosses' }), note: 'Weigh the hedge' })
    await take(1.5)
    await publishEachSecond(simulator, [level + 6])
    await expect.poll(() => desktop?.shown, { timeout: 60_000 }).toContain('summary: ')
    // The daemon reports a notification before drawing it.
    await page.waitForTimeout(500)
    await take(3)
    // A released market would have moved further.
    const going = publishEachSecond(
      simulator,
      Array.from({ length: 20 }, (_, at) => level + 8 + at + 3 * Math.sin(at * 2)),
    )
    await desktop?.click()
    await expect(page.getByRole('heading', { name: 'BRTI', exact: true }).first()).toBeVisible()
    await page.getByRole('radio', { name: '1 hour' }).check()
    await page.waitForTimeout(2_000)
    await take(2)
    await page.evaluate(() => (location.hash = '#alerts'))
    const event = page.locator('tr[data-event]').first()
    await expect(event).toBeVisible()
    await page.waitForTimeout(1_000)
    await take(2.5)
    await event.click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Why/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.waitForTimeout(1_000)
    await take(4)
    await going
    const drawing = ['-loop', '0', ...shots, '-layers', 'optimize', '+dither', '-colors', '96', result]
    await promisify(execFile)('convert', drawing)
  }
  const prepare = async (bench: AppBench) => {
    await placeWindow(bench)
    desktop = await RealDesktop.start(bench.environment())
  }
  try {
    await onProvider(film, { parts: { hasNotifications: false, hasTray: false }, prepare })
  } finally {
    await desktop?.stop()
  }
})
