import type { Page } from '@playwright/test'
import { ok } from '../support/fake-desktop'
import { sampleNowMs } from '../support/sample-window'
import { expect, openWindow, test } from './window-page'

async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(name)
  await page.getByRole('option', { name, exact: true }).click()
}

test('alert commands work from any view: new, mute, export, import, test', { tag: '@deep' }, async ({ page }) => {
  const fake = await openWindow(page, { view: 'settings' })
  await test.step('all alerts are muted for an hour, or until they are unmuted', async () => {
    fake.handlers.snoozeAlerts = async ({ scope, untilMs }) => {
      await fake.push({ state: { snoozes: [{ scope, untilMs }] } })
      return ok(null)
    }
    fake.handlers.endSnooze = async () => {
      await fake.push({ state: { snoozes: [] } })
      return ok(null)
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('Unmute')
    await expect(page.getByRole('option', { name: 'Unmute alerts' })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await command(page, 'Mute alerts for 1 hour')
    const toast = page.getByRole('group', { name: 'Message' })
    await expect(toast).toContainText('All alerts are muted until 15:02')
    const [first] = fake.callsOf('snoozeAlerts') as [{ scope: unknown; untilMs: number }]
    expect(first.scope).toEqual({ of: 'all' })
    expect(first.untilMs - sampleNowMs).toBeGreaterThanOrEqual(3_600_000)
    expect(first.untilMs - sampleNowMs).toBeLessThan(3_660_000)
    // A mute replaced elsewhere makes the message untrue.
    await fake.push({ state: { snoozes: [{ scope: { of: 'all' }, untilMs: first.untilMs + 60_000 }] } })
    await expect(toast).toHaveCount(0)
    await command(page, 'Mute alerts until I unmute')
    await expect.poll(() => fake.callsOf('snoozeAlerts')[1]).toEqual({ scope: { of: 'all' }, untilMs: null })
    await expect(toast).toContainText('All alerts are muted until you unmute them')
    await command(page, 'Unmute alerts')
    await expect.poll(() => fake.callsOf('endSnooze')).toEqual([{ scope: { of: 'all' } }])
    // The message is no longer true. The tray may also have ended the mute.
    await expect(toast).toHaveCount(0)
  })
})
