import type { QuoteUpdate } from '../../protocol/desktop'
import { toJson } from '../../protocol/json'
import { ok, refused } from '../support/fake-desktop'
import { sampleNowMs, sampleSnapshot } from '../support/sample-window'
import { installFake } from './install-fake'
import { expect, openWindow, test } from './window-page'

function brti(value: string, ageMs = 0): QuoteUpdate {
  return { id: 'BRTI', value, publishedAtMs: sampleNowMs, source: 'stream', ageMs }
}

test('updates are taken in order: one that is known is dropped, one that is missing makes the page ask again', async ({
  page,
}) => {
  const fake = await openWindow(page)

  await test.step('an update that the snapshot already contains is dropped', async () => {
    await fake.pushAsIs({ number: fake.snapshot.number, quotes: [brti('1.00')], rows: [], state: {} })
    await fake.push({ quotes: [{ ...brti('3.50'), id: 'XRPUSD_RTI' }] })
    await expect(page.locator('[data-index="XRPUSD_RTI"] [data-value]')).toHaveText('3.50')
    await expect(page.locator('[data-index="BRTI"] [data-value]')).toHaveText('68,123.40')
  })
  await test.step('a value alone, or another state, leaves the look of the page untouched', async () => {
    await page.evaluate(`
    window.restyled = 0
    new MutationObserver((records) => { window.restyled += records.length }).observe(document.documentElement, { attributes: true })`)
    await fake.push({ quotes: [brti('1.00')] })
    await expect(page.locator('[data-index="BRTI"] [data-value]')).toHaveText('1.00')
    await fake.push({ state: { unreadCount: 3 } })
    await expect(page.locator('#unread-alerts')).toContainText('3')
    expect(await page.evaluate('window.restyled')).toBe(0)
    await fake.push({ state: { settings: { ...fake.snapshot.state.settings, theme: 'dark' } } })
    await expect.poll(() => page.evaluate('window.restyled')).toBeGreaterThan(0)
  })
  await test.step('a missing number makes the page ask again, and then it shows the newest value', async () => {
    fake.calls.length = 0
    const cell = page.locator('[data-index="BRTI"] [data-value]')
    await fake.push({ quotes: [brti('1.50')] })
    await expect(cell).toHaveText('1.50')
    expect(fake.callsOf('getSnapshot')).toHaveLength(0)
    await fake.push({ quotes: [brti('2.00')] }, { skip: 1 })
    await expect(cell).toHaveText('2.00')
    expect(fake.callsOf('getSnapshot')).toHaveLength(1)
  })
  await test.step('what a new snapshot no longer has is gone', async () => {
    const cell = page.locator('[data-index="BRTI"] [data-value], [data-index="BRTI"] td.value')
    fake.snapshot.quotes = fake.snapshot.quotes.filter(({ id }) => id !== 'BRTI')
    await fake.push({}, { skip: 1 })
    await expect(cell).toHaveText('—')
  })
})

test('updates that arrive while the snapshot is on its way are not lost', async ({ page }) => {
  const snapshot = sampleSnapshot()
  const fake = await installFake(page, snapshot, {
    getSnapshot: async () => {
      await fake.pushAsIs({ number: snapshot.number + 1, quotes: [brti('7.00')], rows: [], state: {} })
      return ok(toJson(snapshot))
    },
  })
  await page.goto('/')
  await expect(page.locator('[data-index="BRTI"] [data-value]')).toHaveText('7.00')
})

test('while the app does not answer the page says so and goes on asking', async ({ page }) => {
  let isReady = false
  const fake = await installFake(page, sampleSnapshot(), {
    getSnapshot: () => (isReady ? ok(toJson(fake.snapshot)) : refused('internal', 'This did not work.')),
  })
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Your watchlists could not be loaded' })).toBeVisible()
  await expect(page.getByText('This did not work.')).toBeVisible()
  await expect(page.getByRole('status', { name: 'Connection' })).toHaveText('Connecting')
  isReady = true
  await expect(page.getByRole('table', { name: 'My list' })).toBeVisible()
})

test('an age counts from the data and never runs backwards for one value', async ({ page }) => {
  await page.clock.install({ time: sampleNowMs })
  const fake = await openWindow(page)
  const age = page.locator('[data-index="XRPUSD_RTI"] td.number.quiet').last()
  const seconds = async () => parseInt((await age.textContent()) ?? '', 10)
  await page.clock.pauseAt(sampleNowMs + 60_000)
  const same = fake.snapshot.quotes.find(({ id }) => id === 'XRPUSD_RTI')
  if (same === undefined) throw new Error('the sample has no XRPUSD_RTI')
  await fake.push({ quotes: [{ ...same, publishedAtMs: same.publishedAtMs + 1_000, ageMs: 100 }] })
  await page.clock.runFor(20)
  await expect(age).toHaveText('0 s')
  await page.clock.runFor(5_000)
  const before = await seconds()
  expect(before).toBeGreaterThan(2)
  // The same value again, said to be younger than it has become.
  await fake.push({ quotes: [{ ...same, publishedAtMs: same.publishedAtMs + 1_000, ageMs: 100 }] })
  await page.clock.runFor(1_500)
  expect(await seconds()).toBeGreaterThan(before)
  // A new value is as young as it says.
  await fake.push({ quotes: [{ ...same, publishedAtMs: same.publishedAtMs + 2_000, ageMs: 1_300 }] })
  await page.clock.runFor(20)
  await expect(age).toHaveText('1 s')
})

test('a value turns stale by itself', async ({ page }) => {
  await page.clock.install({ time: sampleNowMs })
  const fake = await openWindow(page)
  const flags = page.locator('[data-index="UC5_RTI_TR"] .marks')
  await page.clock.pauseAt(sampleNowMs + 60_000)
  await expect(flags).toHaveText('stale')
  const quote = fake.snapshot.quotes.find(({ id }) => id === 'UC5_RTI_TR')
  if (quote === undefined) throw new Error('the sample has no UC5_RTI_TR')
  await fake.push({ quotes: [{ ...quote, publishedAtMs: sampleNowMs + 60_000, ageMs: 0 }] })
  await page.clock.runFor(9_000)
  await expect(flags).toHaveText('')
  // Ten seconds, and as long as the next count of ages may take.
  await page.clock.runFor(2_100)
  await expect(flags).toHaveText('stale')
})

test('a command that the fake does not know is named', async ({ page }) => {
  await installFake(page, sampleSnapshot())
  await page.goto('/')
  await expect(page.evaluate('window.indexwatch.reconnect({})')).rejects.toThrow(
    'the fake has no handler for reconnect',
  )
})
