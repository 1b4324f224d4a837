import { openStory, expect, test } from './window-page'
import { panelOf } from './open-index'

test('how far an index is from each of its fixings is a click away, and when the next ones are', async ({ page }) => {
  const fake = await openStory(page, 'index, fixings of a real-time index')
  const rates = panelOf(page, 'BRTI').getByRole('table', { name: 'Fixings of BRTI' })
  const london = rates.getByRole('row', { name: 'BRR' }).first()
  await expect(london).toContainText('16:00 London, in 1 h 57 min')
  await expect(london.getByRole('cell').last()).toHaveText(/\d\.\d\d.*[+−]\d+\.\d bp/)
  await expect.poll(() => fake.callsOf('followIndices').at(-1)).toEqual({ indexIds: ['BRR', 'BRRNY'] })

  await expect(london).not.toContainText('as of')
  await fake.push({ state: { status: { ...fake.snapshot.state.status, state: 'offline' } } })
  await expect(london).toContainText('as of')
  await expect(london.locator('.distance')).toHaveClass(/\bdimmed\b/)
})

test('a daily rate lists its last fixings beside the real-time index then, to be copied with their source', async ({
  page,
}) => {
  const rate = await openStory(page, 'index, fixings of a daily rate')
  const panel = panelOf(page, 'BRR')
  await expect(panel.getByText('16:00 London, in 1 h 57 min')).toBeVisible()
  const rows = panel.getByRole('table', { name: 'Last fixings of BRR' }).getByRole('row')
  await expect(rows).toHaveCount(11)
  await expect(rows.nth(1)).toContainText('20 Nov 2026 16:00')
  await expect(rows.nth(1)).toContainText('68,124.400')
  await expect(rows.nth(3)).toContainText('carried over')
  await expect(rows.nth(4)).toContainText('amended 17 Nov 2026, 17:30:00')
  await expect(rows.last()).toContainText('not known')
  // The history answers with a value of an hour before.
  await expect(rows.nth(4)).toContainText('not known')
  rate.handlers.copyText = () => ({ ok: true, value: null })
  await panel.getByRole('button', { name: 'Copy with source' }).click()
  const copied = (rate.callsOf('copyText').at(-1) as { text: string }).text.split('\n')
  expect(copied[0]).toBe('Fixed (UTC)\tBRR\tBRTI at that moment\tDifference (bp)')
  expect(copied[1]).toMatch(/^2026-11-20T16:00:00\.000Z\t68\d{3}\.\d\d\t68124\.400\t-?\d+\.\d$/)
  expect(copied.at(-1)).toMatch(/^Source: Demo, read 2026-11-21T/)
})
