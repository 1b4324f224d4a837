import { connectionVariables } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { addressOf } from '../support/scripted-rest'

// A program that speaks the spec and nothing more: no REST, no answer to info.
test.beforeEach(({ service }) => {
  service.routes.clear()
})

test('shows its values digit for digit, in every notation the spec allows', async ({ bench, service }) => {
  const { ws, keyId, keySecret } = addressOf(service)
  const running = await bench.launch([], connectionVariables({ ws, keyId, keySecret }))
  const watch = await running.watch()
  await watch.expectState('Live')
  await expect(watch.page.getByText('Environment', { exact: true })).toBeVisible()
  const time = Date.now() - 1_500
  service.send({ type: 'value', id: 'BRTI', time, value: '79767.3400' })
  // The field table of the spec makes `time` a string.
  service.send({ type: 'value', id: 'SHIBUSD_RTI', time: String(time), value: '1.3500e-5' })
  service.send({ type: 'value', id: 'NCI', time, value: '123456789012345678901234567890.000000000000000001' })
  service.send({ type: 'value', id: 'ETH_SRR', time, value: '1e-40', later: { unknown: ['field'] } })
  service.send({ type: 'value', id: 'BRR', time, value: '-0.0' })
  await watch.expectValue('BRTI', '79767.3400', '79,767.3400')
  await watch.expectValue('SHIBUSD_RTI', '1.3500e-5', '0.000013500')
  await watch.expectValue(
    'NCI',
    '123456789012345678901234567890.000000000000000001',
    '123,456,789,012,345,678,901,234,567,890.000000000000000001',
  )
  await watch.expectValue('ETH_SRR', '1e-40', '1e-40')
  await watch.expectValue('BRR', '-0.0', '0.0')
  expect(running.pageErrors).toEqual([])
})

test('is asked for what the spec describes, with the key in the header', async ({ bench, service }) => {
  await bench.launchLive(addressOf(service))
  await expect.poll(() => service.commands).toContainEqual({ type: 'subscribe', stream: 'value', id: 'BRTI' })
  expect(service.commands).toContainEqual({ type: 'info' })
  expect(JSON.stringify(service.commands)).not.toContain('PER_200MS')
  const credentials = Buffer.from('e2e-key:e2e-canary-4c1f9d').toString('base64')
  expect(service.handshakes[0]?.authorization).toBe(`Basic ${credentials}`)
  await expect.poll(() => service.requests.map(({ path }) => path)).toContain('indices')
  expect(service.requests.every(({ headers }) => headers.authorization === `Basic ${credentials}`)).toBe(true)
})

test('nothing unreadable changes anything', async ({ bench, service }) => {
  const { running, watch } = await bench.launchLive(addressOf(service))
  const time = Date.now()
  service.sendValue('BRTI', '100.10', time)
  await watch.expectValue('BRTI', '100.10', '100.10')
  const ids = await watch.ids()
  const frames = [
    '{bad json',
    'null',
    '42',
    '[]',
    '{"type":"value","id":"BRTI"}',
    `{"type":"value","id":"BRTI","time":${time + 1},"value":101}`,
    `{"type":"value","id":"BRTI","time":${time + 1},"value":"0x10"}`,
    `{"type":"value","id":"BRTI","time":${time + 1},"value":"NaN"}`,
    `{"type":"value","id":"__proto__","time":${time + 1},"value":"1"}`,
    `{"type":"value","id":"BRTI","time":${time + 600_000_000},"value":"999"}`,
    `{"type":"value","id":"UNASKED","time":${time + 1},"value":"1"}`,
    '{"type":"surprise","id":"BRTI"}',
    '['.repeat(5_000),
  ]
  for (const frame of frames) service.send(frame)
  service.sendValue('ETHUSD_RTI', '7.00', time)
  await watch.expectValue('ETHUSD_RTI', '7.00', '7.00')
  await watch.expectValue('BRTI', '100.10', '100.10')
  expect(await watch.ids()).toEqual(ids)
  await watch.expectState('Live')
  expect(service.handshakes).toHaveLength(1)
  // The control: what is readable does change it.
  service.sendValue('BRTI', '100.20', time + 1)
  await watch.expectValue('BRTI', '100.20', '100.20')
  expect(running.pageErrors).toEqual([])
})
