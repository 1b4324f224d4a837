import { refused, type FakeDesktop } from '../support/fake-desktop'
import { sampleSnapshot } from '../support/sample-window'
import { installFake } from './install-fake'
import { expect, openStory, openWindow, test } from './window-page'

const callsOf = (fake: FakeDesktop, name: string) =>
  fake.calls.filter((call) => call.name === name).map(({ args }) => args)

test('Shift+Enter and the menu of a row open the index in a window of its own', async ({ page }) => {
  const fake = await openWindow(page)
  await page.locator('tr[data-index="BRTI"]').focus()
  await page.keyboard.press('Shift+Enter')
  await expect.poll(() => callsOf(fake, 'openIndexWindow')).toEqual([{ indexId: 'BRTI' }])
  await page.locator('tr[data-index="BRR"]').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Open in a new window' }).click()
  await expect.poll(() => callsOf(fake, 'openIndexWindow')).toEqual([{ indexId: 'BRTI' }, { indexId: 'BRR' }])
  expect(callsOf(fake, 'openIndex')).not.toContainEqual({ indexId: 'BRR' })
})

test(
  'a row that is dropped outside the window opens there, and one dropped inside does not',
  { tag: '@deep' },
  async ({ page }) => {
    const fake = await openWindow(page)
    const row = page.locator('tr[data-index="BRTI"]')
    const box = await row.boundingBox()
    if (box === null) throw new Error('the row is not shown')
    const carried = page.locator('.carried')
    await page.mouse.move(box.x + 60, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(200, -10, { steps: 4 })
    await expect(carried).not.toHaveText('Open BRTI in a new window')
    await page.mouse.move(200, -40)
    await expect(carried).toHaveText('Open BRTI in a new window')
    await expect(carried).toBeInViewport({ ratio: 1 })
    await page.mouse.up()
    await expect.poll(() => callsOf(fake, 'openIndexWindow')).toMatchObject([{ indexId: 'BRTI', at: { x: 200 } }])
    await expect(carried).toHaveCount(0)
  },
)

test('the window of an index has its page, its value as title, and closes by Escape and Ctrl+W', async ({ page }) => {
  const fake = await openStory(page, 'index, in its own window')
  await expect(page.getByRole('heading', { level: 1, name: 'BRTI' })).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Settlement' })).toBeVisible()
  const quotes = fake.snapshot.quotes.filter(({ id }) => id === 'BRTI')
  await fake.push({ quotes: quotes.map((quote) => ({ ...quote, value: '70123.45', source: 'stream', ageMs: 0 })) })
  await expect(page).toHaveTitle('BRTI 70,123.45 (Demo)')
  // An open menu closes first.
  await page.getByRole('button', { name: 'History of BRTI' }).click()
  await page.keyboard.press('Escape')
  expect(callsOf(fake, 'closeIndexWindow')).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => callsOf(fake, 'closeIndexWindow')).toEqual([{ indexId: 'BRTI' }])
  await page.keyboard.press('Control+w')
  await expect.poll(() => callsOf(fake, 'closeIndexWindow')).toHaveLength(2)
})

test('what the window of an index cannot show opens in the main window', async ({ page }) => {
  const fake = await openStory(page, 'index, in its own window')
  await page.getByRole('button', { name: 'Compare BRTI' }).click()
  await expect.poll(() => callsOf(fake, 'showInMainWindow')).toEqual([{ address: 'compare/BRTI' }])
  expect(await page.evaluate('location.hash')).toBe('')
  await page.getByRole('button', { name: 'New alert' }).click()
  await expect(page.getByRole('dialog', { name: 'New alert' })).toBeVisible()
})

test('the window of an index without an answer of the app says why', async ({ page }) => {
  await installFake(page, sampleSnapshot(), { getIndexSnapshot: () => refused('internal', 'This did not work.') })
  await page.goto('/index-window.html?id=BRTI')
  await expect(page.getByRole('alert')).toHaveText('This did not work.')
})
