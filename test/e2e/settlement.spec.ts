import { expect, test } from '../support/app-test'
import { fromJson } from '../../protocol/json'
import { levelDraft } from '../support/sample-alerts'

const seconds = 5

test('a mean becomes final, and is that of the values in the history', { tag: '@deep' }, async ({ bench }) => {
  const running = await bench.launch(['--demo'])
  const watch = await running.watch()
  await watch.expectState('Live')
  const { page } = watch
  await watch.ask('openIndex', { indexId: 'BRTI' })
  await page.getByRole('tab', { name: 'Settlement' }).click()
  const part = page.getByRole('tabpanel', { name: 'Settlement' })
  await part.getByRole('combobox', { name: 'Preset' }).selectOption('Free')
  await part.getByRole('textbox', { name: 'Length in seconds' }).fill(String(seconds))
  const closeMs = (Math.floor(Date.now() / 1_000) + 12) * 1_000
  await part.getByRole('textbox', { name: 'Time' }).fill(new Date(closeMs).toISOString())
  await page.keyboard.press('Enter')
  await expect(part.getByRole('region', { name: 'Provisional mean of published values' })).toBeVisible()

  const final = part.getByRole('region', { name: 'Final mean of published values' })
  await expect(final).toContainText('5 of 5 values', { timeout: 60_000 })
  const shown = await final.locator('[data-value]').getAttribute('data-value')
  const range = { indexId: 'BRTI', fromMs: closeMs - seconds * 1_000, toMs: closeMs - 1_000 }
  const answer = await watch.ask('getRevisions', { ...range, asks: false })
  const values = answer.ok ? fromJson(answer.value).values : []
  const onSeconds = values.filter(({ publishedAtMs }) => publishedAtMs % 1_000 === 0)
  expect(onSeconds).toHaveLength(seconds)
  // The demo's values have two decimals.
  const cents = onSeconds.reduce((sum, { value }) => sum + BigInt(value.replace('.', '')), 0n)
  const rounded = String((cents * 2n + BigInt(seconds)) / BigInt(seconds * 2))
  expect(shown).toBe(rounded.replace(/(..)$/, '.$1'))
  expect(running.pageErrors).toEqual([])
  await running.quit()
})

test('a mean that is typed becomes a row with a history, a chart and alerts', { tag: '@deep' }, async ({ bench }) => {
  const running = await bench.launch(['--demo'])
  const watch = await running.watch()
  await watch.expectState('Live')
  const { page } = watch
  const meanId = `mean(BRTI, ${seconds})`
  await page.keyboard.press('Control+n')
  await page.getByRole('combobox', { name: 'Search indices' }).fill('Mean(brti,5)')
  await page.keyboard.press('Enter')
  const row = page.locator(`[data-index="${meanId}"]`)
  await expect(row.locator('.value')).toHaveAttribute('data-value', /^\d+\.\d\d$/)
  const draft = levelDraft('1', { indexId: meanId })
  expect(await watch.ask('createAlert', { draft, whenAlreadyMet: 'fire' })).toMatchObject({ ok: true })

  await test.step('each value is the mean of the values of its window', async () => {
    const revisions = async (indexId: string) => {
      const nowMs = Date.now()
      const answer = await watch.ask('getRevisions', { indexId, fromMs: nowMs - 20_000, toMs: nowMs, asks: false })
      return answer.ok ? fromJson(answer.value).values : []
    }
    await expect.poll(async () => (await revisions(meanId)).length, { timeout: 30_000 }).toBeGreaterThan(5)
    const latest = (await revisions(meanId)).at(-1)
    const endMs = latest?.publishedAtMs ?? 0
    const window = (await revisions('BRTI')).filter(
      ({ publishedAtMs: ms }) => ms % 1_000 === 0 && ms > endMs - seconds * 1_000 && ms <= endMs,
    )
    expect(window).toHaveLength(seconds)
    const cents = window.reduce((sum, { value }) => sum + BigInt(value.replace('.', '')), 0n)
    const rounded = String((cents * 2n + BigInt(seconds)) / BigInt(seconds * 2))
    expect(latest?.value).toBe(rounded.replace(/(..)$/, '.$1'))
  })
  await test.step('its page has a chart of the last hour', async () => {
    await watch.ask('openIndex', { indexId: meanId })
    await expect(page.getByRole('tabpanel', { name: 'Definition' })).toContainText('5 of 5 values')
    const chart = await watch.ask('getChart', { indexId: meanId, range: '1h' })
    expect(chart.ok && fromJson(chart.value).points.length).toBeGreaterThan(3_000)
  })
  await test.step('its alert fires', async () => {
    await expect
      .poll(async () => (await watch.snapshot()).state.inbox.map(({ indexId, kind }) => `${indexId} ${kind}`))
      .toEqual([`${meanId} fired`])
  })
  expect(running.pageErrors).toEqual([])
  await running.quit()
})
