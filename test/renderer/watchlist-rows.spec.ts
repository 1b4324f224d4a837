import type { Locator, Page } from '@playwright/test'
import { faults } from '../support/faults'
import { snapshotWithLists } from '../support/working-lists'
import { expect, openWindow, test } from './window-page'

const row = (page: Page, id: string) => page.locator(`[data-index="${id}"]`)
const message = (page: Page) => page.getByRole('group', { name: 'Message' })
const count = (page: Page, name: string) => page.locator('li', { has: page.getByTitle(name, { exact: true }) })

async function selected(page: Page): Promise<(string | undefined)[]> {
  const rows = await page.locator('tr[aria-selected="true"]').all()
  return Promise.all(rows.map(async (each) => (await each.getAttribute('data-index')) ?? undefined))
}

async function centre(element: Locator): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox()
  if (box === null) throw new Error('not on screen')
  return { x: box.x + 120, y: box.y + box.height / 2 }
}

test('rows are selected by pointer and keys, copied together and removed with one undo', async ({ page }) => {
  const fake = await openWindow(page)
  const some = ['ETHUSD_RTI', 'SOLUSD_RTI', 'XRPUSD_RTI']

  await test.step('Shift+click, Shift+arrows, Ctrl+click, Ctrl+A and Escape', async () => {
    await row(page, 'ETHUSD_RTI').click()
    await row(page, 'XRPUSD_RTI').click({ modifiers: ['Shift'] })
    expect(await selected(page)).toEqual(some)
    expect(await page.evaluate('getSelection().isCollapsed')).toBe(true)
    await page.keyboard.press('Shift+ArrowDown')
    await expect(row(page, 'NCI')).toHaveAttribute('aria-selected', 'true')
    await row(page, 'NCI').click({ modifiers: ['ControlOrMeta'] })
    expect(await selected(page)).toEqual(some)
    await page.keyboard.press('ControlOrMeta+a')
    expect(await selected(page)).toHaveLength(11)
    await page.keyboard.press('Escape')
    expect(await selected(page)).toEqual(['NCI'])
  })
  await test.step('copy takes all selected rows with every digit', async () => {
    await row(page, 'BRTI').click()
    await row(page, 'ETHUSD_RTI').click({ modifiers: ['Shift'] })
    await page.keyboard.press('ControlOrMeta+c')
    const copied = () => (fake.callsOf('copyText').at(-1) as { text: string } | undefined)?.text.split('\n')
    await expect
      .poll(copied)
      .toEqual([expect.stringMatching(/^BRTI\t68123\.40\t/), expect.stringMatching(/^ETHUSD_RTI\t\d/)])
  })
  await test.step('Delete removes them with one command, and Ctrl+Z restores them', async () => {
    await page.keyboard.press('Delete')
    await expect(message(page)).toContainText('2 rows removed')
    await expect(row(page, 'SOLUSD_RTI')).toBeFocused()
    expect(fake.callsOf('removeRows')).toHaveLength(1)
    await page.keyboard.press('ControlOrMeta+z')
    await expect(page.getByRole('rowheader').nth(1)).toHaveText('ETHUSD_RTI')
  })
})

test('selected rows are moved and added to another list from their menu, and undone', async ({ page }) => {
  await openWindow(page, { snapshot: snapshotWithLists('Majors') })
  const choose = async (item: string, list: string) => {
    await row(page, 'ETHUSD_RTI').click({ button: 'right' })
    await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('menuitem', { name: list, exact: true }).click()
  }
  await row(page, 'BRTI').click()
  await row(page, 'SOLUSD_RTI').click({ modifiers: ['Shift'] })
  await row(page, 'ETHUSD_RTI').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Move to list' }).click()
  await expect(page.getByRole('menuitem', { name: 'New list…' })).toBeVisible()
  expect(await faults(page, { part: '[role=menu]' })).toEqual([])
  await page.getByRole('menuitem', { name: 'Majors', exact: true }).click()
  await expect(message(page)).toContainText('3 rows moved to Majors. BRTI was already there.')
  await expect(row(page, 'BRTI')).toHaveCount(0)
  await expect(row(page, 'XRPUSD_RTI')).toBeFocused()
  await expect(count(page, 'Majors')).toHaveText(/Majors\s*3\s*indices/)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(row(page, 'BRTI')).toBeVisible()
  await expect(count(page, 'Majors')).toHaveText(/1\s*index/)

  await row(page, 'ETHUSD_RTI').click()
  await choose('Add to list', 'New list…')
  await page.getByRole('textbox', { name: 'Name' }).fill('Ether')
  await page.keyboard.press('Enter')
  await expect(message(page)).toContainText('ETHUSD_RTI added to Ether')
  await expect(count(page, 'Ether')).toHaveText(/1\s*index/)
  await expect(row(page, 'ETHUSD_RTI')).toBeVisible()
})

test('rows dragged onto another list move there, and with Ctrl are added', { tag: '@deep' }, async ({ page }) => {
  const fake = await openWindow(page, { snapshot: snapshotWithLists('Majors') })
  const drag = async (id: string, to: string) => {
    const from = await centre(row(page, id))
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    const place = await centre(count(page, to))
    await page.mouse.move(place.x, place.y, { steps: 3 })
  }
  await row(page, 'NCI').click()
  await row(page, 'BRR').click({ modifiers: ['Shift'] })
  await drag('BRR', 'Majors')
  await expect(page.getByText('Move 3 rows to Majors')).toBeVisible()
  await page.keyboard.down('Control')
  await expect(page.getByText('Add 3 rows to Majors')).toBeVisible()
  await page.keyboard.up('Control')
  await page.mouse.up()
  await expect(message(page)).toContainText('3 rows moved to Majors')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(row(page, 'NCI')).toBeVisible()

  await drag('BRTI', 'My list')
  await page.mouse.up()
  expect(fake.callsOf('moveRows')).toHaveLength(1)
  await expect(page.getByRole('rowheader').first()).toHaveText('BRTI')
})

test('a row that was dragged to another place, or removed and added again, returns by Ctrl+Z', async ({ page }) => {
  await openWindow(page)
  const order = async () => (await page.getByRole('rowheader').allInnerTexts()).slice(0, 4)
  const before = ['BRTI', 'ETHUSD_RTI', 'SOLUSD_RTI', 'XRPUSD_RTI']
  const from = await centre(row(page, 'BRTI'))
  const to = await centre(row(page, 'SOLUSD_RTI'))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y + 10, { steps: 3 })
  await page.mouse.up()
  await expect.poll(order).toEqual(['ETHUSD_RTI', 'SOLUSD_RTI', 'BRTI', 'XRPUSD_RTI'])
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(order).toEqual(before)

  await row(page, 'BRTI').press('Delete')
  await page.getByRole('button', { name: 'Add index' }).click()
  await page.getByRole('combobox', { name: 'Search indices' }).fill('BRTI')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('rowheader').last()).toHaveText('BRTI')
  await expect(message(page)).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(row(page, 'BRTI')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(order).toEqual(before)
})

test('sections divide a list, and are added, moved, renamed and deleted by keyboard', async ({ page }) => {
  await openWindow(page)
  const table = page.getByRole('table', { name: 'My list', exact: true })
  const lines = async () => (await table.getByRole('rowheader').allInnerTexts()).slice(0, 5)
  const section = page.locator('tr[data-section]')
  await row(page, 'SOLUSD_RTI').press('Shift+F10')
  await page.getByRole('menuitem', { name: 'New section above…' }).press('Enter')
  await page.getByRole('dialog', { name: 'New section' }).getByRole('textbox', { name: 'Name' }).fill('Majors')
  await page.keyboard.press('Enter')
  await expect.poll(lines).toEqual(['BRTI', 'ETHUSD_RTI', 'Majors', 'SOLUSD_RTI', 'XRPUSD_RTI'])
  expect((await section.boundingBox())?.height).toBe(28)
  await expect(table).toHaveAttribute('aria-rowcount', '13')
  await expect(row(page, 'SOLUSD_RTI')).toHaveAttribute('aria-rowindex', '5')
  await expect(page.getByText('11 indices')).toBeVisible()
  expect(await faults(page, { part: 'table' })).toEqual([])

  await section.getByRole('button', { name: 'Actions for section Majors' }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(lines).toEqual(['BRTI', 'Majors', 'ETHUSD_RTI', 'SOLUSD_RTI', 'XRPUSD_RTI'])
  await expect(section.getByRole('button')).toBeFocused()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: 'Name' }).fill('Large')
  await page.keyboard.press('Enter')
  await expect(section).toHaveText('Large')

  const from = await centre(section)
  const to = await centre(row(page, 'XRPUSD_RTI'))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y - 10, { steps: 3 })
  await page.mouse.up()
  await expect.poll(lines).toEqual(['BRTI', 'ETHUSD_RTI', 'SOLUSD_RTI', 'Large', 'XRPUSD_RTI'])
  await page.getByRole('columnheader', { name: 'Value', exact: true }).getByRole('button').click()
  await expect(section).toHaveCount(0)
  await expect(table).toHaveAttribute('aria-rowcount', '12')
  for (let clicks = 0; clicks < 2; clicks++) {
    await page.getByRole('columnheader', { name: 'Value', exact: true }).getByRole('button').click()
  }
  await section.getByRole('button').press('Delete')
  await expect(message(page)).toContainText('Section Large deleted')
  await expect(section).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(lines).toEqual(['BRTI', 'ETHUSD_RTI', 'SOLUSD_RTI', 'Large', 'XRPUSD_RTI'])
})
