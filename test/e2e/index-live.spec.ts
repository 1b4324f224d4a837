import { addressOf } from '../../simulator/address'
import { expect, test } from '../support/app-test'

// The whole way: the simulator's own market through feed, main process and window.

test('an exchange-family index shows its constituents, their exchanges and its divisor, and they go on changing', async ({
  bench,
  simulator,
}) => {
  const { watch } = await bench.launchLive(addressOf(simulator))
  await watch.row('NCI').dblclick()
  const panel = watch.page.getByRole('region', { name: 'NCI', exact: true })
  const table = panel.getByRole('table', { name: 'Constituents of NCI' })
  await expect(table.getByRole('rowheader', { name: 'BTC' })).toBeVisible()
  await expect(panel).toContainText(/Divisor\s*[\d,]+\.\d+/)
  await expect(panel).toContainText(/Weights total\s*(99|100)\.\d+ %/)
  await table.getByRole('button', { name: 'BTC' }).click()
  await expect(table).toContainText('Coinbase')
  const row = table.getByRole('row').filter({ has: watch.page.getByRole('rowheader', { name: 'BTC' }) })
  const seen = new Set<string | null>()
  await expect
    .poll(async () => {
      seen.add(await row.textContent())
      return seen.size
    })
    .toBeGreaterThan(2)
  await expect(panel).toContainText('no 200 ms feed')
})

test('a tokenized equity shows its corporate action, and a daily index that 200 ms is not offered', async ({
  bench,
  simulator,
}) => {
  const { watch } = await bench.launchLive(addressOf(simulator))
  await watch.add('TSLAXUSD_RTI')
  await watch.row('TSLAXUSD_RTI').dblclick()
  const equity = watch.page.getByRole('region', { name: 'TSLAXUSD_RTI', exact: true })
  await equity.getByRole('tab', { name: 'Corporate actions' }).click()
  // Which one of the three it is depends on the time of day.
  await expect(equity.getByRole('tabpanel')).toContainText(/Pending|Effective|[Nn]o corporate action|[Nn]one/)
  await watch.row('BRR').dblclick()
  const daily = watch.page.getByRole('region', { name: 'BRR', exact: true })
  await expect(daily).toContainText('no 200 ms feed')
  await watch.row('BRTI').dblclick()
  const fast = watch.page.getByRole('region', { name: 'BRTI', exact: true })
  await expect(fast.getByRole('switch', { name: 'Show every 200 ms' })).toBeVisible()
})
