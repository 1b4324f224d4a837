import { levelDraft, ruleView } from '../support/sample-alerts'
import { basisId, formulaSnapshot, incompleteMeanId, meanId, ratioId, staleId } from '../support/sample-formulas'
import { refused } from '../support/fake-desktop'
import { sampleNowMs } from '../support/sample-window'
import { expect, openStory, openWindow, test } from './window-page'

test('a formula is listed like an index, and shows what is wrong with a part', async ({ page }) => {
  const fake = await openWindow(page, { snapshot: formulaSnapshot() })
  const row = (id: string) => page.locator(`[data-index="${id}"]`)
  await expect(page.getByRole('rowheader', { name: 'BRTI \u2212 BRR in bp', exact: true })).toBeVisible()
  await expect(row(basisId).getByRole('cell').first()).toHaveAttribute(
    'title',
    /^\(BRTI \u2212 BRR\) \u00f7 BRR \u00d7 10,000/,
  )
  await expect(row(ratioId).locator('[data-value]')).toHaveAttribute('data-value', /^0\.\d{6}$/)

  await test.step('without a value it says why', async () => {
    await expect(row(staleId).getByRole('cell').first()).toHaveText(
      'No value: TSLAXUSD_RTI has been stale for more than 5 s.',
    )
    await expect(row(staleId).locator('.marks')).toContainText('no value')
    await fake.push({ rows: [{ id: ratioId, noValue: 'BRTI is zero, so there is no result.' }] })
    await expect(row(ratioId).locator('.value')).toHaveText('—')
    await expect(row(ratioId).locator('.value')).not.toHaveAttribute('data-value')
    const quote = { id: ratioId, value: '0.035000', publishedAtMs: sampleNowMs, source: 'stream' as const, ageMs: 0 }
    await fake.push({ rows: [{ id: ratioId }], quotes: [quote] })
    await expect(row(ratioId).locator('.value')).toHaveText('0.035000')
  })
  await test.step('an amended part marks the formula', async () => {
    const part = fake.snapshot.quotes.find(({ id }) => id === 'BRR')
    if (part === undefined) throw new Error('no BRR')
    await expect(row(basisId).locator('.marks')).not.toContainText('amended')
    await fake.push({ quotes: [{ ...part, amendedAtMs: sampleNowMs }] })
    await expect(row(basisId).locator('.marks')).toContainText('amended')
  })
  await test.step('a stale part makes it stale', async () => {
    const part = fake.snapshot.quotes.find(({ id }) => id === 'ETHUSD_RTI')
    if (part === undefined) throw new Error('no ETHUSD_RTI')
    await fake.push({ quotes: [{ ...part, publishedAtMs: part.publishedAtMs + 1, ageMs: 30_000 }] })
    await expect(row(ratioId).locator('.marks')).toContainText('stale')
  })
})

test('a new formula is previewed, refused if it is invalid, and added', async ({ page }) => {
  const fake = await openStory(page, 'new formula')
  const dialog = page.getByRole('dialog', { name: 'New formula' })
  const preview = dialog.getByRole('status', { name: 'Preview' })
  const add = dialog.getByRole('button', { name: 'Add formula' })
  await expect(dialog.getByLabel('First index')).toHaveValue('BRTI')
  await expect(dialog.getByLabel('Second index')).toBeFocused()
  await add.click()
  await expect(preview).toHaveText('Choose two indices.')
  await dialog.getByLabel('First index').fill('brti')
  // A click beside the dialog loses nothing that was typed.
  await page.mouse.click(8, 812)
  await expect(dialog).toBeVisible()
  await dialog.getByLabel('Second index').fill('BRTI')
  await expect(preview).toHaveText('Choose two different indices.')
  await dialog.getByLabel('Second index').fill(basisId)
  await expect(preview).toContainText('is a formula itself')
  await dialog.getByLabel('Second index').fill('ETHUSD_RTI')
  await dialog.getByLabel('Decimals').fill('1.5')
  await expect(preview).toContainText('Decimals are a whole number')
  await dialog.getByLabel('Decimals').fill('3')
  await expect(preview.locator('[data-value]')).toHaveAttribute('data-value', /^6\d{4}\.\d{3}$/)
  await expect(preview).toContainText('BRTI \u2212 ETHUSD_RTI, rounded to 3 decimals.')

  await test.step('an error from the app is shown in the dialog', async () => {
    const addIndex = fake.handlers.addIndex
    fake.handlers.addIndex = () => refused('unknownPart', 'The provider does not list ETHUSD_RTI.')
    await add.click()
    await expect(dialog.getByRole('alert')).toHaveText('The provider does not list ETHUSD_RTI.')
    if (addIndex !== undefined) fake.handlers.addIndex = addIndex
  })
  await dialog.getByRole('radio', { name: 'Ratio' }).check()
  await add.click()
  await expect(dialog).toBeHidden()
  await expect(page.locator('[data-index="BRTI \u00f7 ETHUSD_RTI \u00b7 3 decimals"]')).toBeFocused()
})

test('an edited formula keeps its place, and the dialog mentions its alert', { tag: '@deep' }, async ({ page }) => {
  const snapshot = formulaSnapshot()
  snapshot.state.alerts = [ruleView('a', levelDraft('10', { indexId: basisId }))]
  const fake = await openWindow(page, { snapshot })
  const { entries = [] } = snapshot.state.settings.watchlists[0] ?? {}
  const at = entries.findIndex(({ id }) => id === basisId)
  const menuOf = (id: string) => page.locator(`[data-index="${id}"]`).getByRole('button', { name: /^Actions for/ })
  await page.locator(`[data-index="${basisId}"]`).hover()
  await menuOf(basisId).click()
  await page.getByRole('menuitem', { name: 'Edit formula…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit formula' })
  await dialog.getByLabel('Decimals').fill('4')
  await expect(dialog).toContainText(`The alert keeps watching ${basisId}.`)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  const changedId = `${basisId} \u00b7 4 decimals`
  await expect(page.locator(`[data-index="${changedId}"]`)).toBeFocused()
  const ids = fake.snapshot.state.settings.watchlists[0]?.entries.map(({ id }) => id)
  expect(ids?.[at]).toBe(changedId)
  expect(ids).not.toContain(basisId)
})

test('removing a formula says that its alerts stay on', { tag: '@deep' }, async ({ page }) => {
  const snapshot = formulaSnapshot()
  const rule = (id: string) => ruleView(id, levelDraft('10', { indexId: basisId }))
  snapshot.state.alerts = [rule('a'), rule('b')]
  await openWindow(page, { snapshot })
  await page.locator(`[data-index="${basisId}"]`).click()
  await page.keyboard.press('Delete')
  await expect(
    page.getByRole('group', { name: 'Message' }).getByText(`${basisId} removed, its 2 alerts stay on`),
  ).toBeVisible()
})

test('the page of a formula has its definition, its parts and their values', async ({ page }) => {
  await openStory(page, 'index, formula')
  await expect(page.getByRole('heading', { name: basisId })).toBeVisible()
  const parts = page.getByRole('table', { name: 'Parts' })
  await expect(parts.getByRole('row', { name: /^BRTI/ }).locator('[data-value]')).toHaveText('68,123.40')
  await expect(page.getByRole('tab')).toHaveText(['Definition', 'Amendments'])
})

test('a mean is listed with its count while it lacks values, and its page counts aloud', async ({ page }) => {
  const fake = await openStory(page, 'index, mean')
  const row = page.locator(`[data-index="${incompleteMeanId}"]`)
  await expect(row.locator('.value')).toContainText('298 of 300')
  await expect(row.locator('.marks')).toContainText('298 of 300')
  await expect(page.locator(`[data-index="${meanId}"] .value`)).not.toContainText('of 60')
  const definition = page.getByRole('tabpanel', { name: 'Definition' })
  await expect(definition).toContainText('298 of 300 values, 1 carried forward')
  const whole = fake.snapshot.quotes.find(({ id }) => id === incompleteMeanId)
  if (whole === undefined) throw new Error('no mean')
  delete whole.missing
  delete whole.carried
  await fake.push({ quotes: [{ ...whole, publishedAtMs: whole.publishedAtMs + 1_000 }] })
  await expect(definition).toContainText('300 of 300 values')
  await expect(row.locator('.value')).not.toContainText('of 300')
})

test('the id of a mean is shown whole', async ({ page }) => {
  await openStory(page, 'means')
  const id = page.locator(`[data-index="${incompleteMeanId}"] th`)
  expect(await id.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})

test('a new mean is refused with its reason until it is one, then added', async ({ page }) => {
  await openStory(page, 'new formula')
  const dialog = page.getByRole('dialog', { name: 'New formula' })
  const preview = dialog.getByRole('status', { name: 'Preview' })
  await dialog.getByRole('radio', { name: 'Mean' }).check()
  await dialog.getByLabel('Seconds').fill('1')
  await expect(preview).toHaveText('Seconds are a whole number from 2 to 3,600, as in mean(BRTI, 60).')
  await dialog.getByLabel('Seconds').fill('90')
  await dialog.getByLabel('Index', { exact: true }).fill('brr')
  await expect(preview).toContainText('BRR publishes less often than each second')
  await dialog.getByLabel('Index', { exact: true }).fill('brti')
  await expect(preview).toContainText('mean(BRTI, 90)')
  await dialog.getByRole('button', { name: 'Add formula' }).click()
  await expect(page.locator('[data-index="mean(BRTI, 90)"]')).toBeFocused()
})

test('a typed mean is added like an index, or refused with its reason', async ({ page }) => {
  await openStory(page, 'add index')
  const dialog = page.getByRole('dialog', { name: 'Add index' })
  const search = dialog.getByRole('combobox', { name: 'Search indices' })
  await search.fill('mean(BRTI, 9999)')
  await expect(dialog).toContainText('Seconds are a whole number from 2 to 3,600')
  await search.fill('Mean(brti,60)')
  await expect(dialog.getByRole('option')).toContainText(['mean(BRTI, 60)'])
  await search.press('Enter')
  await expect(page.locator('[data-index="mean(BRTI, 60)"]')).toBeVisible()
})
