import { describe, expect, test } from 'vitest'
import { distribute } from '../../../../main/app/received'
import { connectFormulas } from '../../../../main/app/formula-values'
import { Emitter } from '../../../../main/base/emitter'
import type { ConnectionEvents } from '../../../../main/connections/connection-events'
import { FormulaPast } from '../../../../main/quotes/formula-past'
import { Formulas } from '../../../../main/quotes/formulas'
import { RollingMeans } from '../../../../main/quotes/rolling-means'
import { maxValuesInPage } from '../../../../main/history-store/contract'
import { PastValues } from '../../../../main/quotes/past-values'
import type { Publication } from '../../../../core/model'
import { openAlerts, startMs } from '../../../support/open-alerts'
import { RecordedLog } from '../../../support/recorded-log'
import { levelDraft } from '../../../support/sample-alerts'
import { onError } from '../../../support/on-error'
import { valueOf } from '../../../support/value-of'

const basis = 'BRTI \u2212 ETH'
const id = basis

/** Formulas between the connections' events and the owners of values and rules, all of them real. */
async function opened(id = basis) {
  const alerts = await openAlerts()
  const { clock, history, quotes: store, engine } = alerts
  const failures: unknown[] = []
  const events = new Emitter<ConnectionEvents>(onError)
  const resolutionOf = () => 'PER_SECOND' as const
  const pastValues = new PastValues({ clock, changeBase: () => 'sessionFirst' })
  const decimalsOf = () => 2
  const means = new RollingMeans({
    ...{ history, onError },
    latestMs: (of) => store.get(of)?.publishedAtMs ?? clock.wallMs(),
    connectionOf: () => '',
  })
  const formulas = new Formulas({ clock, store, means, resolutionOf, decimalsOf, onError })
  const past = new FormulaPast({
    ...{ history, store, formulas, resolutionOf, decimalsOf, log: new RecordedLog() },
    onError: (error) => failures.push(error),
  })
  const quotes = { store, pastValues, demote: () => undefined }
  distribute(events, { clock, history, quotes, pages: { all: () => [] }, rules: engine }, () => undefined)
  store.events.on('received', (received) => means.add(received.id, [received.publication]))
  events.on('recorded', (recorded) => means.add(recorded.id, recorded.publications))
  connectFormulas({ events, pastValues, formulas, past, resolutionOf, decimalsOf })
  formulas.want(new Set([id]))
  means.watch(formulas.wantedMeans)
  const publish = (of: string, value: string, more: Partial<Publication> = {}) => {
    const publication = { value, publishedAtMs: clock.wallMs(), ...more }
    events.emit('published', { id: of, publication, source: 'stream', resolution: 'PER_SECOND' })
  }
  /** Both parts publish, and a second passes. */
  const both = (brti: string, eth: string) => {
    publish('BRTI', brti)
    clock.advance(3)
    publish('ETH', eth, { publishedAtMs: clock.wallMs() - 3 })
    clock.advance(997)
  }
  const settled = async () => {
    await engine.flush()
    await past.settled()
    await engine.flush()
  }
  /** The formula's history, as second, value and whether it was amended. */
  const fromHistory = async () => {
    const page = valueOf(await history.query('values', { id, fromMs: 0, toMs: clock.wallMs(), revisions: 'all' }))
    return page.values.map((each) => [
      (each.publishedAtMs - startMs) / 1_000,
      each.value,
      ...(each.amendedAtMs === undefined ? [] : ['amended']),
    ])
  }
  const titles = () => engine.inbox().map(({ indexId, kind }) => `${indexId}: ${kind}`)
  return { ...alerts, events, formulas, past, pastValues, publish, both, settled, fromHistory, titles, failures }
}

test('a formula has a history and a change, with one value for each time', async () => {
  const { both, settled, fromHistory, quotes, pastValues } = await opened()
  both('10', '4')
  both('100', '90')
  await settled()
  expect(await fromHistory()).toEqual([
    [0, '6.00'],
    [1, '10.00'],
  ])
  expect(quotes.get(id)).toMatchObject({ value: '10.00', source: 'stream' })
  expect(pastValues.facts(id).reference?.value).toBe('6.00')
})

test('an alert on a formula fires once, on values of both parts for the same time', async () => {
  const { engine, both, settled, fired } = await opened()
  await engine.create(levelDraft('50', { indexId: id }), 'wait', undefined)
  both('10', '4')
  // With both values of this second the difference would be 96.
  both('100', '90')
  await settled()
  expect(fired).toEqual([])
  both('160', '100')
  both('170', '100')
  await settled()
  expect(fired.map(({ indexId, inputs }) => [indexId, inputs.value])).toEqual([[id, '60.00']])
})

test('an amended part amends the formula and retracts its alert', async () => {
  const { engine, both, publish, settled, fromHistory, titles, clock } = await opened()
  await engine.create(levelDraft('50', { indexId: id }), 'wait', undefined)
  both('10', '4')
  both('160', '100')
  both('12', '4')
  await settled()
  expect(titles()).toEqual([`${id}: fired`])
  publish('BRTI', '105', { publishedAtMs: startMs + 1_000, amendedAtMs: clock.wallMs() })
  await settled()
  expect(await fromHistory()).toEqual([
    [0, '6.00'],
    [1, '60.00'],
    [1, '5.00', 'amended'],
    [2, '8.00'],
  ])
  expect(titles()).toEqual([`${id}: retracted`, `${id}: fired`])
})

test('an amended part amends every formula value computed from it', async () => {
  const { both, publish, settled, fromHistory, clock } = await opened()
  both('10', '4')
  // ETH is late, so each second of BRTI is computed with the last value of ETH.
  for (const value of ['11', '12', '13']) {
    publish('BRTI', value)
    clock.advance(1_000)
  }
  both('20', '5')
  publish('ETH', '3', { publishedAtMs: startMs, amendedAtMs: clock.wallMs() })
  await settled()
  expect((await fromHistory()).filter(([, , amended]) => amended === 'amended')).toEqual([
    [0, '7.00', 'amended'],
    [1, '8.00', 'amended'],
    [2, '9.00', 'amended'],
    [3, '10.00', 'amended'],
  ])
})

test('catches up with a missed amendment', async () => {
  const { both, events, settled, fromHistory } = await opened()
  both('10', '4')
  both('11', '4')
  const publications = [{ value: '15', publishedAtMs: startMs, amendedAtMs: startMs + 500 }]
  const range = { fromMs: startMs - 1_000, toMs: startMs + 1_000 }
  events.emit('caughtUp', { id: 'BRTI', resolution: 'PER_SECOND', publications, origin: 'catchUp', ...range })
  await settled()
  await settled()
  expect(await fromHistory()).toEqual([
    [0, '6.00'],
    [0, '11.00', 'amended'],
    [1, '7.00'],
  ])
})

test('fills in what both parts published in a gap, and fires late on it', async () => {
  const { engine, both, events, settled, fromHistory, titles, clock } = await opened()
  await engine.create(levelDraft('50', { indexId: id }), 'wait', undefined)
  both('10', '4')
  const missedFromMs = clock.wallMs()
  clock.advance(30_000)
  both('12', '4')
  const caughtUp = (of: string, values: readonly [number, string][]) =>
    events.emit('caughtUp', {
      id: of,
      resolution: 'PER_SECOND',
      origin: 'catchUp',
      publications: values.map(([second, value]) => ({ value, publishedAtMs: missedFromMs + 1_000 * second })),
      fromMs: startMs,
      toMs: clock.wallMs() - 1_000,
    })
  caughtUp('BRTI', [
    [0, '160'],
    [1, '161'],
  ])
  await settled()
  // One part is not enough: ETH may have moved too.
  expect(await fromHistory()).toHaveLength(2)
  caughtUp('ETH', [
    [0, '100'],
    [1, '150'],
  ])
  await settled()
  await settled()
  expect(await fromHistory()).toEqual([
    [0, '6.00'],
    [1, '60.00'],
    [2, '11.00'],
    [31, '8.00'],
  ])
  expect(titles()).toEqual([`${id}: lateFromHistory`])
  expect(engine.inbox()[0]).toMatchObject({ inputs: { value: '60.00' } })
})

test('a formula is unknown where a part is unknown', async () => {
  const { both, events, history } = await opened()
  both('10', '4')
  events.emit('stayedUnknown', { id: 'ETH', fromMs: startMs, toMs: startMs + 5_000 })
  const spans = await history.query('spans', { id, fromMs: 0, toMs: startMs + 10_000 })
  expect(spans).toMatchObject({ ok: true, value: [{ id, state: 'unknown', fromMs: startMs }] })
})

test('the day of a formula comes from the days of its parts', async () => {
  const { events, pastValues, formulas } = await opened()
  const day = (value: string) =>
    Array.from({ length: 60 }, (_, at) => ({ value, publishedAtMs: startMs - (60 - at) * 900_000 }))
  events.emit('dayFetched', { id: 'BRTI', publications: day('10') })
  expect(pastValues.facts(id)).toEqual({})
  events.emit('dayFetched', { id: 'ETH', publications: day('4') })
  expect(pastValues.past(id)?.[0]?.value).toBe('6.00')
  formulas.dispose()
})

test('a part amended more often than a page holds amends the formula once', async () => {
  const { both, publish, settled, fromHistory, history, clock } = await opened()
  both('10', '4')
  both('12', '4')
  await settled()
  let asked = 0
  const query = history.query.bind(history)
  history.query = (question, what) => {
    asked++
    return query(question, what)
  }
  for (let at = 1; at <= maxValuesInPage + 1; at++) {
    publish('BRTI', String(20 + at), { publishedAtMs: startMs, amendedAtMs: clock.wallMs() + at })
  }
  await settled()
  expect(asked).toBeLessThan(40)
  expect(await fromHistory()).toEqual([
    [0, '6.00'],
    [0, `${20 + maxValuesInPage + 1 - 4}.00`, 'amended'],
    [1, '8.00'],
  ])
})

test('a failed query does not affect later ones', async () => {
  const { both, publish, settled, fromHistory, history, clock, failures } = await opened()
  both('10', '4')
  both('12', '4')
  await settled()
  const query = history.query.bind(history)
  history.query = () => Promise.reject(new Error('planted'))
  publish('BRTI', '15', { publishedAtMs: startMs, amendedAtMs: clock.wallMs() })
  await settled()
  expect(failures).toEqual([new Error('planted')])
  history.query = query
  publish('BRTI', '16', { publishedAtMs: startMs, amendedAtMs: clock.wallMs() + 1 })
  await settled()
  expect((await fromHistory())[1]).toEqual([0, '12.00', 'amended'])
})

describe('a mean', () => {
  const meanId = 'mean(BRTI, 3)'

  async function openedMean() {
    const all = await opened(meanId)
    const { publish, clock, history, engine } = all
    /** BRTI publishes one value each second. Undefined is a gap. */
    const play = (...values: (string | undefined)[]) => {
      for (const value of values) {
        if (value !== undefined) publish('BRTI', value)
        clock.advance(1_000)
      }
    }
    /** Second, value, number of missing values and whether it was amended. */
    const kept = async () => {
      const page = valueOf(
        await history.query('values', { id: meanId, fromMs: 0, toMs: clock.wallMs(), revisions: 'all' }),
      )
      return page.values.map(({ publishedAtMs, value, missing = 0, amendedAtMs }) => [
        (publishedAtMs - startMs) / 1_000,
        value,
        missing,
        ...(amendedAtMs === undefined ? [] : ['amended']),
      ])
    }
    await engine.create(levelDraft('50', { indexId: meanId }), 'wait', undefined)
    return { ...all, play, kept }
  }

  test('is neither kept nor judged before its window has filled', async () => {
    const { play, kept, settled, fired, quotes } = await openedMean()
    play('10', '100')
    expect(quotes.get(meanId)).toMatchObject({ value: '55.00', missing: 1 })
    play('10')
    await settled()
    expect(await kept()).toEqual([[2, '40.00', 0]])
    expect(fired).toEqual([])
  })

  test('that has not filled does not fire an alert that is already met', async () => {
    const { engine, play, fired, quotes, settled } = await openedMean()
    play('60')
    const latest = quotes.get(meanId)
    expect(latest?.isFilling).toBe(true)
    await engine.create(levelDraft('55', { indexId: meanId }), 'fire', latest)
    await settled()
    expect(fired).toEqual([])
  })

  test('fires an alert once, and an amendment in its window retracts it', async () => {
    const { play, kept, publish, settled, titles, clock } = await openedMean()
    play('10', '10', '10', '160', '10')
    await settled()
    expect(titles()).toEqual([`${meanId}: fired`])
    publish('BRTI', '13', { publishedAtMs: startMs + 3_000, amendedAtMs: clock.wallMs() })
    await settled()
    await settled()
    expect(await kept()).toEqual([
      [2, '10.00', 0],
      [3, '60.00', 0],
      [3, '11.00', 0, 'amended'],
      [4, '60.00', 0],
      [4, '11.00', 0, 'amended'],
    ])
    expect(titles()).toEqual([`${meanId}: retracted`, `${meanId}: fired`])
  })

  test('is amended at each second whose window a late value completes', async () => {
    const { play, kept, publish, settled } = await openedMean()
    play('10', '12', '14', undefined, '16', '18', '20')
    publish('BRTI', '15', { publishedAtMs: startMs + 3_000 })
    await settled()
    await settled()
    expect(await kept()).toEqual([
      [2, '12.00', 0],
      [3, '13.67', 0],
      [4, '15.00', 1],
      [4, '15.00', 0, 'amended'],
      [5, '17.00', 1],
      [5, '16.33', 0, 'amended'],
      [6, '18.00', 0],
    ])
  })

  test('is filled in where its index was caught up, and fires late', async () => {
    const { play, kept, events, settled, titles, clock } = await openedMean()
    play('10', '10', '10')
    clock.advance(30_000)
    play('10', '10', '10')
    const publications = Array.from({ length: 30 }, (_, at) => ({
      value: at === 10 ? '160' : '10',
      publishedAtMs: startMs + (3 + at) * 1_000,
    }))
    const range = { fromMs: startMs + 2_000, toMs: startMs + 32_000 }
    events.emit('caughtUp', { id: 'BRTI', resolution: 'PER_SECOND', publications, origin: 'catchUp', ...range })
    await settled()
    await settled()
    const seconds = await kept()
    expect(seconds).toHaveLength(34)
    expect(seconds.filter(([, value]) => value === '60.00')).toEqual([
      [13, '60.00', 0],
      [14, '60.00', 0],
      [15, '60.00', 0],
    ])
    expect(titles()).toEqual([`${meanId}: lateFromHistory`])
  })

  test('has no past from steps of minutes', async () => {
    const { events, pastValues } = await openedMean()
    const day = Array.from({ length: 60 }, (_, at) => ({ value: '10', publishedAtMs: startMs - (60 - at) * 900_000 }))
    events.emit('dayFetched', { id: 'BRTI', publications: day })
    expect(pastValues.past(meanId)).toBeUndefined()
  })
})
