import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { formatDecimal } from '../../core/decimal'
import { addressOf } from '../../simulator/address'
import { expect, test } from '../support/app-test'

test('the market of a service is shown as it publishes, with what it refuses', async ({ bench, simulator }) => {
  const { running, watch } = await bench.launchLive(addressOf(simulator))
  // Each version of the settings is a file of its own that takes the place of the one before.
  const settingsFile = async () => {
    const { ino, mtimeMs } = await stat(join(bench.userData, 'settings.json'))
    return { ino, mtimeMs }
  }

  await test.step('rows have names, a trend and a change as soon as the service has sent them', async () => {
    await expect(watch.row('BRTI')).toContainText('CME CF Bitcoin Real Time Index')
    await expect(watch.row('BRTI').getByRole('img', { name: /: (rising|falling|unchanged)$/ })).toBeVisible()
    // A daily rate changes against the publication before.
    await expect(watch.row('BRR')).toContainText(/[+−]\d/)
    await expect(watch.row('BRR')).toContainText('vs prev. fixing')
  })

  await test.step('values come at second boundaries, and between them on request', async () => {
    const times = async (count: number) => {
      const seen = new Set<string>()
      await expect
        .poll(async () => {
          seen.add(/\d\d:\d\d:\d\d\.\d{3}/.exec(await watch.row('BRTI').innerText())?.[0] ?? '')
          return seen.size
        })
        .toBeGreaterThanOrEqual(count)
      return [...seen].filter((time) => time !== '')
    }
    expect((await times(3)).every((time) => time.endsWith('.000'))).toBe(true)
    const before = await settingsFile()
    await watch.chooseRowAction('BRTI', 'Every 200 ms')
    await expect(watch.row('BRTI')).toContainText(/\.[2468]00/)
    await expect.poll(settingsFile).not.toEqual(before)
  })

  await test.step('an unknown id shows the reason of the service', async () => {
    await watch.add('NOSUCH_RTI')
    await expect(watch.row('NOSUCH_RTI')).toContainText('Refused: ')
    await expect(watch.row('NOSUCH_RTI')).toContainText('unknown id')
    await expect(watch.row('BRTI')).not.toContainText('Refused: ')
  })

  await test.step('an exchange-family index shows its constituents, their exchanges and its divisor, and they go on changing', async () => {
    await watch.row('NCI').dblclick()
    const panel = watch.page.getByRole('region', { name: 'NCI', exact: true })
    const table = panel.getByRole('table', { name: 'Constituents of NCI' })
    await expect(table.getByRole('rowheader', { name: 'BTC' })).toBeVisible()
    await expect(panel).toContainText(/Divisor\s*[\d,]+\.\d+/)
    await expect(panel).toContainText(/Weights\s*(99|100)\.\d+ %/)
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
    await expect(panel.getByTitle('Frequency')).toHaveText('every second')
  })

  await test.step('a tokenized equity shows its corporate action, and a daily index that 200 ms is not offered', async () => {
    await watch.add('TSLAXUSD_RTI')
    await watch.row('TSLAXUSD_RTI').dblclick()
    const equity = watch.page.getByRole('region', { name: 'TSLAXUSD_RTI', exact: true })
    await equity.getByRole('tab', { name: 'Corporate actions' }).click()
    // Which one of the three it is depends on the time of day.
    await expect(equity.getByRole('tabpanel')).toContainText(/Pending|Effective|[Nn]o corporate action|[Nn]one/)
    await watch.row('BRR').dblclick()
    const daily = watch.page.getByRole('region', { name: 'BRR', exact: true })
    await expect(daily.getByTitle('Frequency')).toHaveText('daily')
    await expect(daily.getByRole('switch', { name: 'Show every 200 ms' })).toHaveCount(0)
    await watch.row('BRTI').dblclick()
    const fast = watch.page.getByRole('region', { name: 'BRTI', exact: true })
    await expect(fast.getByRole('switch', { name: 'Show every 200 ms' })).toBeVisible()
  })

  await test.step('values tick, each shown as it was published, and none of them writes the settings', async () => {
    const before = await settingsFile()
    const seen = new Set<string | null>()
    await expect
      .poll(async () => {
        seen.add(await watch.published('BRTI'))
        return seen.size
      })
      .toBeGreaterThan(3)
    simulator.holdMarket()
    const time = Math.floor(Date.now() / 1_000) * 1_000
    simulator.publish('BRTI', { time: time + 1_000, value: '79767.340' })
    await watch.expectValue('BRTI', '79767.340', formatDecimal('79767.340'))
    simulator.publish('SHIBUSD_RTI', { time: time + 1_000, value: '1.3500e-5' })
    await watch.expectValue('SHIBUSD_RTI', '1.3500e-5', '0.000013500')
    expect(await settingsFile()).toEqual(before)
  })

  expect(running.pageErrors).toEqual([])
})
