import type { ConnectionProfile } from '../../protocol/model'
import { ok, refused } from '../support/fake-desktop'
import { sampleSnapshot } from '../support/sample-window'
import { expect, openWindow, test } from './window-page'

const profile: ConnectionProfile = { name: 'My desk', webSocketUrl: 'wss://a.example/ws/v4', keyId: 'desk-7' }

test('the theme is chosen and applied', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  const fake = await openWindow(page, { view: 'settings' })
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  const light = await background()
  await page.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { name: 'Dark' }).check()
  await expect.poll(background).not.toBe(light)
  expect(fake.callsOf('setPreferences')).toEqual([{ theme: 'dark' }])
  await page.getByRole('radio', { name: 'As the system' }).check()
  await expect.poll(background).toBe(light)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(background).not.toBe(light)
})

test('a connection is saved and used, and its secret does not stay in the form', async ({ page }) => {
  const fake = await openWindow(page, { view: 'settings' })
  fake.handlers.saveProfile = () => ok({ kept: 'keyring' })
  await page.getByLabel('Name').fill('My desk')
  await page.getByLabel('WebSocket address').fill('wss://a.example/ws/v4')
  await page.getByLabel('MCP address').fill(' https://a.example/mcp ')
  await page.getByLabel('Key id').fill('desk-7')
  await page.getByLabel('Key secret').fill('s3cret')
  await page.getByRole('button', { name: 'Save and connect' }).click()
  await expect(page.getByRole('group', { name: 'Message' })).toContainText('keyring')
  await expect(page.getByLabel('Key secret')).toHaveValue('')
  await expect(page.getByLabel('Key secret')).toHaveAttribute('type', 'password')
  expect(fake.callsOf('saveProfile')).toEqual([
    { profile: { ...profile, mcpUrl: 'https://a.example/mcp' }, keySecret: 's3cret' },
  ])
})

test("a refusal stands by its field in the validator's words", async ({ page }) => {
  const fake = await openWindow(page, { view: 'settings' })
  const message = 'The WebSocket address starts with wss:// and holds no key.'
  fake.handlers.saveProfile = () => refused('badArguments', message)
  await page.getByRole('button', { name: 'Save and connect' }).click()
  await expect(page.getByLabel('WebSocket address')).toHaveAccessibleDescription(message)
  const mcpMessage = 'The MCP address starts with https:// and holds no key.'
  fake.handlers.saveProfile = () => refused('badArguments', mcpMessage)
  await page.getByRole('button', { name: 'Save and connect' }).click()
  await expect(page.getByLabel('MCP address')).toHaveAccessibleDescription(mcpMessage)
  await expect(page.getByLabel('WebSocket address')).not.toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Key id')).not.toHaveAttribute('aria-invalid', 'true')
  fake.handlers.saveProfile = () => refused('internal', 'This did not work.')
  await page.getByRole('button', { name: 'Save and connect' }).click()
  await expect(page.getByRole('alert')).toHaveText('This did not work.')
})

test('a stored connection is shown without its secret and can be removed', async ({ page }) => {
  const snapshot = sampleSnapshot()
  snapshot.state.settings.profile = profile
  snapshot.state.secretKept = 'session'
  const fake = await openWindow(page, { view: 'settings', snapshot })
  fake.handlers.removeProfile = () => ok(null)
  await expect(page.getByLabel('WebSocket address')).toHaveValue(profile.webSocketUrl)
  await expect(page.getByLabel('Key secret')).toHaveValue('')
  await expect(page.getByLabel('Key secret')).toHaveAccessibleDescription(/for this session only/)
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove My desk?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(fake.callsOf('removeProfile')).toEqual([])
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await dialog.getByRole('button', { name: 'Remove the connection' }).click()
  await expect(page.getByLabel('WebSocket address')).toHaveValue('')
  expect(fake.callsOf('removeProfile')).toHaveLength(1)
})
