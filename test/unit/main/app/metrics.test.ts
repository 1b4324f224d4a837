import { expect, test } from 'vitest'
import { Metrics } from '../../../../main/app/metrics'
import { Emitter } from '../../../../main/base/emitter'
import { FakeClock } from '../../../support/fake-clock'

type Context = ConstructorParameters<typeof Metrics>[0]['context']

function opened(names: readonly string[] = ['Desk']) {
  const onError = (error: unknown) => {
    throw error
  }
  const received = new Emitter<{ received: { id: string; publication: object } }>(onError)
  const changed = new Emitter<{ statusChanged: null }>(onError)
  const views = names.map((name, at) => ({ id: `c${at}`, name, isDemo: false, state: 'connecting' }))
  const context = {
    appVersion: '0.1.0',
    quotes: { store: { events: received, ageMs: () => 1_500.000_4 } },
    alerts: { events: new Emitter(onError) },
    connections: { events: changed, views },
    diagnostics: () => ({ counters: { 'feed.dropped': 3 } }),
  } as unknown as Context
  const redact = (text: string) => text.replaceAll('canary', '[redacted]')
  const metrics = new Metrics({ clock: new FakeClock(0), context, ids: () => ['BRTI'], redact, onError })
  const become = (state: string) => {
    for (const view of views) view.state = state
    changed.emit('statusChanged', null)
  }
  const receive = (publication: object) => {
    received.emit('received', { id: 'BRTI', publication })
  }
  const lines = () => metrics.text().split('\n')
  return { become, receive, lines }
}

test('ages, states, dropped messages and how often a connection came back are samples of their own', () => {
  const { become, lines } = opened()
  expect(lines()).toContain('indexwatch_index_age_seconds{index="BRTI"} 1.5')
  expect(lines()).toContain('indexwatch_connection_up{connection="Desk",demo="false"} 0')
  for (const state of ['live', 'reconnecting', 'live', 'live', 'reconnecting', 'live']) become(state)
  expect(lines()).toContain('indexwatch_connection_up{connection="Desk",demo="false"} 1')
  expect(lines()).toContain('indexwatch_connection_state{connection="Desk",demo="false",state="live"} 1')
  expect(lines()).toContain('indexwatch_reconnects_total{connection="Desk",demo="false"} 2')
  expect(lines()).toContain('indexwatch_dropped_frames_total 3')
})

test('an amendment counts once however often it is sent', () => {
  const { receive, lines } = opened()
  const amended = { value: '1', publishedAtMs: 1_000, amendedAtMs: 1_500 }
  for (const each of [amended, { ...amended, amendedAtMs: 1_700 }, amended, { value: '2', publishedAtMs: 2_000 }]) {
    receive(each)
  }
  expect(lines()).toContain('indexwatch_amendments_total 2')
})

test('names are escaped and redacted, and no two series have the same labels', () => {
  const { lines } = opened(['a "b" \\ canary', 'Desk', 'Desk'])
  const samples = lines().filter((line) => line.startsWith('indexwatch_connection_up'))
  expect(samples).toEqual([
    String.raw`indexwatch_connection_up{connection="a \"b\" \\ [redacted]",demo="false"} 0`,
    'indexwatch_connection_up{connection="Desk",demo="false"} 0',
    'indexwatch_connection_up{connection="Desk (2)",demo="false"} 0',
  ])
})
