import { faults } from '../support/faults'
import { expect, openStory, openWindow, test } from './window-page'

/** What no story shows; the stories are looked at where they are opened. */
test('no part of an index has an accessibility fault, in a narrow window either', async ({ page }) => {
  await openStory(page, 'index, exchange family')
  await page.getByRole('button', { name: 'BTC', expanded: false }).click()
  expect(await faults(page)).toEqual([])
  await page.setViewportSize({ width: 900, height: 700 })
  await page.getByRole('tab', { name: 'Reference data' }).click()
  expect(await faults(page)).toEqual([])
})

test('neither has the collapsed panel beside the indices', async ({ page }) => {
  await openWindow(page, { view: 'indices' })
  await page.getByRole('button', { name: 'NCI', exact: true }).click()
  await page.getByRole('button', { name: 'Collapse NCI' }).click()
  await expect(page.getByRole('button', { name: 'Expand NCI' })).toBeVisible()
  expect(await faults(page)).toEqual([])
})

test('nor have the row menu and the dialog it opens', async ({ page }) => {
  await openWindow(page)
  await page.locator('[data-index="BRTI"]').click({ button: 'right' })
  await expect(page.getByRole('menu')).toBeVisible()
  expect(await faults(page)).toEqual([])
  await page.getByRole('menuitem', { name: 'New alert for BRTI' }).click()
  await page.getByLabel('Level').fill('60000')
  await expect(page.getByRole('radio').first()).toBeVisible()
  expect(await faults(page)).toEqual([])
})

test('a planted fault is found, and one of the other theme as well', async ({ page }) => {
  await openWindow(page)
  // Of many alike one in another colour, and two on other ground: each is named.
  await page.evaluate(`{
    document.querySelector('main').append(document.createElement('button'))
    document.querySelector('[data-index="NCI"] th').style.color = '#bbb'
    for (const id of ['BRR', 'APT_SRR']) document.querySelector('[data-index="' + id + '"]').style.background = '#777'
  }`)
  const planted = (await faults(page)).filter((fault) => !fault.startsWith('in the'))
  expect(planted.join()).toContain('button-name')
  expect(planted.join()).toMatch(/color-contrast: <th [^>]*title="NCI"/)
  expect(planted.join()).toMatch(/color-contrast: <th [^>]*title="BRR"/)
  expect(planted.join()).toMatch(/color-contrast: <th [^>]*title="APT_SRR"/)
  await page.evaluate(`{
    document.querySelector('main').lastElementChild.remove()
    for (const changed of document.querySelectorAll('main [style]')) {
      changed.style.removeProperty('color')
      changed.style.removeProperty('background')
    }
  }`)
  expect(await faults(page)).toEqual([])
  await page.evaluate("document.querySelector('main h1').style.color = 'light-dark(#000, #333)'")
  expect((await faults(page)).join()).toMatch(/^in the dark theme, color-contrast: <h1/)
})

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
