import { faults } from '../support/faults'
import { expect, openStory, openWindow, test } from './window-page'

/** What no story shows; the stories are looked at where they are opened. */
test(
  'no part of an index, of the rows or of what they open has an accessibility fault',
  { tag: '@deep' },
  async ({ page }) => {
    await openStory(page, 'index, exchange family')

    await test.step('no part of an index has an accessibility fault, in a narrow window either', async () => {
      await page.getByRole('button', { name: 'BTC', expanded: false }).click()
      expect(await faults(page, { part: 'main' })).toEqual([])
      await page.setViewportSize({ width: 900, height: 700 })
      await page.getByRole('tab', { name: 'Reference data' }).click()
      expect(await faults(page, { part: 'main' })).toEqual([])
      await page.setViewportSize({ width: 1280, height: 820 })
    })
    await test.step('nor have the row menu and the dialog it opens', async () => {
      await page.locator('[data-index="BRTI"]').click({ button: 'right' })
      await expect(page.getByRole('menu')).toBeVisible()
      expect(await faults(page, { part: '[role=menu]' })).toEqual([])
      await page.getByRole('menuitem', { name: 'New alert for BRTI' }).click()
      await page.getByLabel('Level').fill('60000')
      await expect(page.getByRole('radio').first()).toBeVisible()
      expect(await faults(page, { part: 'dialog' })).toEqual([])
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })
    await test.step('neither has the collapsed panel beside the indices', async () => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Indices' }).click()
      await page.getByRole('button', { name: 'NCI', exact: true }).click()
      await page.getByRole('button', { name: 'Collapse NCI' }).click()
      await expect(page.getByRole('button', { name: 'Expand NCI' })).toBeVisible()
      expect(await faults(page)).toEqual([])
    })
  },
)

test('a planted fault is found, one of the other theme too, and an inline style is refused', async ({
  page,
  complaints,
}) => {
  await openWindow(page)
  // Of many alike one in another colour, two on other ground, one on what is not above it in the tree, and one wrong in the
  // other theme alone: each is named.
  await page.evaluate(`{
    document.querySelector('main').append(document.createElement('button'))
    document.querySelector('[data-index="NCI"] th').style.color = '#bbb'
    for (const id of ['BRR', 'APT_SRR']) document.querySelector('[data-index="' + id + '"]').style.background = '#777'
    const [cell, ground, text] = ['th', 'i', 'span'].map((name) => document.createElement(name))
    ground.style.cssText = 'position: absolute; inset: 0; background: #777'
    text.style.position = 'relative'
    text.textContent = text.title = 'on another'
    cell.style.position = 'relative'
    cell.append(ground, text)
    document.querySelector('[data-index="ETHUSD_RTI"] th').replaceWith(cell)
    document.querySelector('main h1').style.color = 'light-dark(#000, #333)'
  }`)
  const planted = (await faults(page, { inBothThemes: true })).join('\n')
  expect(planted).toMatch(/^button-name: <button/m)
  expect(planted).toMatch(/^color-contrast: <th [^>]*title="NCI"/m)
  expect(planted).toMatch(/^color-contrast: <th [^>]*title="BRR"/m)
  expect(planted).toMatch(/^color-contrast: <th [^>]*title="APT_SRR"/m)
  expect(planted).toMatch(/^color-contrast: <span [^>]*title="on another"/m)
  expect(planted).toMatch(/^in the dark theme, color-contrast: <h1/m)
  expect(complaints).toEqual([])
  await page.evaluate(
    "document.body.insertAdjacentElement('beforeend', document.createElement('p')).setAttribute('style', 'color: red')",
  )
  await expect.poll(() => complaints.join()).toContain('Content Security Policy')
  complaints.length = 0
})
