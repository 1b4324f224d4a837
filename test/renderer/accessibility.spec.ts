import { faults } from '../support/faults'
import { expect, openStory, openWindow, test } from './window-page'

for (const colorScheme of ['dark', 'light'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme })

    for (const story of ['watchlist', 'indices', 'alerts', 'assistants', 'settings', 'start, no answer'] as const) {
      test(`${story}: the view has no accessibility fault`, async ({ page }) => {
        await openStory(page, story)
        expect(await faults(page)).toEqual([])
      })
    }

    test('neither has the watchlist while offline', async ({ page }) => {
      await openStory(page, 'watchlist, offline')
      expect(await faults(page)).toEqual([])
      await page.locator('[data-index="NCI"]').dblclick()
      await expect(page.getByText('Last calculated')).toBeVisible()
      expect(await faults(page)).toEqual([])
    })

    for (const [id, tabs] of [
      ['NCI', ['Constituents', 'Reference data']],
      ['BRTI', ['Reference data', 'Market conditions']],
      ['TSLAXUSD_RTI', ['Constituents', 'Corporate actions']],
    ] as const) {
      for (const width of [1280, 900]) {
        test(`neither has the page of ${id} at a width of ${width}`, async ({ page }) => {
          await page.setViewportSize({ width, height: 700 })
          await openWindow(page)
          await page.locator(`[data-index="${id}"]`).dblclick()
          for (const name of tabs) {
            await page.getByRole('tab', { name }).click()
            const fold = page.getByRole('button', { name: 'BTC', expanded: false })
            if (id === 'NCI' && name === 'Constituents') await fold.click()
            expect(await faults(page)).toEqual([])
          }
        })
      }
    }

    test('neither has the collapsed panel beside the indices', async ({ page }) => {
      await openWindow(page, { view: 'indices' })
      await page.getByRole('button', { name: 'NCI', exact: true }).click()
      await page.getByRole('button', { name: 'Collapse NCI' }).click()
      await expect(page.getByRole('button', { name: 'Expand NCI' })).toBeVisible()
      expect(await faults(page)).toEqual([])
    })

    test('nor have the dialogs and the row menu', async ({ page }) => {
      await openWindow(page)
      await page.keyboard.press('Control+n')
      await expect(page.getByRole('option').first()).toBeVisible()
      expect(await faults(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.locator('[data-index="BRTI"]').click({ button: 'right' })
      await expect(page.getByRole('menu')).toBeVisible()
      expect(await faults(page)).toEqual([])
      await page.getByRole('menuitem', { name: 'New alert for BRTI' }).click()
      await page.getByLabel('Level').fill('60000')
      await expect(page.getByRole('radio').first()).toBeVisible()
      expect(await faults(page)).toEqual([])
    })

    test('a planted fault is found', async ({ page }) => {
      await openWindow(page)
      await page.evaluate("document.querySelector('main').append(document.createElement('button'))")
      expect((await faults(page)).join()).toContain('button-name')
    })
  })
}

test('the policy is in force: an inline style is refused, and the page needs none', async ({ page, complaints }) => {
  await openWindow(page)
  expect(complaints).toEqual([])
  await page.evaluate(
    "document.body.insertAdjacentElement('beforeend', document.createElement('p')).setAttribute('style', 'color: red')",
  )
  await expect.poll(() => complaints.join()).toContain('Content Security Policy')
  complaints.length = 0
})

test('with reduced motion a changed value is marked without fading', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const fake = await openWindow(page)
  const [quote] = fake.snapshot.quotes
  if (quote === undefined) throw new Error('the sample has no quote')
  const frames = page.evaluate<string>(`new Promise((found) => {
    const animate = Element.prototype.animate
    Element.prototype.animate = function (frames, options) {
      found(JSON.stringify(frames))
      return animate.call(this, frames, options)
    }
  })`)
  await fake.push({ quotes: [{ ...quote, value: '1.00' }] })
  expect(new Set((JSON.parse(await frames) as { opacity: number }[]).map(({ opacity }) => opacity)).size).toBe(1)
})
