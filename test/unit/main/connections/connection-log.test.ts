import { expect, test } from 'vitest'
import { ConnectionLog } from '../../../../main/connections/connection-log'
import type { ConnectionView } from '../../../../protocol/responses'
import { FakeClock } from '../../../support/fake-clock'

const live: ConnectionView = { id: 'a', name: 'Mine', isDemo: false, state: 'live', streamCount: 1, indexCount: 1 }

test('records each change of each connection once, with its time', () => {
  const clock = new FakeClock()
  const log = new ConnectionLog(clock)
  const startMs = clock.wallMs()
  const other: ConnectionView = { ...live, id: 'b', name: 'Other' }
  log.note([live, other])
  clock.advance(1_000)
  log.note([{ ...live, streamCount: 9 }, other])
  log.note([live, { ...other, state: 'reconnecting', problem: 'Lost.', retryInMs: 3 }])
  clock.advance(1_000)
  log.note([live])
  expect(log.entries()).toEqual([
    { atMs: startMs, connection: 'Mine', text: 'Live' },
    { atMs: startMs, connection: 'Other', text: 'Live' },
    { atMs: startMs + 1_000, connection: 'Other', text: 'Reconnecting. Lost.' },
    { atMs: startMs + 2_000, connection: 'Other', text: 'No longer in use' },
  ])
})

test('keeps the last two hundred', () => {
  const log = new ConnectionLog(new FakeClock())
  for (let change = 0; change < 300; change++) log.note([{ ...live, problem: `${change}` }])
  expect(log.entries()).toHaveLength(200)
  expect(log.entries().at(-1)?.text).toBe('Live. 299')
})
