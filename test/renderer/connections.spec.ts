import type { Page } from '@playwright/test'
import type { ConnectionProfile } from '../../core/model'
import type { ConnectionTest } from '../../protocol/responses'
import { ok, refused } from '../support/fake-desktop'
import { faults } from '../support/faults'
import { sampleConnections, sampleProfiles, sampleTest } from '../support/sample-connections'
import { expect, openWindow, test } from './window-page'

const view = 'settings/connections'
const anyId = expect.any(String) as unknown as string

async function fillIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add connection' }).click()
  await page.getByRole('radio', { name: 'Custom' }).check()
  await page.getByLabel('Name', { exact: true }).fill(' My desk ')
  await page.getByLabel('WebSocket address').fill('wss://a.example/ws/v4')
  await page.getByLabel('Key id').fill('desk-7')
  await page.getByLabel('Key secret').fill('s3cret')
}

const typed: ConnectionProfile = {
  id: anyId,
  name: 'My desk',
  auth: 'basic',
  isEnabled: true,
  webSocketUrl: 'wss://a.example/ws/v4',
  keyId: 'desk-7',
}

const accepted: ConnectionTest = { steps: sampleTest.steps.filter(({ outcome }) => outcome === 'passed') }
const refusedKey: ConnectionTest = {
  steps: [
    {
      step: 'handshake',
      outcome: 'failed',
      message: 'The provider refused this key. Check key id and secret.',
      tookMs: 44,
    },
    {
      step: 'rest',
      outcome: 'failed',
      message: 'The provider refused this key. Check key id and secret.',
      tookMs: 52,
    },
  ],
}

test('a key id and a secret make a connection, and a refused key is not saved', async ({ page }) => {
  const fake = await openWindow(page, { view })
  fake.handlers.testConnection = () => ok(refusedKey)
  fake.handlers.saveProfile = () => ok({ kept: 'keyring' })
  await page.getByRole('button', { name: 'Add connection' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add connection' })
  await expect(dialog.getByRole('radio', { name: 'CF Benchmarks' })).toBeChecked()
  await expect(dialog.getByLabel('WebSocket address')).toBeHidden()
  await expect(dialog.getByLabel('Key id')).toBeFocused()
  await page.keyboard.type('desk-7')
  await page.keyboard.press('Tab')
  await page.keyboard.type('s3cret')
  await page.keyboard.press('Enter')
  const result = dialog.getByRole('region', { name: 'Test of the connection' })
  await expect(result).toHaveText(/^The provider refused this key. Check key id and secret.\s*Details/)
  expect(fake.callsOf('saveProfile')).toEqual([])
  await result.getByText('Details').click()
  await expect(result.getByRole('listitem').last()).toHaveText(/REST address.*refused this key/)
  await expect(dialog.getByRole('button', { name: 'Save anyway' })).toBeVisible()

  fake.handlers.testConnection = () => ok(accepted)
  await dialog.getByRole('radio', { name: 'Nasdaq' }).check()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  expect(fake.callsOf('saveProfile')).toEqual([
    {
      profile: {
        ...typed,
        name: 'CF Benchmarks Nasdaq',
        webSocketUrl: 'wss://nciprod1.cfbenchmarks.com/ws/v4',
        restUrl: 'https://nciprod1.cfbenchmarks.com',
      },
      keySecret: 's3cret',
    },
  ])
})

test('a first connection: the demo before it, refusals of the form, a test, and saving', async ({ page }) => {
  const fake = await openWindow(page, { view })

  await test.step('while no connection is in use, Demo is shown as the source', async () => {
    const row = page.getByRole('listitem', { name: 'Demo' })
    await expect(row).toHaveText(/^\s*Demo\s+Simulated data from this app/)
    await expect(row).toContainText('Live')
    await expect(row.getByRole('switch')).toHaveCount(0)
    await expect(page.getByText('simulated data from the built-in demo service')).toBeVisible()
  })
  await test.step("an error is shown at its field in the validator's words, and the field has the focus", async () => {
    fake.handlers.testConnection = () => ok(accepted)
    await page.getByRole('button', { name: 'Add connection' }).click()
    const save = page.getByRole('button', { name: 'Save', exact: true })
    for (const [label, field, message] of [
      ['WebSocket address', 'webSocketUrl', 'The WebSocket address starts with wss:// and contains no key.'],
      ['MCP address', 'mcpUrl', 'The MCP address starts with https:// and contains no key.'],
      ['Name', 'name', 'Give the connection a name.'],
      ['Key id', 'keyId', 'Enter the key id.'],
    ] as const) {
      fake.handlers.saveProfile = () => refused('badArguments', message, field)
      await save.click()
      await expect(page.getByRole('dialog').getByLabel(label)).toHaveAccessibleDescription(message)
      await expect(page.getByRole('dialog').getByLabel(label)).toBeFocused()
      await expect(page.locator('[aria-invalid="true"]')).toHaveCount(1)
    }
    fake.handlers.saveProfile = () => refused('internal', 'This did not work.')
    await save.click()
    await expect(page.getByRole('alert')).toHaveText('This did not work.')
    await expect(page.locator('[aria-invalid="true"]')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    fake.calls.length = 0
  })
  await test.step('a test describes each step, can be repeated, and disappears after a change', async () => {
    fake.handlers.testConnection = () => ok(sampleTest)
    await fillIn(page)
    await page.getByRole('button', { name: 'Test connection' }).click()
    const result = page.getByRole('region', { name: 'Test of the connection' })
    await expect(result).toHaveAttribute('aria-live', 'polite')
    await expect(result).toContainText('Live values work. REST address: The provider answered with HTTP 403.')
    await result.getByText('Details').click()
    await expect(result.getByRole('listitem')).toHaveText([
      /passed.*DNS.*192\.0\.2\.7.*12 ms/,
      /passed.*TCP.*8 ms/,
      /passed.*TLS.*31 ms/,
      /passed.*Sign-in.*44 ms/,
      /passed.*Index list.*137 indices.*20 ms/,
      /failed.*REST address.*HTTP 403.*52 ms/,
      /not tried.*MCP address.*No MCP address was entered\./,
    ])
    await expect(result.getByRole('listitem').last()).not.toContainText('ms')
    const reason = 'Not tried, because the server was not found.'
    const steps = sampleTest.steps.map(({ step }) => ({
      step,
      outcome: step === 'dns' ? ('failed' as const) : ('skipped' as const),
      message: step === 'dns' ? 'No server named fra.example can be found.' : reason,
      tookMs: 0,
    }))
    fake.handlers.testConnection = () => ok({ steps })
    await page.getByRole('button', { name: 'Test again' }).click()
    await result.getByText('Details').click()
    await expect(result.getByText(reason)).toHaveCount(1)
    fake.handlers.testConnection = () => ok(accepted)
    await page.getByRole('button', { name: 'Test again' }).click()
    await expect(result).toContainText('Signed in. 137 indices are available with this key.')
    expect(fake.callsOf('testConnection')).toEqual([
      { profile: typed, keySecret: 's3cret' },
      { profile: typed, keySecret: 's3cret' },
      { profile: typed, keySecret: 's3cret' },
    ])
    await page.getByLabel('Key id').fill('other')
    await expect(result).toBeHidden()
    fake.handlers.testConnection = () => refused('secretMissing', 'Enter the secret that belongs to this key.')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(page.getByLabel('Key secret')).toBeFocused()
    expect(fake.callsOf('saveProfile')).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
  await test.step('while the keyring is locked the form says so, and is cancelled or saved for the session', async () => {
    const message = "Waiting for this system's keyring. If it asks for its password, enter it there."
    fake.handlers.stopWaitingForKeyring = () => ok(null)
    fake.handlers.testConnection = () => ok(accepted)
    const saves: ((kept: 'session') => void)[] = []
    fake.handlers.saveProfile = () =>
      new Promise((resolve) => {
        saves.push((kept) => resolve(ok({ kept })))
      })
    const waiting = async () => {
      const before = fake.callsOf('saveProfile').length
      await fillIn(page)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect.poll(() => fake.callsOf('saveProfile').length).toBe(before + 1)
      const [{ profile }] = fake.callsOf('saveProfile').slice(-1) as [{ profile: ConnectionProfile }]
      await expect(page.getByText(message)).toHaveCount(0)
      await fake.push({ state: { awaitingKeyring: [profile.id] } })
      await expect(page.getByText(message)).toBeVisible()
      return profile.id
    }
    const cancelled = await waiting()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const session = await waiting()
    await page.getByRole('button', { name: 'Save until Indexwatch quits' }).click()
    saves[1]?.('session')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('stored until Indexwatch quits')
    expect(fake.callsOf('stopWaitingForKeyring')).toEqual([
      { profileId: cancelled, how: 'cancel' },
      { profileId: session, how: 'session' },
    ])
    await fake.push({ state: { awaitingKeyring: [] } })
  })
  await test.step('a connection is added with Enter, and its secret leaves the page', async () => {
    fake.calls.length = 0
    fake.handlers.saveProfile = () => ok({ kept: 'keyring' })
    await fillIn(page)
    await page.getByLabel('MCP address').fill(' https://a.example/mcp ')
    await page.getByRole('radio', { name: 'Subprotocols' }).check()
    await expect(page.getByLabel('Key secret')).toHaveAttribute('type', 'password')
    await page.getByLabel('Key secret').press('Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('My desk saved.')
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('keyring')
    expect(fake.callsOf('saveProfile')).toEqual([
      { profile: { ...typed, auth: 'subprotocol', mcpUrl: 'https://a.example/mcp' }, keySecret: 's3cret' },
    ])
    expect(await page.content()).not.toContain('s3cret')
  })
  await test.step('values of environment variables are shown and cannot be changed', async () => {
    const connections = [
      { id: 'environment', name: 'Environment', isDemo: false, state: 'live' as const, streamCount: 3, indexCount: 9 },
    ]
    await fake.push({
      state: { status: { state: 'live', name: 'Environment', isDemo: false, streamCount: 3 }, connections },
    })
    const row = page.getByRole('listitem', { name: 'From environment variables' })
    await expect(row).toContainText('read only')
    await expect(row.getByRole('button')).toHaveCount(0)
  })
})

test('connections in use are shown, edited, turned off and removed', { tag: '@deep' }, async ({ page }) => {
  const fake = await openWindow(page, { view, snapshot: sampleConnections() })

  await test.step('each connection shows host, state and subscriptions, and is turned off', async () => {
    fake.handlers.setProfileEnabled = () => ok(null)
    await expect(page.getByRole('listitem', { name: 'Frankfurt' })).toContainText(
      /fra\.example\s*Live\s*12 subscriptions/,
    )
    const london = page.getByRole('listitem', { name: 'London' })
    await expect(london).toContainText('lon.example:8443')
    await expect(london).toContainText('The provider refused this key.')
    await expect(london).toContainText('Not authorised')
    const spare = page.getByRole('listitem', { name: 'Spare' })
    await expect(spare).toContainText('Off')
    await expect(spare).toContainText('No secret is stored')
    await expect(page.getByText('No secret is stored')).toHaveCount(1)
    await page.getByRole('switch', { name: 'On: Frankfurt' }).click()
    await page.getByRole('switch', { name: 'On: Spare' }).click()
    expect(fake.callsOf('setProfileEnabled')).toEqual([
      { profileId: 'p1', isEnabled: false },
      { profileId: 'p3', isEnabled: true },
    ])
  })
  await test.step('a stored connection is edited without its secret, unless its address changes', async () => {
    fake.handlers.testConnection = () => ok(accepted)
    await page.getByRole('button', { name: 'Edit Frankfurt' }).click()
    const secret = page.getByLabel('Key secret')
    await expect(page.getByLabel('WebSocket address')).toHaveValue('wss://fra.example/ws/v4')
    await expect(secret).toHaveValue('')
    await expect(secret).toHaveAccessibleDescription(/stored in this system's keyring/)
    await page.getByLabel('WebSocket address').fill('wss://other.example/ws/v4')
    await expect(secret).toHaveAccessibleDescription(/Enter the secret again/)
    const message = 'The address changed: enter the secret of this key again.'
    fake.handlers.saveProfile = () => refused('secretMissing', message)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(secret).toHaveAccessibleDescription(message)
    await expect(secret).toBeFocused()
    fake.handlers.saveProfile = () => ok({ kept: 'session' })
    await secret.fill('again')
    await secret.press('Enter')
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('until Indexwatch quits')
    expect(fake.callsOf('saveProfile').at(-1)).toEqual({
      profile: { ...sampleProfiles[0], webSocketUrl: 'wss://other.example/ws/v4' },
      keySecret: 'again',
    })
  })
  await test.step('a connection is removed after a question', async () => {
    fake.handlers.removeProfile = () => ok(null)
    const dialog = page.getByRole('dialog', { name: 'Remove London?' })
    await page.getByRole('button', { name: 'Remove London' }).click()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(fake.callsOf('removeProfile')).toEqual([])
    await page.getByRole('button', { name: 'Remove London' }).click()
    await dialog.getByRole('button', { name: 'Remove the connection' }).click()
    await expect(dialog).toHaveCount(0)
    expect(fake.callsOf('removeProfile')).toEqual([{ profileId: 'p2' }])
  })
  await test.step('the form, a test and a question have no accessibility fault', async () => {
    fake.handlers.testConnection = () => ok(sampleTest)
    fake.handlers.saveProfile = () => refused('badArguments', 'Enter the key id.', 'keyId')
    await page.getByRole('button', { name: 'Edit London' }).click()
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(page.getByText('Live values work.')).toBeInViewport()
    await page.getByText('Details').click()
    expect(await faults(page, { part: 'dialog' })).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.locator('[aria-invalid="true"]')).toHaveCount(1)
    expect(await faults(page, { part: 'dialog' })).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Remove London' }).click()
    expect(await faults(page, { part: 'dialog' })).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
  await test.step('at 200 % zoom the whole form can be reached', async () => {
    await page.setViewportSize({ width: 450, height: 300 })
    fake.handlers.testConnection = () => ok(sampleTest)
    await page.getByRole('button', { name: 'Edit Frankfurt' }).click()
    await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeInViewport()
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(page.getByText('Live values work.')).toBeInViewport()
    await page.getByText('Details').click()
    await page.mouse.wheel(0, 2_000)
    await expect(page.getByText('No MCP address was entered.')).toBeInViewport()
    await page.getByLabel('Name', { exact: true }).focus()
    await expect(page.getByLabel('Name', { exact: true })).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.setViewportSize({ width: 1280, height: 820 })
  })
  await test.step('the top bar lists each connection and links to the settings', async () => {
    await page.getByRole('link', { name: 'Watchlists' }).first().click()
    await expect(page.getByRole('status', { name: 'Connection' })).toHaveText('Live')
    const button = page.getByRole('button', { name: 'Show connections' })
    await button.press('Enter')
    const box = page.getByRole('group', { name: 'Connections' })
    await expect(box.getByRole('listitem')).toHaveText([
      /Frankfurt.*Live.*12 subscriptions.*serves 137 indices/s,
      /London.*Not authorised.*The provider refused this key/s,
    ])
    expect(await faults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(box).toBeHidden()
    await button.click()
    await box.getByRole('link', { name: 'Connection settings' }).click()
    await expect(box).toBeHidden()
    await expect(page.getByRole('heading', { name: 'Connections' })).toBeInViewport()
  })
})
