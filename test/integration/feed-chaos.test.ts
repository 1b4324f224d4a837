import { expect, test } from 'vitest'
import { eventually } from '../support/eventually'
import { openFeed } from '../support/open-feed'
import { openSlowLine } from '../support/slow-line'
import { ScriptedService } from '../support/scripted-service'

test('a connection that delivers a few bytes at a time loses nothing', async () => {
  const far = await ScriptedService.start()
  const port = await openSlowLine(far.port)
  const { session, heard, reached } = await openFeed({ url: `ws://127.0.0.1:${port}/ws/v4` })
  session.connect()
  await reached('live')
  await eventually(() => expect(far.commands).toHaveLength(2))
  const values = Array.from({ length: 50 }, (_, count) => `79767.${String(count).padStart(2, '0')}`)
  for (const [count, value] of values.entries()) far.sendValue('BRTI', value, Date.UTC(2023, 10, 1, 12) + count * 1_000)
  // Checked between values, because all of them take long on a busy machine.
  for (const count of values.keys()) await eventually(() => expect(heard.published.length).toBeGreaterThan(count))
  expect(heard.published.map(({ publication }) => publication.value)).toEqual(values)
  expect(heard.order.filter((each) => each === 'wentLive')).toHaveLength(1)
  await far.stop()
})

test('a flood of pings ends the connection, and the next one delivers values', async () => {
  const { service, clock, heard, connect, reached, plannedRetryMs } = await openFeed()
  await connect()
  // ws answers at most this many at once.
  service.sendBytes(Buffer.alloc(2 * 20_000, Buffer.from([0x89, 0x00])))
  await reached('reconnecting')
  clock.advance(await plannedRetryMs())
  await reached('live')
  await eventually(() => expect(service.commands).toHaveLength(4))
  service.sendValue('BRTI', '79767.34')
  await eventually(() => expect(heard.published).toHaveLength(1))
})
