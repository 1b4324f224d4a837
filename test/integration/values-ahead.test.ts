import type { TimeRange } from '../../core/ranges'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AlertEngine } from '../../main/alerts/engine'
import { distribute } from '../../main/app/received'
import { Counters } from '../../main/base/log'
import { Emitter } from '../../main/base/emitter'
import type { ConnectionEvents } from '../../main/connections/connection-events'
import { ServiceConnection } from '../../main/connections/service-connection'
import type { IndexPage } from '../../main/index-page/index-page'
import { PastValues } from '../../main/quotes/past-values'
import { QuoteStore } from '../../main/quotes/quote-store'
import type { StoredValue } from '../../main/history-store/contract'
import { eventually } from '../support/eventually'
import { FakeClock } from '../support/fake-clock'
import { MemoryHistory } from '../support/memory-history'
import { valueOf } from '../support/value-of'
import { RecordedLog } from '../support/recorded-log'
import { levelDraft } from '../support/sample-alerts'
import { ScriptedService } from '../support/scripted-service'
import { onError } from '../support/on-error'

const noonMs = Date.UTC(2026, 10, 26, 12)
const second = 1_000
const hour = 3_600_000

interface Row {
  time: number
  value: string
}

/**
 * A service with the right time and a computer whose clock is wrong by `wrongByMs`, with rules at 100, combined as in
 * the app. Time passes only when the test advances it.
 */
async function open({ wrongByMs = 0, hasRest = true, saysTime = true } = {}) {
  const service = await ScriptedService.start()
  const clock = new FakeClock(noonMs + wrongByMs)
  const startMs = clock.monotonicMs()
  const trueMs = () => noonMs + clock.monotonicMs() - startMs
  const events = new Emitter<ConnectionEvents>(onError)
  const history = new MemoryHistory()
  const counters = new Counters()
  const notices: string[] = []
  const taken: string[] = []
  const recorded: string[] = []
  events.on('notice', (notice) => notices.push(notice))
  const answers: Record<string, unknown> = {
    indices: [{ id: 'BRTI', name: 'Bitcoin', decimals: 2, maxResolution: 'PER_SECOND' }],
    latest_values: { latest_values: { BRTI: { time: noonMs - second, value: '99' } } },
    summaries: { summaries: { BRTI: { time: noonMs - second, value: '99', values: [] } } },
    values: [{ time: noonMs - second, value: '99' }],
  }
  service.answerOthers = (request, response) => {
    const path = (request.url ?? '').replace(/^\/api\/v1\//, '').split('?')[0] ?? ''
    const payload = answers[path]
    const now = new Date(trueMs())
    response.writeHead(payload === undefined ? 404 : 200, {
      'Content-Type': 'application/json',
      ...(!saysTime && { Date: now.toUTCString() }),
    })
    response.end(JSON.stringify({ ...(saysTime && { serverTime: now.toISOString() }), payload }))
  }
  let looks = 0
  const gaps: TimeRange[] = []
  const connection = new ServiceConnection({
    endpoint: {
      name: 'Desk',
      isDemo: false,
      webSocketUrl: service.webSocketUrl,
      ...(hasRest && { restUrl: service.restUrl }),
      keyId: 'reader',
      keySecret: 'correct horse',
    },
    clock,
    log: new RecordedLog(),
    counters,
    events,
    known: {
      missing: () => {
        looks++
        return Promise.resolve(gaps)
      },
      recorded: () => Promise.resolve(),
    },
    watchedByRules: () => new Set(['BRTI']),
    appVersion: '1.2.3',
    onStatus: () => undefined,
    onCatalogue: () => undefined,
  })
  const store = new QuoteStore({ clock, onError })
  const quotes = {
    store,
    pastValues: new PastValues({ clock, changeBase: () => 'sessionFirst' }),
    demote: () => undefined,
  }
  const page = { corporateActionPublished: () => undefined } as unknown as IndexPage
  let ids = 0
  const rules = new AlertEngine({
    clock,
    newId: () => `e${++ids}`,
    log: new RecordedLog(),
    history,
    cadenceOf: () => 'PER_SECOND',
    originOf: () => ({ connection: 'Desk', isDemo: false }),
  })
  await rules.use()
  const everyTime = { repeat: { mode: 'everyCrossing' } } as const
  await rules.create({ ...levelDraft('100'), ...everyTime }, 'wait', undefined)
  await rules.create({ ...levelDraft('100', { condition: 'fallsTo' }), ...everyTime }, 'wait', undefined)
  distribute(events, { clock, history, quotes, pages: { all: () => [page] }, rules }, () => connection)
  store.events.on('changed', ({ previous, next }) => rules.consider(previous, next))
  store.events.on('past', ({ id, publication }) => rules.considerPast(id, publication))
  events.on('published', ({ publication }) => taken.push(publication.value))
  events.on('recorded', ({ publications }) => recorded.push(...publications.map(({ value }) => value)))
  onTestFinished(async () => {
    connection.dispose()
    await service.stop()
  })
  connection.setWanted([{ stream: 'value', id: 'BRTI', maxResolution: 'PER_SECOND' }])
  let days = 0
  events.on('dayFetched', () => days++)
  /** Waits until no request is running. An answer during which time passed would be inexact. */
  const connected = async (times = 1) => {
    await eventually(() => {
      expect(service.commands).toContainEqual(expect.objectContaining({ stream: 'active_corporate_action' }))
      if (hasRest) expect([looks, days]).toEqual([times, 1])
    })
  }
  let sent = 0
  const opened = {
    ...{
      service,
      clock,
      history,
      store,
      counters,
      notices,
      taken,
      recorded,
      answers,
      gaps,
      connection,
      trueMs,
      connected,
    },
    /** Sends values on the stream and waits until all were received. */
    send: async (...values: { value: string; aheadMs?: number }[]) => {
      for (const { value, aheadMs = 0 } of values) service.sendValue('BRTI', value, trueMs() + aheadMs)
      // Sent after them on the same connection.
      const time = noonMs + ++sent
      service.send({ type: 'active_corporate_action', time, id: 'BRTI', action: null })
      await eventually(() => expect(marks).toContain(time))
    },
    /** A correct value each second. */
    publish: async (...values: string[]) => {
      for (const value of values) {
        clock.advance(second)
        await opened.send({ value })
      }
    },
    fired: async () => {
      await rules.flush()
      return rules
        .inbox()
        .toReversed()
        .map(({ kind, terms, inputs }) => `${kind} ${terms.condition} ${inputs.value ?? ''}`)
    },
    fromHistory: async () => {
      const { values } = valueOf(await history.query('values', { id: 'BRTI', fromMs: 0, toMs: 1e15, revisions: 'all' }))
      return values.map(({ value }: StoredValue) => value)
    },
    latest: () => store.get('BRTI')?.value,
  }
  const marks: number[] = []
  events.on('corporateActionPublished', ({ publishedAtMs }) => marks.push(publishedAtMs))
  connection.setWanted([
    { stream: 'value', id: 'BRTI', maxResolution: 'PER_SECOND' },
    { stream: 'active_corporate_action', id: 'BRTI' },
  ])
  connection.connect()
  await connected()
  return opened
}

const clocks: [string, number][] = [
  ['right', 0],
  ['an hour behind', -hour],
  ['an hour ahead', hour],
]

describe.each(clocks)("if the computer's clock is %s", (_, wrongByMs) => {
  test('a value 299 s ahead fires, doubles and freezes nothing before its time', async () => {
    const { clock, send, publish, fired, fromHistory, latest, notices, counters } = await open({ wrongByMs })
    await publish('98.5', '98.6', '98.7', '99')
    await send({ value: '98', aheadMs: 299 * second })
    await publish('99.1', '101', '99', '102', '103')
    expect(await fired()).toEqual(['fired risesTo 101', 'fired fallsTo 99', 'fired risesTo 102'])
    expect(latest()).toBe('103')
    expect(await fromHistory()).not.toContain('98')
    clock.advance(293 * second)
    expect(await fired()).toHaveLength(3)
    clock.advance(second)
    expect((await fired()).slice(3)).toEqual(['fired fallsTo 98'])
    expect(latest()).toBe('98')
    expect(await fromHistory()).toContain('98')
    expect(counters.read()['values.aheadOfTime']).toBe(1)
    expect(notices.filter((notice) => notice.includes('dated 299 s in the future'))).toHaveLength(1)
  })

  test.each([
    [1, 'counts at once'],
    [3, 'waits'],
    [299, 'waits'],
    [301, 'waits'],
  ])('a stream value %i s ahead %s', async (aheadS, what) => {
    const { clock, send, publish, taken } = await open({ wrongByMs })
    await publish('99', '99', '99', '99')
    await send({ value: '98', aheadMs: aheadS * second })
    expect(taken.includes('98')).toBe(what === 'counts at once')
    clock.advance(aheadS * second - 1)
    expect(taken.includes('98')).toBe(what === 'counts at once')
    clock.advance(1)
    expect(taken.filter((value) => value === '98')).toHaveLength(1)
  })

  test.each([
    [1, 'counts at once'],
    [3, 'waits'],
    [299, 'waits'],
    [301, 'waits'],
  ])('the latest REST value %i s ahead after a reconnect %s', async (aheadS, what) => {
    const { clock, publish, taken, answers, trueMs, service, connection, connected, latest } = await open({ wrongByMs })
    await publish('99', '99', '99', '99')
    const row: Row = { time: trueMs() + aheadS * second, value: '98' }
    answers['latest_values'] = { latest_values: { BRTI: row } }
    clock.advance(8 * second)
    row.time = trueMs() + aheadS * second
    service.commands.length = 0
    connection.connect()
    await connected(2)
    await publish('101')
    const isThere = what === 'counts at once'
    expect(taken.includes('98')).toBe(isThere)
    if (!isThere) expect(latest()).toBe('101')
    clock.advance(aheadS * second)
    expect(taken.filter((value) => value === '98')).toHaveLength(1)
  })

  test.each([
    [1, 'counts at once'],
    [3, 'waits'],
    [299, 'waits'],
  ])('a caught-up value %i s ahead %s, and earlier ones are caught up', async (aheadS, what) => {
    const { clock, publish, answers, gaps, trueMs, fromHistory, history, taken, recorded } = await open({ wrongByMs })
    await publish('99', '99', '99', '99')
    clock.advance(8 * second)
    const ahead: Row = { time: trueMs() + second + aheadS * second, value: '98' }
    answers['values'] = [{ time: trueMs() - 4 * second, value: '99.5' }, ahead]
    gaps.push({ fromMs: trueMs() - 8 * second, toMs: trueMs() })
    await publish('99.9')
    await eventually(() => expect(recorded).toContain('99.5'))
    expect((await fromHistory()).includes('98')).toBe(what === 'counts at once')
    const spans = valueOf(await history.query('spans', { id: 'BRTI', fromMs: 0, toMs: 1e15 }))
    expect(Math.max(...spans.map(({ toMs }) => toMs))).toBeLessThanOrEqual(trueMs() + 2 * second)
    if (what === 'counts at once') return
    clock.advance(aheadS * second)
    expect(taken.filter((value) => value === '98')).toHaveLength(1)
  })
})

test("the time in a header alone counts as the service's time", async () => {
  const { send, publish, latest } = await open({ saysTime: false })
  await send({ value: '98', aheadMs: 299 * second })
  await publish('101')
  expect(latest()).toBe('101')
})

test('without REST the pace of the stream decides what is ahead', async () => {
  for (const wrongByMs of [0, hour]) {
    const { clock, send, publish, fired, latest, taken } = await open({ wrongByMs, hasRest: false })
    await publish('98.6', '98.7', '99', '99')
    await send({ value: '98', aheadMs: 299 * second })
    await publish('99.1', '101')
    expect(latest()).toBe('101')
    expect(await fired()).toEqual(['fired risesTo 101'])
    clock.advance(297 * second)
    expect(taken.at(-1)).toBe('98')
  }
})

test('values that stay ahead of the pace become the pace', async () => {
  const { send, publish, clock, latest, taken } = await open({ hasRest: false })
  const lateBy30 = { aheadMs: -30 * second }
  for (const value of ['1', '2', '3', '4']) {
    clock.advance(second)
    await send({ value, ...lateBy30 })
  }
  await publish('5', '6')
  expect(latest()).toBe('4')
  await publish('7', '8')
  expect(taken).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
})
