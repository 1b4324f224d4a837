import type { Page } from '@playwright/test'
import type { ListImportPreview } from '../../protocol/responses'
import { richSnapshot } from '../support/alert-commands'
import { ok, refused, type FakeDesktop } from '../support/fake-desktop'
import { faults } from '../support/faults'
import { snapshotWithLists } from '../support/working-lists'
import { expect, openWindow, test } from './window-page'

async function openLists(page: Page, ...names: string[]): Promise<FakeDesktop> {
  return openWindow(page, { snapshot: snapshotWithLists(...names) })
}

const section = (page: Page) => page.getByRole('navigation', { name: 'Lists' })
const names = (page: Page) => section(page).locator('[data-list]')
const link = (page: Page, name: string) => names(page).filter({ hasText: new RegExp(`^${name}$`) })
const title = (page: Page) => page.getByRole('heading', { level: 1 })

async function choose(page: Page, list: string, item: string): Promise<void> {
  await link(page, list).hover()
  await page.getByRole('button', { name: `Actions for ${list}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function chooseImport(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Import and export watchlists' }).click()
  await page.getByRole('menuitem', { name: 'Import watchlists' }).click()
}

const preview: ListImportPreview = {
  importId: 'i1',
  fileName: 'desk.json',
  adds: 3,
  changes: 1,
  lists: [
    { name: 'My list', isNew: false, adds: [], changes: [] },
    { name: 'Majors', isNew: false, adds: ['BRR'], changes: ['BRTI'] },
    { name: 'Baskets', isNew: true, adds: ['UC5_RTI_TR', 'NCI'], changes: [] },
  ],
}

test('the only list shows its count, cannot be deleted and says why', async ({ page }) => {
  const fake = await openLists(page)

  await test.step('lists are shown with their counts, even a single one', async () => {
    await expect(link(page, 'My list')).toHaveAttribute('aria-current', 'page')
    await expect(link(page, 'My list')).toHaveAccessibleDescription('11 indices')
    await expect(section(page).getByRole('button', { name: 'New watchlist' })).toBeVisible()
  })
  await test.step('the last list cannot be deleted and says why, another one can', async () => {
    await link(page, 'My list').focus()
    await page.keyboard.press('Delete')
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('is your only watchlist')
    await link(page, 'My list').click({ button: 'right' })
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toContainText('the last list stays')
    await page.keyboard.press('Escape')
    expect(fake.callsOf('removeList')).toEqual([])
    await section(page).getByRole('button', { name: 'New watchlist' }).click()
    await page.keyboard.type('Second')
    await page.keyboard.press('Enter')
    await expect(link(page, 'Second')).toBeFocused()
    await page.keyboard.press('Delete')
    await expect(names(page)).toHaveText(['My list'])
  })
})

test('one mark in the sidebar is for the current list, and Tab follows the order on screen', async ({ page }) => {
  await openLists(page, 'Majors')
  const unfilled = 'rgba(0, 0, 0, 0)'
  const watchlists = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Watchlists' })
  await expect(watchlists).toHaveCSS('background-color', unfilled)
  await expect(watchlists).toHaveCSS('font-weight', '600')
  await expect(link(page, 'My list')).not.toHaveCSS('background-color', unfilled)
  await expect(link(page, 'Majors')).toHaveCSS('background-color', unfilled)

  await watchlists.focus()
  const reached = []
  const tops = []
  for (let count = 0; count < 11; count++) {
    const [name = '', top = 0] = await page.evaluate<[string, number]>(
      '[document.activeElement.title || document.activeElement.innerText.trim(), document.activeElement.getBoundingClientRect().top]',
    )
    reached.push(name)
    tops.push(Math.round(top / 10))
    await page.keyboard.press('Tab')
  }
  expect(reached).toEqual([
    ...['Watchlists', 'Indices', 'Alerts', 'Import and export watchlists'],
    ...['My list', 'Actions for My list', 'Majors', 'Actions for Majors', 'New watchlist', 'Assistants', 'Settings'],
  ])
  expect(tops).toEqual(tops.toSorted((one, other) => one - other))

  await page.setViewportSize({ width: 700, height: 600 })
  await expect(watchlists).not.toHaveCSS('background-color', unfilled)
})

test('Tab closes a list’s menu and moves on from its button', { tag: '@deep' }, async ({ page }) => {
  await openLists(page, 'Majors')
  await page.getByRole('button', { name: 'Actions for My list' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(link(page, 'Majors')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(link(page, 'My list')).toBeFocused()
})

test('the focus ring of a row’s and a list’s menu button is whole', { tag: '@deep' }, async ({ page }) => {
  await openWindow(page, { view: 'alerts', snapshot: richSnapshot() })
  /** How far the ring reaches beyond the element that clips it, in pixels. */
  const beyond = (clip: string) =>
    page.evaluate<number>(`(() => {
      const button = document.activeElement
      const { outlineStyle, outlineOffset, outlineWidth } = getComputedStyle(button)
      if (outlineStyle === 'none') return Infinity
      const reach = parseFloat(outlineOffset) + parseFloat(outlineWidth)
      const [own, around] = [button, button.closest('${clip}')].map((each) => each.getBoundingClientRect())
      const sides = [around.top - own.top, around.left - own.left, own.right - around.right, own.bottom - around.bottom]
      return Math.max(...sides) + reach
    })()`)
  await page.keyboard.press('Tab')
  await page
    .getByRole('button', { name: /^Actions for the alert: / })
    .first()
    .focus()
  expect(await beyond('td')).toBeLessThanOrEqual(0)
  await page.getByRole('button', { name: 'Actions for My list' }).focus()
  expect(await beyond('ul')).toBeLessThanOrEqual(0)
})

test('with only the keyboard a list is created, renamed, moved, deleted and restored', async ({ page }) => {
  const fake = await openLists(page, 'Majors')
  await section(page).getByRole('button', { name: 'New watchlist' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('Settlement')
  await page.keyboard.press('Enter')
  await expect(title(page)).toHaveText('Settlement')
  await expect(link(page, 'Settlement')).toBeFocused()
  await expect(link(page, 'Settlement')).toHaveAttribute('aria-current', 'page')

  await page.keyboard.press('F2')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Settlement')
  await page.keyboard.type('Daily')
  await page.keyboard.press('Enter')
  await expect(title(page)).toHaveText('Daily')
  await expect(link(page, 'Daily')).toBeFocused()

  await page.keyboard.press('Alt+ArrowUp')
  await expect(names(page)).toHaveText(['My list', 'Daily', 'Majors'])
  await expect(link(page, 'Daily')).toBeFocused()
  await expect(page.getByText('Daily moved to place 2 of 3')).toBeAttached()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(names(page)).toHaveText(['Daily', 'My list', 'Majors'])
  await expect(link(page, 'Daily')).toBeFocused()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(page.getByText('Daily is already first')).toBeAttached()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(names(page)).toHaveText(['My list', 'Daily', 'Majors'])
  await expect(link(page, 'Daily')).toBeFocused()
  expect(fake.callsOf('moveList')).toHaveLength(3)

  await page.keyboard.press('Delete')
  await expect(names(page)).toHaveText(['My list', 'Majors'])
  await expect(link(page, 'Majors')).toBeFocused()
  await expect(title(page)).toHaveText('Majors')
  await page.keyboard.press('Control+z')
  await expect(names(page)).toHaveText(['My list', 'Daily', 'Majors'])
  await expect(title(page)).toHaveText('Daily')
  await expect(link(page, 'Daily')).toBeFocused()
  expect(fake.callsOf('restoreList')).toEqual([{ list: { id: 'made-1', name: 'Daily', entries: [] }, position: 1 }])
})

test('many lists scroll on their own, and the settings stay in view', { tag: '@deep' }, async ({ page }) => {
  await openLists(page, ...Array.from({ length: 40 }, (_, at) => `List ${at}`))
  await expect(page.getByRole('link', { name: 'Settings' })).toBeInViewport({ ratio: 1 })
  await expect(section(page).getByRole('button', { name: 'New watchlist' })).toBeInViewport({ ratio: 1 })
  await expect(link(page, 'List 39')).not.toBeInViewport()
  await link(page, 'List 39').focus()
  await expect(link(page, 'List 39')).toBeInViewport()
  await page.keyboard.press('ArrowUp')
  await expect(link(page, 'List 38')).toBeFocused()
})

test('in a narrow window a button opens the lists, and no menu is cut off', { tag: '@deep' }, async ({ page }) => {
  await openLists(page, 'Majors', 'A name as long as names of lists may become')

  await test.step('no menu is cut off', async () => {
    for (const width of [1280, 700]) {
      await page.setViewportSize({ width, height: 600 })
      if (width < 760) await page.getByRole('button', { name: 'Lists', exact: true }).click()
      await link(page, 'Majors').click({ button: 'right' })
      for (const item of await page.getByRole('menuitem').all()) {
        // A clipped or covered menu is not hit at its corners.
        for (const x of [4, 160]) await item.hover({ position: { x, y: 15 }, timeout: 30_000 })
        await expect(item).toBeInViewport({ ratio: 1 })
      }
      await expect(link(page, 'Majors')).toBeInViewport({ ratio: 1 })
      await expect(section(page).getByRole('list')).toHaveJSProperty('scrollLeft', 0)
      await page.keyboard.press('Escape')
    }
    await page.keyboard.press('Escape')
  })
  await test.step('a button opens the lists', async () => {
    await expect(section(page)).toBeHidden()
    const button = page.getByRole('button', { name: 'Lists', exact: true })
    await button.click()
    await link(page, 'Majors').click()
    await expect(title(page)).toHaveText('Majors')
    await expect(section(page)).toBeHidden()
    await button.click()
    await choose(page, 'Majors', 'Rename')
    await page.getByRole('textbox', { name: 'Name' }).fill('Large')
    await page.keyboard.press('Enter')
    await expect(title(page)).toHaveText('Large')
  })
})

test(
  'lists are exported, imported, renamed and used by menu, and axe finds nothing',
  { tag: '@deep' },
  async ({ page }) => {
    const fake = await openLists(page, 'Majors')

    await test.step('the lists, their menus and dialogs have no accessibility fault', async () => {
      fake.handlers.chooseListFile = () => ok(preview)
      await link(page, 'Majors').click({ button: 'right' })
      await expect(page.getByRole('menu')).toBeVisible()
      expect(await faults(page, { part: '[role=menu]' })).toEqual([])
      await page.getByRole('menuitem', { name: 'Rename' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Give the watchlist a name.')).toBeVisible()
      expect(await faults(page, { part: 'nav' })).toEqual([])
      await page.keyboard.press('Escape')
      await chooseImport(page)
      await expect(page.getByRole('dialog')).toBeVisible()
      expect(await faults(page, { part: 'dialog' })).toEqual([])
      await page.keyboard.press('Escape')
      await page.setViewportSize({ width: 700, height: 600 })
      await page.getByRole('button', { name: 'Lists', exact: true }).click()
      await expect(section(page)).toBeVisible()
      expect(await faults(page)).toEqual([])
      await page.setViewportSize({ width: 1280, height: 820 })
    })
    await test.step('one list is exported, or all of them', async () => {
      fake.handlers.exportLists = () => ok({ fileName: 'lists.json' })
      await choose(page, 'Majors', 'Export watchlist…')
      await expect(page.getByRole('group', { name: 'Message' })).toContainText('Watchlist saved as lists.json')
      await page.getByRole('button', { name: 'Import and export watchlists' }).click()
      await page.getByRole('menuitem', { name: 'Export all watchlists' }).click()
      await expect(page.getByRole('group', { name: 'Message' })).toContainText('Watchlists saved as lists.json')
      expect(fake.callsOf('exportLists')).toEqual([{ listIds: ['majors'] }, { listIds: ['watchlist', 'majors'] }])
    })
    await test.step('an import is shown before it is done, then the page goes to the first list it concerned', async () => {
      fake.handlers.chooseListFile = () => ok(preview)
      fake.handlers.importLists = () => ok({ adds: 3, changes: 1 })
      await chooseImport(page)
      const dialog = page.getByRole('dialog', { name: 'Import watchlists' })
      await expect(dialog).toContainText('Adds 3 indices, changes 1, creates 1 new watchlist.')
      await expect(dialog).toContainText('desk.json')
      await expect(dialog.getByRole('region', { name: 'What changes' })).toContainText(
        /Baskets\s*new watchlist\s*Adds 2\s*UC5_RTI_TR, NCI/,
      )
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      expect(fake.callsOf('importLists')).toEqual([])

      await chooseImport(page)
      await expect(dialog.getByRole('button', { name: 'Import' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('group', { name: 'Message' })).toContainText('Import done: 3 added, 1 changed')
      await expect(title(page)).toHaveText('Majors')
      expect(fake.callsOf('importLists')).toEqual([{ importId: 'i1' }])
    })
    await test.step('an invalid file, a cancelled and a refused import change nothing and say so', async () => {
      fake.calls.length = 0
      fake.handlers.chooseListFile = () => ok(null)
      await chooseImport(page)
      await expect.poll(() => fake.callsOf('chooseListFile').length).toBe(1)
      fake.handlers.chooseListFile = () => refused('badList', 'notes.json holds no watchlists.')
      await chooseImport(page)
      await expect(page.getByRole('group', { name: 'Message' })).toContainText(
        'Nothing was imported: notes.json holds no watchlists.',
      )
      await expect(page.getByRole('dialog')).toHaveCount(0)
      fake.handlers.chooseListFile = () => ok(preview)
      fake.handlers.importLists = () => refused('unknownImport', 'Choose the file again.')
      await chooseImport(page)
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      await expect(page.getByRole('dialog')).toContainText('Nothing was imported: Choose the file again.')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })
    await test.step('a file with nothing new offers nothing to import', async () => {
      const lists = [{ name: 'My list', isNew: false, adds: [], changes: [] }]
      fake.handlers.chooseListFile = () => ok({ ...preview, adds: 0, changes: 0, lists })
      await chooseImport(page)
      await expect(page.getByRole('dialog')).toContainText('You already have everything in this file.')
      await expect(page.getByRole('button', { name: 'Import', exact: true })).toHaveCount(0)
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })
    await test.step('the menu also works with the keyboard, and opens by a right click', async () => {
      await link(page, 'Majors').click({ button: 'right' })
      await expect(page.getByRole('menu', { name: 'Actions for Majors' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toHaveCount(0)
      await page.getByRole('button', { name: 'Actions for Majors' }).focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused()
      await expect(page.getByRole('menuitem', { name: 'Move down' })).toHaveCount(0)
      await page.keyboard.press('ArrowDown')
      await expect(page.getByRole('menuitem', { name: 'Move up' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(names(page)).toHaveText(['Majors', 'My list'])
    })
    await test.step('a refused name stays in its field with the reason, and another one is accepted', async () => {
      await section(page).getByRole('button', { name: 'New watchlist' }).click()
      const field = page.getByRole('textbox', { name: 'Name' })
      await page.keyboard.press('Enter')
      await expect(field).toHaveAccessibleDescription('Give the watchlist a name.')
      await field.fill('Majors')
      await page.keyboard.press('Enter')
      await expect(field).toHaveAccessibleDescription('A watchlist named Majors already exists. Choose another name.')
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(field).toBeFocused()
      await field.fill('Minors')
      await expect(field).toHaveAttribute('aria-invalid', 'false')
      await page.keyboard.press('Enter')
      await expect(title(page)).toHaveText('Minors')
    })
  },
)
