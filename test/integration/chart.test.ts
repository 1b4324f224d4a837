import { expect, onTestFinished, test } from 'vitest'
import { storedValues } from '../../main/connections/known-values'
import { ServiceConnection } from '../../main/connections/service-connection'
import { SystemClock } from '../../main/base/clock'
import { distribute } from '../../main/app/received'
import type { ConnectionEvents } from '../../main/connections/connection-events'
import { Counters } from '../../main/base/log'
import { ChartSource } from '../../main/chart/chart-source'
import { Emitter } from '../../main/base/emitter'
import { IndexPage } from '../../main/index-page/index-page'
import { PageMemory } from '../../main/index-page/page-memory'
import { PastValues } from '../../main/quotes/past-values'
import { QuoteStore } from '../../main/quotes/quote-store'
import type { ChartPoint } from '../../protocol/responses'
import type { RequestedResolution } from '../../core/model'
import { startSimulator } from '../../simulator/server'
import { eventually } from '../support/eventually'
import { MemoryHistory } from '../support/memory-history'
import { noRules } from '../support/open-alerts'
import { RecordedLog } from '../support/recorded-log'

/** A chart of BRTI connected as in the app, with the simulator on real sockets. */
async function open(maxResolution: RequestedResolution) {
  const simulator = await startSimulator()
  const clock = new SystemClock()
  const fetched: string[] = []
  const store = new QuoteStore({ clock, onError: () => undefined })
  const page = new IndexPage({
    clock,
    memory: new PageMemory({ history: new MemoryHistory(), clock, log: new RecordedLog() }),
    source: () => undefined,
    onIdChange: () => undefined,
    onChange: () => undefined,
  })
  const pastValues = new PastValues({ clock, changeBase: () => 'sessionFirst' })
  const events = new Emitter<ConnectionEvents>(() => undefined)
  const history = new MemoryHistory()
  distribute(
    events,
    {
      clock,
      history,
      quotes: { store, pastValues, demote: () => undefined },
      pages: { all: () => [page] },
      rules: noRules,
    },
    () => undefined,
  )
  events.on('caughtUp', ({ id }) => fetched.push(id))
  const { wsUrl, restUrl, keyId, keySecret } = simulator
  const connection: ServiceConnection = new ServiceConnection({
    endpoint: { name: 'Test', isDemo: false, webSocketUrl: wsUrl, restUrl, keyId, keySecret },
    clock,
    log: new RecordedLog(),
    counters: new Counters(),
    events,
    known: storedValues(history),
    watchedByRules: () => new Set(),
    appVersion: '1.2.3',
    onStatus: () => chart.streamChanged(),
    onCatalogue: () => undefined,
  })
  const chart = new ChartSource({
    clock,
    history,
    service: () => connection,
    resolutionOf: (id) => connection.resolutionOf(id),
    latest: (id) => store.get(id),
    isEveryTick: () => maxResolution === 'PER_200MS',
  })
  store.events.on('received', ({ id, publication }) => chart.record(id, publication))
  onTestFinished(async () => {
    connection.dispose()
    page.dispose()
    await simulator.close()
  })
  chart.opened('BRTI')
  connection.setWanted([{ stream: 'value', id: 'BRTI', maxResolution }])
  connection.connect()
  await eventually(() => {
    expect(connection.resolutionOf('BRTI')).toBe('PER_200MS')
    expect(store.get('BRTI')?.source).toBe('stream')
    // The last request that the connection sends on its own.
    expect(fetched).toContain('BRTI')
  })
  return { simulator, chart, store, connection }
}

function expectSteps(points: readonly ChartPoint[], stepMs: number): void {
  const steps = new Set(points.slice(1).map((point, at) => point.publishedAtMs - (points[at]?.publishedAtMs ?? 0)))
  expect([...steps]).toEqual([stepMs])
}

test('an hour joins REST and stream exactly, without duplicates or gaps', async () => {
  const { simulator, chart, store, connection } = await open('PER_SECOND')
  const early = await chart.series('BRTI', '1h')
  const seamMs = early.points.at(-1)?.publishedAtMs ?? 0
  await eventually(() => expect(store.get('BRTI')?.publishedAtMs).toBeGreaterThanOrEqual(seamMs + 2_000))
  const requests = simulator.counts.requests
  const late = await chart.series('BRTI', '1h')
  // The range includes the end of the REST values and the start of the streamed ones.
  expect(simulator.counts.requests).toBe(requests)
  expect(late.points.at(-1)?.publishedAtMs).toBeGreaterThanOrEqual(seamMs + 2_000)
  for (const { points, problem } of [early, late]) {
    expect(problem).toBeUndefined()
    expect(points.length).toBeGreaterThan(3_590)
    expectSteps(points, 1_000)
  }
  const answer = await connection.rest?.values('BRTI')
  const exact = new Map(answer?.ok === true ? answer.value.map((each) => [each.publishedAtMs, each.value]) : [])
  for (const { publishedAtMs, value } of late.points.slice(10)) expect(exact.get(publishedAtMs)).toBe(value)
})

test('after a break the hour is whole again, amendments of the past included', async () => {
  const { simulator, chart, store } = await open('PER_SECOND')
  await chart.series('BRTI', '1h')
  const brokenAtMs = store.get('BRTI')?.publishedAtMs ?? 0
  simulator.dropConnections()
  await eventually(() => expect(store.get('BRTI')?.publishedAtMs).toBeGreaterThanOrEqual(brokenAtMs + 2_000))
  const time = brokenAtMs - 30_000
  simulator.publish('BRTI', { time, value: '12345.6000', amendTime: brokenAtMs })
  await expect
    .poll(async () => (await chart.series('BRTI', '1h')).points.find((point) => point.publishedAtMs === time))
    .toEqual({ value: '12345.6000', publishedAtMs: time, amendedAtMs: brokenAtMs })
  expectSteps((await chart.series('BRTI', '1h')).points, 1_000)
})
