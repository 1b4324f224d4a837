import { expect, onTestFinished, test } from 'vitest'
import { Counters } from '../../main/base/log'
import { Emitter } from '../../main/base/emitter'
import { SystemClock } from '../../main/base/clock'
import type { ConnectionEvents } from '../../main/connections/connection-events'
import type { CaughtUp, StayedUnknown } from '../../main/connections/catch-up'
import { storedValues, type KnownValues } from '../../main/connections/known-values'
import { ServiceConnection } from '../../main/connections/service-connection'
import type { IndexId, Publication } from '../../core/model'
import { startSimulator } from '../../simulator/server'
import { eventually } from '../support/eventually'
import { MemoryHistory } from '../support/memory-history'
import { RecordedLog } from '../support/recorded-log'
import { onError } from '../support/on-error'

const hourMs = 3_600_000

/** A connection to a simulator on the machine's clock. Records everything it reports. */
async function open(ids: readonly IndexId[], known: KnownValues = storedValues(new MemoryHistory())) {
  const simulator = await startSimulator()
  const events = new Emitter<ConnectionEvents>(onError)
  const caughtUp: CaughtUp[] = []
  const unknown: StayedUnknown[] = []
  const streamed: Publication[] = []
  events.on('caughtUp', (each) => caughtUp.push(each))
  events.on('stayedUnknown', (each) => unknown.push(each))
  events.on('published', ({ publication, source }) => {
    if (source === 'stream') streamed.push(publication)
  })
  const { wsUrl, restUrl, keyId, keySecret } = simulator
  const connection = new ServiceConnection({
    endpoint: { name: 'Test', isDemo: false, webSocketUrl: wsUrl, restUrl, keyId, keySecret },
    clock: new SystemClock(),
    log: new RecordedLog(),
    counters: new Counters(),
    events,
    known,
    watchedByRules: () => new Set(ids),
    appVersion: '1.2.3',
    onStatus: () => undefined,
    onCatalogue: () => undefined,
  })
  onTestFinished(async () => {
    connection.dispose()
    await simulator.close()
  })
  connection.setWanted(ids.map((id) => ({ stream: 'value', id, maxResolution: 'PER_SECOND' })))
  connection.connect()
  return { simulator, connection, caughtUp, unknown, streamed }
}

test('a value published while the connection was down arrives after the reconnect', async () => {
  const { simulator, connection, caughtUp, streamed } = await open(['BNBUSD_RTI'])
  await eventually(() => {
    expect(caughtUp).toHaveLength(1)
    expect(streamed.length).toBeGreaterThan(0)
  })
  await simulator.stop()
  const time = Math.floor(Date.now() / 1_000) * 1_000 + 1_000
  simulator.publish('BNBUSD_RTI', { time, value: '125000.00' })
  await new Promise((resolve) => setTimeout(resolve, 4_000))
  await simulator.start()
  connection.connect()
  await eventually(() => {
    const learned = caughtUp.slice(1).flatMap(({ publications }) => publications)
    expect(learned).toContainEqual({ value: '125000.00', publishedAtMs: time })
  })
  expect(streamed.some(({ publishedAtMs }) => publishedAtMs === time)).toBe(false)
})

test('fetches every tick of a night, or reports it as unknown without the permission', async () => {
  const hourStartMs = (Math.floor(Date.now() / hourMs) - 3) * hourMs
  const night = { fromMs: hourStartMs, toMs: hourStartMs + hourMs - 1 }
  const known: KnownValues = { missing: () => Promise.resolve([night]), recorded: () => Promise.resolve() }
  const { caughtUp, unknown } = await open(['BNBUSD_RTI', 'BVX'], known)
  await eventually(() => expect([caughtUp.length, unknown.length]).toEqual([1, 1]))
  expect(caughtUp).toMatchObject([{ id: 'BNBUSD_RTI', origin: 'catchUp', ...night }])
  expect(caughtUp[0]?.publications).toHaveLength(3_600)
  expect(unknown).toEqual([{ id: 'BVX', ...night }])
})

test('a requested past value is fetched with every tick, or the reason is given', async () => {
  const { connection, caughtUp } = await open([])
  await eventually(() => expect(connection.isCatalogueKnown).toBe(true))
  const atMs = Date.now() - 24 * hourMs
  expect(await connection.fetchAround('BRTI', atMs)).toEqual({ ok: true, value: null })
  const fetched = caughtUp.flatMap(({ publications }) => publications)
  expect(fetched).toHaveLength(18_000)
  expect(fetched.some(({ publishedAtMs }) => publishedAtMs === Math.floor(atMs / 200) * 200)).toBe(true)
  expect(await connection.fetchAround('BVX', atMs)).toMatchObject({ ok: false, problem: { code: 'badRequest' } })
})
