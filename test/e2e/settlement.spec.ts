import { expect, test } from '../support/app-test'
import { fromJson } from '../../protocol/json'

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
