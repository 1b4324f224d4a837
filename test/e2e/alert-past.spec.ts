/** What the history says about rules: a draft on a range of it, and why a rule stood as it did. */
import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'

test('a draft is tested on a range of the history, and a rule says why it fired at a time of it', async ({
  alerts,
  run,
}) => {
  const { watch } = run
  const { page } = watch
  await run.make(levelDraft('110'))
  const firstMs = alerts.timeMs
  for (const value of ['101.00', '110.50', '99.00', '111.250', '98.00']) alerts.publish(value)
  await watch.expectValue('BRTI', '98.00', '98.00')
  const time = (ms: number) => new Date(ms).toISOString()

  await watch.open('Alerts')
  await page.getByRole('button', { name: 'New alert', exact: true }).click()
  const draft = page.getByRole('dialog', { name: 'New alert' })
  await draft.getByLabel('Level').fill('105')
  await draft.getByLabel('Tested on').selectOption('a range…')
  await draft.getByRole('textbox', { name: 'From' }).fill(time(firstMs))
  await draft.getByLabel('To, not included').fill(time(alerts.timeMs + 1))
  await page.keyboard.press('Enter')
  await expect(draft.getByRole('status')).toContainText('Would have fired twice from')
  await draft.getByText('Times and values').click()
  await expect(draft.locator('td[data-value]')).toHaveText(['111.250', '110.50'])
  await page.keyboard.press('Escape')
  await expect(draft).toHaveCount(0)

  const rule = page.getByRole('table', { name: 'Alert rules' }).getByRole('row', { name: /BRTI/ })
  await rule.click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^Why/ }).click()
  const why = page.getByRole('dialog', { name: 'Why did it fire, or not?' })
  await why.getByLabel('At', { exact: true }).fill(time(firstMs + 2_400))
  await page.keyboard.press('Enter')
  await expect(why).toContainText('As it was then: BRTI rises to 110.')
  const newest = why.getByRole('table').locator('tbody tr').first()
  await expect(newest).toContainText(/110\.50.*fired/s)
})
