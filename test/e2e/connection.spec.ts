import { connectionVariables } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { addressOf } from '../support/scripted-rest'
import { ScriptedService } from '../support/scripted-service'

function subscribed(of: ScriptedService): string[] {
  const commands = of.commands as { type: string; stream?: string; id?: string }[]
  const values = commands.filter(({ type, stream }) => type === 'subscribe' && stream === 'value')
  return values.flatMap(({ id }) => id ?? []).sort()
}

test('a refused key has one message and no retry, and works once it is accepted', async ({ bench, service }) => {
  service.welcome = { status: 401 }
  service.routes.set('indices', { status: 401, body: '{"error":"Unauthorized"}' })
  const running = await bench.launch([], connectionVariables(addressOf(service)))
  const watch = await running.watch()
  await watch.expectState('Alerts are off: the provider refuses the key')
  await expect(watch.page.getByRole('region', { name: 'Connection problem' })).toContainText('refused this key')
  await expect(watch.page.getByText('refused this key')).toHaveCount(1)
  await watch.page.waitForTimeout(3_000)
  expect(service.handshakes).toHaveLength(1)
  // An index is open beside the list from the start.
  await expect(watch.page.getByRole('region', { name: 'BRTI', exact: true })).toBeVisible()
  expect(service.requests.map(({ path }) => path)).toEqual([])
  service.welcome = 'accept'
  await watch.page.getByRole('button', { name: 'Try again' }).click()
  await watch.expectState('Live')
  expect(service.handshakes).toHaveLength(2)
  expect(service.handshakes[1]?.authorization).toBe(service.handshakes[0]?.authorization)

  // The message is now about REST. The stream's own message is gone.
  await expect.poll(() => service.requests.length).toBeGreaterThan(0)
  await expect.poll(async () => JSON.stringify(await watch.snapshot())).toContain('refused this key')
  service.sendValue('BRTI', '1.00', Date.now())
  await watch.expectValue('BRTI', '1.00', '1.00')
})

test('a row shows its refusal, its ticks and, without the service, its last value', async ({ bench, service }) => {
  const { running, watch } = await bench.launchLive(addressOf(service))
  const addToList = (indexId: string) => watch.ask('addIndex', { listId: 'watchlist', indexId })

  await test.step('requests are as in the protocol, with the key in the header', async () => {
    const { keyId, keySecret } = addressOf(service)
    const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
    await expect.poll(() => service.commands).toContainEqual({ type: 'subscribe', stream: 'value', id: 'BRTI' })
    expect(service.commands).toContainEqual({ type: 'info' })
    expect(JSON.stringify(service.commands)).not.toContain('PER_200MS')
    expect(service.handshakes[0]?.authorization).toBe(authorization)
    await expect.poll(() => service.requests.map(({ path }) => path)).toContain('indices')
    expect(service.requests.every(({ headers }) => headers.authorization === authorization)).toBe(true)
  })

  await test.step('a refused id says why, and is requested again only when the user adds it again', async () => {
    await addToList('NOSUCH_RTI')
    await expect.poll(() => subscribed(service)).toContain('NOSUCH_RTI')
    const refusal = { type: 'subscribe', stream: 'value', id: 'NOSUCH_RTI', success: false, reason: 'Unrecognised id' }
    service.send(refusal)
    await expect(watch.row('NOSUCH_RTI')).toContainText('Unrecognised id')
    const count = () => subscribed(service).filter((id) => id === 'NOSUCH_RTI').length
    await watch.ask('setPreferences', { theme: 'dark' })
    await addToList('BRRNY')
    await expect.poll(() => subscribed(service)).toContain('BRRNY')
    expect(count()).toBe(1)
    await addToList('NOSUCH_RTI')
    await expect.poll(count).toBe(2)
    await expect(watch.row('NOSUCH_RTI')).not.toContainText('Unrecognised id')
  })

  await test.step('ticks are subscribed to on request, and unsubscribed when no longer wanted', async () => {
    const fast = { type: 'subscribe', stream: 'value', id: 'BRTI', maxResolution: 'PER_200MS' }
    await watch.chooseRowAction('BRTI', 'Every 200 ms')
    await expect.poll(() => service.commands).toContainEqual(fast)
    const asked = service.commands.length
    await watch.chooseRowAction('BRTI', 'Every 200 ms')
    await expect
      .poll(() => service.commands.slice(asked))
      .toContainEqual(expect.objectContaining({ type: 'unsubscribe', id: 'BRTI' }))
  })

  const ids = await watch.ids()
  service.sendValue('BRTI', '79767.340', Date.now() - 90_000)
  await watch.expectValue('BRTI', '79767.340', '79,767.340')
  await running.quit()
  const { port } = service
  await service.stop()

  await test.step('without the service the last values are shown, marked as cached, with their age', async () => {
    const again = await (await bench.launch([], connectionVariables(addressOf(service)))).watch()
    expect(await again.ids()).toEqual(ids)
    await again.expectValue('BRTI', '79767.340', '79,767.340')
    await expect(again.row('BRTI')).toContainText('cached')
    await expect(again.row('BRTI')).toContainText('1 min')
    await again.expectState('Offline')

    const back = await ScriptedService.start({ port })
    await again.expectState('Live')
    back.sendValue('BRTI', '79768.000', Date.now())
    await again.expectValue('BRTI', '79768.000', '79,768.000')
    await expect(again.row('BRTI')).not.toContainText('cached')
    await back.stop()
  })
})
