import { ok, refused } from '../support/fake-desktop'
import { firedEvent, levelDraft, sampleInbox } from '../support/sample-alerts'
import { sampleNowMs } from '../support/sample-now'
import { expect, openStory, openWindow, test } from './window-page'

test('an edit of a desk alert that came second shows both texts, and is saved again', async ({ page }) => {
  const fake = await openStory(page, 'alerts, desk')
  const told = 'ben changed this alert at 13:58 to “BRTI rises to 69,000”. Yours is “BRTI rises to 70,000”.'
  fake.handlers.editDeskAlert = () =>
    fake.callsOf('editDeskAlert').length === 1 ? refused('duplicate', told) : ok(null)
  await page.getByRole('button', { name: /^Edit: BRTI/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit alert of the desk' })
  await dialog.locator('[data-main]').fill('70000')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(told)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  expect(fake.callsOf('editDeskAlert')).toMatchObject([{ version: 1 }, { version: 1 }])
})

test('a desk event says who has seen it, and one menu item takes it for all seats', async ({ page }) => {
  const fake = await openStory(page, 'alerts, desk')
  fake.handlers.takeEvent = () => refused('duplicate', 'ben took it at 13:58.')
  const rows = page.getByRole('table', { name: 'Alert inbox' }).locator('tr[data-event]')
  await expect(rows.nth(0)).toContainText('Seen by ben 13:48 and 2 more')
  await expect(rows.nth(0).getByTitle('Seen by ben 13:48, ana 13:59, cem 14:00')).toBeVisible()
  await expect(rows.nth(1)).toContainText('Taken by ben 12:34')
  await rows.nth(1).click({ button: 'right' })
  await expect(page.getByRole('menuitem', { name: 'Why?' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: /^Mine/ })).toBeHidden()
  await page.keyboard.press('Escape')
  await rows.nth(0).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Mine: I handle it' }).click()
  await expect(page.getByRole('group', { name: 'Message' })).toContainText('Not yours: ben took it at 13:58.')
  expect(fake.callsOf('takeEvent')).toHaveLength(1)
})

test('a notice of a desk event that is dismissed in the window counts as seen', async ({ page }) => {
  const fake = await openWindow(page)
  fake.handlers.noteSeen = () => ok(null)
  const desk = { watcher: 'watch-1', isLate: false }
  const recordedAtMs = sampleNowMs + 60_000
  const news = firedEvent(99, levelDraft(), { id: 'desk-1', desk, delivery: 'failed', recordedAtMs })
  await fake.push({ state: { inbox: [news, ...sampleInbox] } })
  await page.getByRole('button', { name: 'Dismiss the notice about BRTI' }).click()
  await expect.poll(() => fake.callsOf('noteSeen')).toEqual([{ eventIds: ['desk-1'] }])
})

test('while no watcher checks, a button lets this computer do it, in Alerts and in Settings', async ({ page }) => {
  const fake = await openStory(page, 'alerts, desk without a watcher')
  fake.handlers.judgeDeskHere = () => ok(null)
  await page.getByRole('button', { name: 'Judge here until a watcher returns' }).click()
  await expect.poll(() => fake.callsOf('judgeDeskHere')).toEqual([{ isWanted: true }])
  const { desk } = fake.snapshot.state
  if (desk === null) throw new Error('no desk')
  await fake.push({ state: { desk: { ...desk, isJudgedHere: true } } })
  await expect(page.getByRole('region', { name: 'State of the desk' })).toContainText('This computer checks them')
  await page.goto('/#settings/desk')
  await page.getByRole('button', { name: 'Stop judging here' }).click()
  await expect.poll(() => fake.callsOf('judgeDeskHere').at(-1)).toEqual({ isWanted: false })
})

test('a credentials file signs in instead of a password', async ({ page }) => {
  const fake = await openWindow(page, { view: 'settings/desk' })
  fake.handlers.saveDesk = () => ok(null)
  await page.getByRole('button', { name: 'Join a desk' }).click()
  const dialog = page.getByRole('dialog', { name: 'Join a desk' })
  const choose = (name: string, text: string) =>
    dialog.getByLabel('Credentials file').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  await choose('notes.txt', 'ana')
  await expect(dialog.getByRole('alert')).toHaveText(
    'notes.txt is not a credentials file of NATS. Choose another file.',
  )
  await choose('ana.creds', '-----BEGIN NATS USER JWT-----\nabc')
  await expect(dialog).toContainText('ana.creds')
  await expect(dialog.getByLabel('Password')).toBeHidden()
  await dialog.getByLabel('Address').fill('tls://desk.example:4222')
  await dialog.getByLabel('Name of the desk').fill('london')
  await dialog.getByLabel('User').fill('ana')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  expect(fake.callsOf('saveDesk')).toMatchObject([{ password: '-----BEGIN NATS USER JWT-----\nabc' }])
})

test('a list moves to the desk from its menu, says who changed it, and becomes one’s own again', async ({ page }) => {
  const fake = await openStory(page, 'list of the desk, changed twice')
  const done = () => ok(null)
  Object.assign(fake.handlers, { moveListToDesk: done, takeListFromDesk: done })
  const [list, other] = fake.snapshot.state.settings.watchlists
  await expect(page.locator('.page-head')).toContainText('Desk, changed by ben 14:01')
  await expect(page.getByText('1 list of the desk needs a newer version of Indexwatch')).toBeVisible()
  await page.getByRole('button', { name: `Actions for ${other?.name ?? ''}` }).click()
  await page.getByRole('menuitem', { name: 'Move to the desk' }).click()
  await expect.poll(() => fake.callsOf('moveListToDesk')).toEqual([{ listId: other?.id }])
  await page.getByRole('button', { name: `Actions for ${list?.name ?? ''}` }).click()
  await page.getByRole('menuitem', { name: 'Make mine' }).click()
  await expect.poll(() => fake.callsOf('takeListFromDesk')).toEqual([{ listId: list?.id }])
})

test('a change of a desk list that came second shows both texts until it is applied or dropped', async ({ page }) => {
  const fake = await openStory(page, 'list of the desk, changed twice')
  fake.handlers.settleListChange = () => ok(null)
  const banner = page.getByRole('region', { name: 'Change that came second' })
  await expect(banner).toContainText('ben changed this list at 14:01: added NCI, moved rows. You: removed BRR.')
  await banner.getByRole('button', { name: 'Apply mine too' }).click()
  await banner.getByRole('button', { name: 'Drop mine' }).click()
  const settled = (isApplied: boolean) => ({ refusedId: 'refused', isApplied })
  await expect.poll(() => fake.callsOf('settleListChange')).toEqual([settled(true), settled(false)])
  const { desk } = fake.snapshot.state
  if (desk === null) throw new Error('no desk')
  await fake.push({ state: { desk: { ...desk, state: 'unknown' } } })
  await expect(page.getByRole('region', { name: 'State of the desk' })).toContainText('shown as last known')
})
