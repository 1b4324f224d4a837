import { ok } from '../support/fake-desktop'
import { sampleNowMs } from '../support/sample-now'
import { openWindow, test } from './window-page'

const h = 3_600_000
for (const colorScheme of ['dark', 'light'] as const) {
  for (const [width, height] of [[1280, 820], [900, 600]] as const) {
    test(`look ${colorScheme} ${width}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height })
      const fake = await openWindow(page, { view: 'alerts' })
      fake.handlers.previewAlert = () =>
        ok({
          problems: [],
          isMet: false,
          measure: '2.73',
          backTest: {
            sinceMs: sampleNowMs - h,
            untilMs: sampleNowMs,
            fires: [0.2, 0.21, 0.5, 0.93].map((at) => ({ publishedAtMs: sampleNowMs - h + at * h, value: '1' })),
            firesWithBand: 1,
          },
        })
      const shot = (name: string) => page.screenshot({ path: `/tmp/look-dialog/${colorScheme}-${width}-${name}.png` })
      await page.getByRole('button', { name: 'New alert', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await page.waitForTimeout(500)
      await shot('open')
      await dialog.getByLabel('Level').fill('68,500.00')
      await page.waitForTimeout(500)
      await shot('level')
      await dialog.getByText('More').click()
      await dialog.getByLabel('Webhook').fill('https://hooks.example.com/a')
      await dialog.getByLabel('Ends').fill('2026-12-24T16:00')
      await shot('more')
      await dialog.getByText('More').click()
      await dialog.getByLabel('Level').fill('68,5')
      await dialog.getByLabel('Level').press('Enter')
      await shot('fault')
      for (const c of ['entersBand', 'moves', 'noUpdate', 'weightAtOrAbove', 'weightDrift', 'exchangeShareAtOrBelow', 'continuity', 'amended']) {
        await dialog.getByLabel('Condition').selectOption(c)
        await page.waitForTimeout(400)
        if (width === 1280) await shot(c)
      }
      await dialog.getByLabel('Condition').selectOption('risesTo')
      await dialog.getByLabel('Level').fill('60000')
      await dialog.getByLabel('Repeat').selectOption('daily')
      await dialog.getByLabel('Hold', { exact: true }).selectOption('own')
      await dialog.getByLabel('Re-arm band').selectOption('own')
      await page.waitForTimeout(400)
      await shot('all')
    })
  }
}
