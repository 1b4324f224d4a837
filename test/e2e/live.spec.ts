import { formatDecimal } from '../../protocol/decimal'
import { addressOf } from '../../simulator/address'
import { expect, test } from '../support/app-test'

test('values tick, each shown as it was published', async ({ bench, simulator }) => {
  const { running, watch } = await bench.launchLive(addressOf(simulator))
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
  expect(running.pageErrors).toEqual([])
})

test('values come at second boundaries, and between them on request', async ({ bench, simulator }) => {
  const { watch } = await bench.launchLive(addressOf(simulator))
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
  await watch.chooseRowAction('BRTI', 'Every 200 ms')
  await expect(watch.row('BRTI')).toContainText(/\.[2468]00/)
})

test('an unknown id shows the reason of the service', async ({ bench, simulator }) => {
  const { watch } = await bench.launchLive(addressOf(simulator))
  await watch.add('NOSUCH_RTI')
  await expect(watch.row('NOSUCH_RTI')).toContainText('Refused: ')
  await expect(watch.row('NOSUCH_RTI')).toContainText('unknown id')
  await expect(watch.row('BRTI')).not.toContainText('Refused: ')
})

test('rows have names, a trend and a change as soon as the service has sent them', async ({ bench, simulator }) => {
  const { watch } = await bench.launchLive(addressOf(simulator))
  await expect(watch.row('BRTI')).toContainText('CME CF Bitcoin Real Time Index')
  await expect(watch.row('BRTI').locator('svg').first()).toBeVisible()
  // A daily rate changes against the publication before.
  await expect(watch.row('BRR')).toContainText(/[+−]\d/)
  await expect(watch.row('BRR')).toContainText('daily')
})

test('killed and back, three times: reconnecting with every value, then live with the list as it was', async ({
  bench,
  simulator,
}) => {
  const { running, watch } = await bench.launchLive(addressOf(simulator))
  const ids = await watch.ids()
  for (let round = 1; round <= 3; round++) {
    for (const id of ids) await expect(watch.value(id)).toHaveAttribute('data-value', /\d/)
    await simulator.stop()
    await watch.expectState('Reconnecting')
    for (const id of ids) await expect(watch.value(id)).toHaveAttribute('data-value', /\d/)
    const frozen = await watch.published('BRTI')
    await simulator.start()
    await expect(watch.connection).toContainText('Live')
    await expect.poll(() => watch.published('BRTI')).not.toBe(frozen)
    expect(await watch.ids()).toEqual(ids)
  }
  expect(running.pageErrors).toEqual([])
})

test('a key that is revoked while connected ends in one message, and is used again when it is good', async ({
  bench,
  simulator,
}) => {
  const { watch } = await bench.launchLive(addressOf(simulator))
  simulator.revokeKey()
  await watch.expectState('Not authorised')
  const { handshakes } = simulator.counts
  await watch.page.waitForTimeout(2_000)
  expect(simulator.counts.handshakes).toBe(handshakes)
  simulator.restoreKey()
  await watch.page.getByRole('button', { name: 'Try again' }).click()
  await watch.expectState('Live')
})
