import { toJson } from '../../protocol/json'
import { ok } from '../support/fake-desktop'
import { firedEvent, levelDraft } from '../support/sample-alerts'
import { sampleAwayReport } from '../support/sample-away'
import { sampleNowMs } from '../support/sample-window'
import { expect, openStory, openWindow, test } from './window-page'

test('after an absence a card says what fired, what moved and what changed in the data', async ({ page }) => {
  const fake = await openStory(page, 'back after two hours')
  const card = page.getByRole('region', { name: 'While you were away' })
  await expect(card).toContainText('2 h 14 min · 1 gap (5 min), filled from history')
  await expect(card).toContainText('Fired · 3 of 5 alerts')
  await expect(card.getByRole('listitem').nth(0)).toContainText('BRTI rose to 68,500.00 (level 68,500.00) · 7 times')
  await expect(card.getByRole('listitem').nth(2)).toContainText('retracted')
  await expect(card).toContainText(
    '3 values of BRTI amended · APT_SRR carried forward · LINK added to NCI · BCH removed from NCI',
  )

  // The current value, with its change since the absence began.
  const moved = card.getByRole('button', { name: 'SOLUSD_RTI' })
  await expect(moved).toContainText('3.8840')
  await fake.push({
    quotes: [{ id: 'SOLUSD_RTI', value: '142.3268', publishedAtMs: sampleNowMs, ageMs: 0, source: 'stream' }],
  })
  await expect(moved.locator('[data-value]')).toHaveText('142.3268')
  await expect(moved).toContainText('0.0001')

  await card.getByRole('button', { name: 'Mark all read' }).click()
  expect(fake.callsOf('markInboxRead')).toHaveLength(1)
  await card.getByRole('button', { name: 'Dismiss' }).click()
  await expect(card).toHaveCount(0)
})

test('the card is requested again as missed values arrive, and is hidden when it is empty', async ({ page }) => {
  const fake = await openWindow(page)
  const card = page.getByRole('region', { name: 'While you were away' })
  const { fromMs, toMs } = sampleAwayReport
  await fake.push({ state: { away: { fromMs, toMs, version: 1 } } })
  await expect.poll(() => fake.callsOf('getAwayReport').length).toBe(1)
  await expect(card).toHaveCount(0)
  const gaps = { count: 1, totalMs: 300_000, filled: { state: 'open', missingMs: 120_000 } } as const
  const bare = { ...sampleAwayReport, gaps, fired: [], firedCount: 0, moved: [], carriedOver: [], members: [] }
  fake.handlers.getAwayReport = () => ok(toJson(bare))
  await fake.push({ state: { away: { fromMs, toMs, version: 2 } } })
  await expect(card).toContainText('1 gap (5 min), 2 min not filled yet')
  fake.handlers.getAwayReport = () => ok(toJson({ ...bare, gaps: { ...gaps, filled: { state: 'all' as const } } }))
  const late = firedEvent(40, levelDraft(), { kind: 'lateFromHistory' })
  await fake.push({ state: { inbox: [late, ...fake.snapshot.state.inbox] } })
  await expect(card).toContainText('filled from history')
})
