import { connectionVariables } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { addressOf } from '../support/scripted-rest'

// A program that speaks the spec and nothing more: no REST, no answer to info.
test('its values are shown digit for digit, in every notation the spec allows, and nothing unreadable changes any', async ({
  bench,
  service,
}) => {
  service.routes.clear()
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

  await test.step('nothing unreadable changes anything', async () => {
    service.sendValue('BRTI', '100.10', time + 1_000)
    await watch.expectValue('BRTI', '100.10', '100.10')
    const ids = await watch.ids()
    const frames = [
      '{bad json',
      'null',
      '42',
      '[]',
      '{"type":"value","id":"BRTI"}',
      `{"type":"value","id":"BRTI","time":${time + 1_001},"value":101}`,
      `{"type":"value","id":"BRTI","time":${time + 1_001},"value":"0x10"}`,
      `{"type":"value","id":"BRTI","time":${time + 1_001},"value":"NaN"}`,
      `{"type":"value","id":"__proto__","time":${time + 1_001},"value":"1"}`,
      `{"type":"value","id":"BRTI","time":${time + 600_000_000},"value":"999"}`,
      `{"type":"value","id":"UNASKED","time":${time + 1_001},"value":"1"}`,
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
    service.sendValue('BRTI', '100.20', time + 1_001)
    await watch.expectValue('BRTI', '100.20', '100.20')
  })
  expect(running.pageErrors).toEqual([])
})
