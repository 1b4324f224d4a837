import { toJson } from '../../protocol/json'
import { ok } from '../support/fake-desktop'
import { sampleConnections, sampleDiagnostics } from '../support/sample-connections'
import { stateWords } from '../../core/connection-words'
import type { ConnectionState, ConnectionStatus } from '../../core/model'
import { sampleSnapshot } from '../support/sample-window'
import { expect, openWindow, test } from './window-page'

const own: ConnectionStatus = { state: 'live', name: 'My desk', isDemo: false, streamCount: 10 }

test('screen readers hear connection changes and alerts, and no ticks', async ({ page }) => {
  const fake = await openWindow(page)
  const live = page.locator('[aria-live="polite"]')
  await expect(live).toHaveText('')
  await expect(page.locator('table [aria-live], table [role="status"], table [role="alert"]')).toHaveCount(0)
  await fake.push({ quotes: fake.snapshot.quotes.map((quote) => ({ ...quote, value: '1' })) })
  await expect(page.locator('[data-index="BRTI"] [data-value]')).toHaveText('1')
  await expect(live).toHaveText('')
  await fake.push({ state: { status: { ...own, state: 'reconnecting' } } })
  await expect(live).toHaveText('Connection: Reconnecting')
  const [first] = fake.snapshot.state.inbox
  if (first === undefined) throw new Error('the sample has no alert')
  await fake.push({ state: { inbox: [{ ...first, id: 'new' }, ...fake.snapshot.state.inbox] } })
  await expect(live).toHaveText('Alert: XRPUSD_RTI rose to 1.2003 (level 1.20)')
})

test('each connection state is shown, keeps every value, and links to what the user can do', async ({ page }) => {
  const snapshot = sampleSnapshot()
  snapshot.state.notices = [{ id: 'n1', message: 'The settings file could not be read.' }]
  const fake = await openWindow(page, { snapshot })

  await test.step('a notice is shown until it is dismissed', async () => {
    const notice = page.getByRole('region', { name: 'Notice' })
    await expect(notice).toContainText('The settings file could not be read.')
    await notice.getByRole('button', { name: 'Dismiss' }).click()
    await expect(notice).toHaveCount(0)
    expect(fake.callsOf('dismissNotice')).toEqual([{ noticeId: 'n1' }])
  })
  await test.step('offline keeps every value and says what happens next', async () => {
    await fake.push({
      state: { status: { ...own, state: 'reconnecting', problem: 'The connection was lost.', retryInMs: 3_000 } },
    })
    const banner = page.getByRole('region', { name: 'Connection problem' })
    await expect(banner).toContainText('The connection was lost.')
    await expect(banner).toContainText('Last data 14:02:11.')
    await expect(banner).toContainText(/Next try in \d s\./)
    await expect(page.locator('[data-index="BRTI"] [data-value]')).toHaveText('68,123.40')
    await banner.getByRole('button', { name: 'Try now' }).click()
    expect(fake.callsOf('reconnect')).toHaveLength(1)
    await fake.push({ state: { status: own } })
    await expect(banner).toHaveCount(0)
  })
  await test.step('the status names each state, and Demo', async () => {
    const status = page.getByRole('status', { name: 'Connection' })
    for (const [state, word] of Object.entries(stateWords) as [ConnectionState, string][]) {
      await fake.push({ state: { status: { ...own, state } } })
      await expect(status).toHaveText(word)
      await fake.push({ state: { status: { ...own, state, name: 'Demo', isDemo: true } } })
      await expect(status).toHaveText(new RegExp(`^Demo\\s*${word}$`))
    }
    await fake.push({ state: { status: own } })
  })
  await test.step('the status counts unreadable messages and links to their details', async () => {
    fake.calls.length = 0
    fake.handlers.getDiagnostics = () => ok(toJson(sampleDiagnostics))
    const view = { ...own, id: 'p1', indexCount: 10 }
    const doubtful = { unreadableCount: 62 }
    await fake.push({ state: { status: { ...own, ...doubtful }, connections: [{ ...view, ...doubtful }] } })
    const status = page.getByRole('status', { name: 'Connection' })
    await expect(status).toHaveText('Live · 62 unreadable messages')
    await page.getByRole('button', { name: 'Show connections' }).click()
    await page.getByRole('group', { name: 'Connections' }).getByRole('link', { name: 'details' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Diagnostics' })).toBeVisible()
    await fake.push({ state: { status: own, connections: [view] } })
    await expect(status).toHaveText('Live')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Watchlists' }).click()
  })
  await test.step('Check the key opens the refused connection with its secret focused', async () => {
    fake.calls.length = 0
    const { state } = sampleConnections()
    const { profiles } = state.settings
    await fake.push({
      state: {
        status: { ...own, state: 'notAuthorised' },
        connections: state.connections,
        settings: { ...fake.snapshot.state.settings, profiles },
      },
    })
    const banner = page.getByRole('region', { name: 'Connection problem' })
    await expect(banner).toContainText('Not authorised: the provider refused this key.')
    await banner.getByRole('button', { name: 'Try again' }).click()
    expect(fake.callsOf('reconnect')).toHaveLength(1)
    const dialog = page.getByRole('dialog', { name: 'Edit London' })
    await banner.getByRole('button', { name: 'Check the key' }).click()
    await expect(dialog.getByLabel('Key secret')).toBeFocused()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Show connections' }).click()
    await page.getByRole('group', { name: 'Connections' }).getByRole('button', { name: 'Check the key' }).click()
    await expect(dialog.getByLabel('Key secret')).toBeFocused()
  })
})

test('nothing in the top bar moves between any two states of the connection', { tag: '@deep' }, async ({ page }) => {
  const snapshot = sampleSnapshot()
  const { quotes } = snapshot
  snapshot.quotes = []
  const fake = await openWindow(page, { snapshot })
  const places = `JSON.stringify([...document.querySelectorAll('.shell > header :is(button, .pill, .dot, .dot + span)')].map((part) => {
    const { left, right } = part.getBoundingClientRect()
    return [left, part.matches('.dot + span') ? 0 : right]
  }))`
  for (const width of [1280, 900, 640]) {
    await page.setViewportSize({ width, height: 700 })
    const seen = new Set<unknown>()
    for (const state of Object.keys(stateWords) as ConnectionState[]) {
      await fake.push({ state: { status: { ...own, state, isDemo: true } } })
      await expect(page.getByRole('status', { name: 'Connection' })).toContainText(stateWords[state])
      seen.add(await page.evaluate(places))
    }
    expect([...seen], `${width} pixels`).toHaveLength(1)
  }
  await page.setViewportSize({ width: 1280, height: 700 })
  await fake.push({ state: { status: { ...own, isDemo: true } } })
  await expect(page.locator('.waiting')).toHaveText('waiting for values')
  const waiting = await page.evaluate(places)
  await fake.push({ quotes })
  await expect(page.locator('.waiting')).toHaveCount(0)
  expect(await page.evaluate(places)).toEqual(waiting)
})

test('a button beside the connection opens and closes the ticker', async ({ page }) => {
  const fake = await openWindow(page)
  const button = page.getByRole('button', { name: 'Ticker' })
  await expect(button).toHaveAttribute('aria-pressed', 'false')
  await button.click()
  await fake.push({ state: { settings: { ...fake.snapshot.state.settings, showsTicker: true } } })
  await expect(button).toHaveAttribute('aria-pressed', 'true')
  await button.click()
  expect(fake.callsOf('setPreferences')).toEqual([{ showsTicker: true }, { showsTicker: false }])
})
