import fc from 'fast-check'
import Database from 'libsql'
import { describe, expect, test } from 'vitest'
import {
  maxSnapshotsInPart,
  type QueryName,
  type Queries,
  type RuleFiring,
  type StoredValue,
  type WriteBatch,
} from '../../../../main/history-store/contract'
import { prepareSchema, type HistoryDatabase } from '../../../../main/history-store/schema'
import { HistoryTables } from '../../../../main/history-store/tables'
import type { AlertEvent } from '../../../../core/alert-events'
import { MemoryHistory } from '../../../support/memory-history'
import { historyStartMs as startMs, storedValue as valueOf } from '../../../support/history-thread'
import { examples } from '../../../support/examples'

const minuteMs = 60_000

async function openHistory(...turns: WriteBatch[]) {
  const history = new MemoryHistory()
  for (const turn of turns) await history.commit(turn)
  const query = async <Q extends QueryName>(name: Q, params: Queries[Q]['params']) => {
    const answer = await history.query(name, params)
    if (!answer.ok) throw new Error(answer.problem.message)
    return answer.value
  }
  return { history, query }
}

const whole = { fromMs: 0, toMs: startMs + 86_400_000 }

describe('values', () => {
  test('come back exactly as they were published, with all that is known of them', async () => {
    const values = [
      valueOf(0, '68000.10'),
      valueOf(1, '-0.00'),
      valueOf(2, '1.0E-7', { isRepeatOfPrevious: true, missing: 2 }),
      valueOf(3, '00123', { origin: 'catchUp', connection: 'My "own" one' }),
      valueOf(3, '124', { amendedAtMs: startMs + 9_000 }),
    ]
    const { query } = await openHistory({ values })
    expect(await query('values', { id: 'BRTI', revisions: 'all', ...whole })).toEqual({ values })
    expect(await query('latest', null)).toEqual([values[4]])
    expect(await query('values', { id: 'NONE', revisions: 'all', ...whole })).toEqual({ values: [] })
  })

  test('are stored once as first received, and a batch returns the new ones', async () => {
    const { history, query } = await openHistory({ values: [valueOf(5, '100')] })
    const again = [
      valueOf(5, '100', { learnedAtMs: startMs + 99_000, origin: 'catchUp' }),
      valueOf(3, '98', { origin: 'catchUp' }),
      valueOf(4, '99', { origin: 'catchUp' }),
      valueOf(5, '101', { amendedAtMs: startMs + 60_000, id: 'ETHUSD_RTI' }),
    ]
    expect(await history.commit({ values: again })).toEqual({
      ok: true,
      value: [
        { id: 'BRTI', fromMs: startMs + 3_000 },
        { id: 'ETHUSD_RTI', fromMs: startMs + 5_000 },
      ],
    })
    const { values } = await query('values', { id: 'BRTI', revisions: 'all', ...whole })
    expect(values.map(({ value, origin }) => [value, origin])).toEqual([
      ['98', 'catchUp'],
      ['99', 'catchUp'],
      ['100', 'stream'],
    ])
  })

  test('count as new if the write was never confirmed', async () => {
    const { history } = await openHistory({ values: [valueOf(5, '100')] })
    expect(history.store.commit([{ values: [valueOf(5, '100')] }], true)).toEqual([
      { id: 'BRTI', fromMs: startMs + 5_000 },
    ])
  })

  test.each([
    ['one way', ['100', '99']],
    ['the other', ['99', '100']],
  ])('of two texts for one revision the same stays, arriving %s', async (_, texts) => {
    const { query } = await openHistory(...texts.map((text) => ({ values: [valueOf(0, text)] })))
    expect((await query('latest', null)).map(({ value }) => value)).toEqual(['99'])
  })

  test('of one time are of one connection, and another’s are not revisions', async () => {
    const by = (name: string) => ({ connection: name, connectionId: `id of ${name}` })
    const { history, query } = await openHistory({ values: [valueOf(1, '100', by('A')), valueOf(2, '101', by('A'))] })
    const values = [
      valueOf(1, '999', by('B')),
      valueOf(2, '50', { ...by('B'), amendedAtMs: startMs + 9_000 }),
      valueOf(3, '51', by('B')),
      valueOf(2, '102', { ...by('A'), connection: 'A renamed', amendedAtMs: startMs + 9_000 }),
    ]
    expect(await history.commit({ values })).toEqual({
      ok: true,
      value: [{ id: 'BRTI', fromMs: startMs + 2_000 }],
    })
    const kept = await query('values', { id: 'BRTI', revisions: 'latest', ...whole })
    expect(kept.values.map(({ value, connection, connectionId }) => [value, connection, connectionId])).toEqual([
      ['100', 'A', 'id of A'],
      ['102', 'A renamed', 'id of A'],
      ['51', 'B', 'id of B'],
    ])
  })

  test('are read in pages, with all revisions or the latest, even if a page ends between revisions', async () => {
    const values = Array.from({ length: 20 }, (_, at) => [
      valueOf(at, `${at}`),
      ...(at % 3 === 0 ? [valueOf(at, `${at}.5`, { amendedAtMs: startMs + minuteMs })] : []),
      ...(at % 6 === 0 ? [valueOf(at, `${at}.7`, { amendedAtMs: startMs + 2 * minuteMs })] : []),
    ]).flat()
    const { query } = await openHistory({ values })
    const latest = values.filter((value, at) => values[at + 1]?.publishedAtMs !== value.publishedAtMs)
    for (const [revisions, wanted] of [['all', values] as const, ['latest', latest] as const]) {
      for (const limit of [1, 2, 3, 7, 100]) {
        const read: StoredValue[] = []
        for (let after: Queries['values']['params']['after'], isMore = true; isMore;) {
          const page = await query('values', {
            id: 'BRTI',
            revisions,
            limit,
            ...whole,
            ...(after !== undefined && { after }),
          })
          expect(page.values.length).toBeLessThanOrEqual(limit)
          read.push(...page.values)
          after = page.next
          isMore = after !== undefined
        }
        expect(read).toEqual(wanted)
      }
    }
  })

  test('are found at a time, with their revisions and the next', async () => {
    const amended = valueOf(10, '100.5', { amendedAtMs: startMs + 30_000 })
    const { query } = await openHistory({ values: [amended, valueOf(10, '100'), valueOf(12, '102')] })
    const at = (secondsIn: number) => query('valueAt', { id: 'BRTI', atMs: startMs + secondsIn * 1_000 })
    expect(await at(9.999)).toEqual({ revisions: [], nextPublishedAtMs: startMs + 10_000 })
    expect(await at(11.9)).toEqual({ revisions: [valueOf(10, '100'), amended], nextPublishedAtMs: startMs + 12_000 })
    expect(await at(500)).toEqual({ revisions: [valueOf(12, '102')] })
  })

  test('are sampled within the range: the first of each step, the amended ones and the last', async () => {
    const values = [
      valueOf(-0.2, '1'),
      valueOf(0, '2'),
      valueOf(0, '2.5', { amendedAtMs: startMs + 30_000 }),
      valueOf(0.2, '3'),
      valueOf(9.8, '4'),
      valueOf(9.8, '4.5', { amendedAtMs: startMs + 20_000 }),
      valueOf(9.8, '4.6', { amendedAtMs: startMs + 50_000 }),
      valueOf(10.2, '5'),
      valueOf(31, '6'),
      valueOf(39, '7'),
      valueOf(40, '8', { id: 'ETHUSD_RTI' }),
      valueOf(41, '9'),
    ]
    const { query } = await openHistory({ values })
    const sampled = async (stepMs: number, toMs = startMs + 40_000) => {
      const found = await query('samples', { id: 'BRTI', fromMs: startMs, toMs, stepMs })
      return found.map(({ value }) => value)
    }
    expect(await sampled(10_000)).toEqual(['2.5', '4.6', '5', '6', '7'])
    expect(await sampled(1)).toEqual(['2.5', '3', '4.6', '5', '6', '7'])
    expect(await sampled(86_400_000)).toEqual(['2.5', '4.6', '7'])
    expect(await sampled(10_000, startMs + 41_000)).toEqual(['2.5', '4.6', '5', '6', '9'])
    expect(await query('samples', { id: 'NONE', fromMs: 0, toMs: startMs, stepMs: 1_000 })).toEqual([])
  })

  test('whose text was damaged on the disk are left out', async () => {
    const { query } = await openHistory({ values: [valueOf(0, '1'), valueOf(1, '2#3'), valueOf(2, '3')] })
    const { values } = await query('values', { id: 'BRTI', revisions: 'all', ...whole })
    expect(values.map(({ value }) => value)).toEqual(['1', '3'])
  })
})

describe('amendments', () =>
  test('are listed newest first with the value before, for one index or all, in pages', async () => {
    const values = [
      valueOf(0, '100'),
      valueOf(0, '101', { amendedAtMs: startMs + 10_000 }),
      valueOf(0, '102', { amendedAtMs: startMs + 20_000 }),
      valueOf(0, '7', { id: 'ETHUSD_RTI', amendedAtMs: startMs + 20_000 }),
      valueOf(1, '9', { id: 'ETHUSD_RTI' }),
    ]
    const { query } = await openHistory({ values, events: [eventOf(1)] })
    const all = await query('amendments', {})
    expect(all.amendments.map(({ id, before, after, eventIds }) => [id, before, after, eventIds])).toEqual([
      ['ETHUSD_RTI', undefined, '7', []],
      ['BRTI', '101', '102', ['event-1']],
      ['BRTI', '100', '101', ['event-1']],
    ])
    expect(all.next).toBeUndefined()
    expect((await query('amendments', { id: 'ETHUSD_RTI' })).amendments).toHaveLength(1)
    expect((await query('amendments', { id: 'NONE' })).amendments).toHaveLength(0)
    const paged = []
    for (let before: Queries['amendments']['params']['before'], isMore = true; isMore;) {
      const page = await query('amendments', { limit: 1, ...(before !== undefined && { before }) })
      paged.push(...page.amendments)
      before = page.next
      isMore = before !== undefined
    }
    expect(paged).toEqual(all.amendments)
  }))

describe('gaps', () => {
  const params = { id: 'BRTI', fromMs: startMs, toMs: startMs + 100_000, maxGapMs: 2_000 }
  const gap = (from: number, to: number, state: string) => ({
    fromMs: startMs + from * 1_000,
    toMs: startMs + to * 1_000,
    state,
  })

  test('are the stretches longer than the gap, between values and to the edges', async () => {
    const { query } = await openHistory({ values: [10, 12, 14, 30, 31, 99].map((at) => valueOf(at, '1')) })
    expect(await query('gaps', params)).toEqual([gap(0, 10, 'unasked'), gap(14, 30, 'unasked'), gap(31, 99, 'unasked')])
    expect(await query('gaps', { ...params, fromMs: startMs + 20_000, toMs: startMs + 40_000 })).toEqual([
      gap(20, 30, 'unasked'),
      gap(31, 40, 'unasked'),
    ])
    expect(await query('gaps', { ...params, id: 'NONE' })).toEqual([gap(0, 100, 'unasked')])
  })

  test('are the same found by steps and by counting as by going through all values', async () => {
    const steps = fc.array(fc.constantFrom(1, 1, 1, 1, 1, 0.4, 2, 2.2, 7), { minLength: 1, maxLength: 12 })
    const edges = fc.tuple(fc.integer({ min: -3, max: 10 }), fc.integer({ min: 1, max: 20 }))
    await fc.assert(
      fc.asyncProperty(steps, edges, fc.boolean(), async (apart, [from, long], isAmended) => {
        let second = 0
        const times = [0, ...apart.map((step) => (second = Math.round((second + step) * 10) / 10))]
        const amended = isAmended ? [valueOf(times.at(-1) ?? 0, '2', { amendedAtMs: startMs + 50_000 })] : []
        const { query } = await openHistory({ values: [...times.map((at) => valueOf(at, '1')), ...amended] })
        const to = from + long
        const first = times.findLast((at) => at <= from) ?? from
        const last = times.find((at) => at >= to) ?? to
        const inside = [first, ...times.filter((at) => at > first && at < last), last]
        const expected = inside.slice(1).flatMap((end, at) => {
          const begin = inside[at] ?? 0
          const [a, b] = [Math.max(begin, from), Math.min(end, to)]
          return end - begin > 2.00001 && b - a > 2.00001 ? [gap(a, b, 'unasked')] : []
        })
        const range = { fromMs: startMs + from * 1_000, toMs: startMs + to * 1_000 }
        expect(await query('gaps', { ...params, ...range })).toEqual(expected)
      }),
      { numRuns: examples(150) },
    )
  })

  test('record what the service was asked, and the later answer counts', async () => {
    const span = (from: number, to: number, state: 'answered' | 'unknown') => ({
      id: 'BRTI',
      fromMs: startMs + from * 1_000,
      toMs: startMs + to * 1_000,
      state,
      askedAtMs: startMs,
    })
    const { query } = await openHistory(
      { values: [0, 50, 100].map((at) => valueOf(at, '1')) },
      { spans: [span(10, 30, 'unknown'), span(31, 40, 'answered')] },
      { spans: [span(20, 30, 'answered')] },
    )
    expect(await query('gaps', params)).toEqual([
      gap(0, 10, 'unasked'),
      gap(10, 20, 'unknown'),
      gap(20, 30, 'answered'),
      gap(31, 40, 'answered'),
      gap(40, 50, 'unasked'),
      gap(50, 100, 'unasked'),
    ])
    expect(await query('spans', { id: 'BRTI', fromMs: startMs, toMs: startMs + 25_000 })).toEqual([
      span(10, 30, 'unknown'),
      span(20, 30, 'answered'),
    ])
  })
})

function eventOf(number: number, more: Partial<AlertEvent> = {}): AlertEvent {
  return {
    id: `event-${number}`,
    number,
    kind: 'fired',
    ruleId: 'rule-1',
    ruleVersion: 1,
    indexId: 'BRTI',
    terms: { condition: 'risesTo', level: '68000' },
    severity: 'info',
    recordedAtMs: startMs,
    inputs: { value: '68000.12', publishedAtMs: startMs, direction: 'up' },
    delivery: 'pending',
    isRead: false,
    ...more,
  }
}

describe('events', () => {
  test('are paged newest first and found by rule, kind, and words as on screen', async () => {
    const events = Array.from({ length: 450 }, (_, at) => eventOf(at + 1, { ruleId: `rule-${at % 2}` }))
    events.push(eventOf(451, { kind: 'expired', note: 'Über 100 % sure', indexId: 'ETHUSD_RTI' }))
    const { query } = await openHistory({ events })
    const numbers = async (filter: Queries['events']['params']) => {
      const { events: found, next } = await query('events', { limit: 200, ...filter })
      return { first: found[0]?.number, count: found.length, next }
    }
    expect(await numbers({})).toEqual({ first: 451, count: 200, next: 252 })
    expect(await numbers({ limit: 9_999 })).toEqual({ first: 451, count: 451 })
    expect(await numbers({ before: 52 })).toEqual({ first: 51, count: 51 })
    expect(await numbers({ after: 40 })).toEqual({ first: 41, count: 200, next: 240 })
    expect(await numbers({ after: 251 })).toEqual({ first: 252, count: 200 })
    expect(await numbers({ after: 451 })).toEqual({ first: undefined, count: 0 })
    expect(await numbers({ ruleId: 'rule-0', before: 100 })).toEqual({ first: 99, count: 50 })
    expect(await numbers({ kinds: ['expired', 'snoozed'] })).toEqual({ first: 451, count: 1 })
    expect(await numbers({ search: ' ÜBER 100 % ' })).toEqual({ first: 451, count: 1 })
    expect(await numbers({ search: '68,000.12' })).toEqual({ first: 450, count: 200, next: 251 })
    expect(await numbers({ search: '68_00' })).toEqual({ first: undefined, count: 0 })
    expect(await query('eventCounts', null)).toEqual({ unread: 451, lastNumber: 451 })
  })

  test('are looked at two thousand at a time, down and up, however few of them match', async () => {
    const kind = 'expired'
    const events = Array.from({ length: 4_500 }, (_, at) => eventOf(at + 1, at % 4_499 === 0 ? { kind } : {}))
    const { query } = await openHistory({ events })
    const parts = async (filter: Queries['events']['params']) => {
      const found = []
      for (let place: Queries['events']['params'] = {}; ;) {
        const { events: part, next } = await query('events', { kinds: [kind], ...filter, ...place })
        found.push([part.map(({ number }) => number), next])
        if (next === undefined) return found
        place = filter.after === undefined ? { before: next } : { after: next }
      }
    }
    expect(await parts({})).toEqual([
      [[4_500], 2_501],
      [[], 501],
      [[1], undefined],
    ])
    expect(await parts({ after: 0 })).toEqual([
      [[1], 2_000],
      [[], 4_000],
      [[4_500], undefined],
    ])
    expect(await parts({ after: 10, before: 2_011 })).toEqual([[[], undefined]])
  })

  test('come with the events that retract them', async () => {
    const events = Array.from({ length: 300 }, (_, at) => eventOf(at + 1))
    events.push(eventOf(301, { kind: 'retracted', aboutEventId: 'event-2' }))
    events.push(eventOf(302, { kind: 'confirmed', aboutEventId: 'event-3' }))
    const { query } = await openHistory({ events })
    const retractions = async (filter: Queries['events']['params']) =>
      (await query('events', filter)).retractions.map(({ number }) => number)
    expect(await retractions({ before: 10 })).toEqual([301])
    expect(await retractions({ before: 2 })).toEqual([])
  })

  test('are replaced by id, and stay read once they are', async () => {
    const { history, query } = await openHistory({ events: [eventOf(1), eventOf(2)] })
    await history.commit({ readThrough: 1 })
    await history.commit({ events: [eventOf(1, { delivery: 'shown', webhookResult: '200' })] })
    const { events } = await query('events', {})
    expect(events).toEqual([eventOf(2), eventOf(1, { delivery: 'shown', webhookResult: '200', isRead: true })])
    expect(await query('event', { id: 'event-2' })).toEqual(eventOf(2))
    expect(await query('event', { id: 'none' })).toBeNull()
    expect(await query('eventCounts', null)).toEqual({ unread: 1, lastNumber: 2 })
    const range = { id: 'BRTI', fromMs: startMs, toMs: startMs }
    expect(await query('eventsOf', range)).toHaveLength(2)
    expect(await query('eventsOf', { ...range, fromMs: startMs + 1 })).toEqual([])
  })
})

describe('rules', () => {
  const rule = (id: string, position: number) => ({ id, position, document: `{"of":"${id}"}` })
  const run = (ruleId: string, number: number, endedAtMs?: number) => ({
    ruleId,
    run: number,
    document: `${number}`,
    startedAtMs: number * 1_000,
    ...(endedAtMs !== undefined && { endedAtMs }),
  })
  const checkpoint = (ruleId: string, number: number, publishedAtMs: number) => ({
    ruleId,
    run: number,
    publishedAtMs,
    state: `state ${publishedAtMs}`,
  })

  test('start with their present run and its newest checkpoint, in their order', async () => {
    const { query } = await openHistory(
      { rules: [rule('b', 2), rule('a', 1)], runs: [run('a', 1), run('b', 1)] },
      { runs: [run('a', 1, 5_000), run('a', 2)], checkpoints: [checkpoint('a', 1, 9_000), checkpoint('a', 2, 1_000)] },
      { checkpoints: [checkpoint('a', 2, 3_000), checkpoint('a', 2, 2_000)] },
    )
    expect(await query('alertStart', null)).toEqual({
      rules: [rule('a', 1), rule('b', 2)],
      runs: [run('a', 2), run('b', 1)],
      checkpoints: [checkpoint('a', 2, 3_000)],
      firings: [],
    })
    expect(await query('runs', { ruleId: 'a' })).toEqual([run('a', 1, 5_000), run('a', 2)])
    const before = (publishedAtMs: number) => query('checkpointBefore', { ruleId: 'a', run: 2, publishedAtMs })
    expect(await before(3_000)).toEqual(checkpoint('a', 2, 2_000))
    expect(await before(1_000)).toBeNull()
  })

  test('drop only the given range, and return checkpoints from a time on', async () => {
    const { history, query } = await openHistory({
      runs: [run('a', 1)],
      checkpoints: [1, 2, 3, 4].map((at) => checkpoint('a', 1, at)),
    })
    await history.commit({ droppedCheckpoints: [{ ruleId: 'a', run: 1, fromMs: 2, toMs: 3 }] })
    const from = (fromMs: number) => query('checkpoints', { ruleId: 'a', run: 1, fromMs })
    expect(await from(0)).toEqual([checkpoint('a', 1, 1), checkpoint('a', 1, 4)])
    expect(await from(2)).toEqual([checkpoint('a', 1, 4)])
  })

  test('are replaced from a time on in one batch, and do not start again after removal', async () => {
    const firing = (publishedAtMs: number, direction: 'up' | 'down'): RuleFiring => ({
      ruleId: 'a',
      run: 1,
      publishedAtMs,
      direction,
      document: `{"at":${publishedAtMs}}`,
    })
    const { history, query } = await openHistory({
      rules: [rule('a', 1)],
      runs: [run('a', 1)],
      firings: [firing(1, 'up'), firing(2, 'down'), firing(3, 'up')],
      checkpoints: [1, 2, 3].map((at) => checkpoint('a', 1, at)),
      events: [eventOf(1, { ruleId: 'a' })],
    })
    await history.commit({
      droppedFirings: [{ ruleId: 'a', run: 1, fromMs: 2 }],
      firings: [{ ...firing(2, 'up'), eventId: 'event-1' }],
      droppedCheckpoints: [{ ruleId: 'a', run: 1, fromMs: 2 }],
    })
    expect(await query('firings', { ruleId: 'a', run: 1, fromMs: 0 })).toEqual([
      firing(1, 'up'),
      { ...firing(2, 'up'), eventId: 'event-1' },
    ])
    expect((await query('alertStart', null)).checkpoints).toEqual([checkpoint('a', 1, 1)])
    // Firings after the newest checkpoint are part of the start data.
    expect((await query('alertStart', null)).firings).toEqual([{ ...firing(2, 'up'), eventId: 'event-1' }])
    await history.commit({ removedRules: ['a'] })
    expect(await query('alertStart', null)).toEqual({ rules: [], runs: [], checkpoints: [], firings: [] })
    expect((await query('events', {})).events).toHaveLength(1)
  })

  test('keep their runs after removal until the history is reopened', () => {
    const database: HistoryDatabase = new Database(':memory:')
    prepareSchema(database, () => undefined)
    const firing: RuleFiring = { ruleId: 'a', run: 1, publishedAtMs: 1, document: '{}' }
    const kept = { runs: [run('a', 1)], firings: [firing], checkpoints: [checkpoint('a', 1, 1)] }
    const store = new HistoryTables(database)
    store.commit([{ rules: [rule('a', 1)], ...kept }, { removedRules: ['a'] }])
    const tidy = (tidied: HistoryTables) => {
      for (const work = tidied.tidy(startMs); work.next().done !== true;);
    }
    tidy(store)
    store.commit([{ rules: [rule('a', 1)] }])
    expect(store.query('alertStart', null)).toMatchObject({ runs: kept.runs, checkpoints: kept.checkpoints })
    store.commit([{ removedRules: ['a'] }])
    tidy(new HistoryTables(database))
    expect(store.query('runs', { ruleId: 'a' })).toEqual([])
    expect(store.query('firings', { ruleId: 'a', run: 1, fromMs: 0 })).toEqual([])
  })
})

test('documents and snapshots are found by key and by time', async () => {
  const document = (key: string, atMs: number) => ({ key, atMs, document: `"${key}"` })
  const snapshot = (secondsIn: number, text: string) => ({
    kind: 'constituents' as const,
    id: 'BRTI',
    publishedAtMs: startMs + secondsIn * 1_000,
    learnedAtMs: startMs,
    document: text,
  })
  const { history, query } = await openHistory({
    documents: [document('base:BRTI', 1), document('base:%', 2), document('catalogue', 3), document('baseless', 4)],
    snapshots: [snapshot(1, 'a'), snapshot(5, 'b')],
  })
  expect(await query('documents', { prefix: 'base:' })).toEqual([document('base:%', 2), document('base:BRTI', 1)])
  expect(await query('documents', { keys: ['catalogue'] })).toEqual([document('catalogue', 3)])
  await history.commit({ removedDocuments: ['catalogue'], documents: [document('base:%', 9)] })
  expect((await query('documents', { prefix: '' })).map(({ key, atMs }) => [key, atMs])).toEqual([
    ['base:%', 9],
    ['base:BRTI', 1],
    ['baseless', 4],
  ])
  const at = (secondsIn: number) =>
    query('snapshotAt', { kind: 'constituents', id: 'BRTI', atMs: startMs + secondsIn * 1_000 })
  expect([await at(0), await at(4), await at(5)]).toEqual([null, snapshot(1, 'a'), snapshot(5, 'b')])
  expect(await query('snapshotAt', { kind: 'conditions', id: 'BRTI', atMs: startMs + 9_000 })).toBeNull()
})

test('snapshots are sampled: the last of each step, newest first, up to the limit', async () => {
  const snapshot = (second: number, id = 'NCI') => ({
    kind: 'constituents' as const,
    id,
    publishedAtMs: startMs + second * 1_000,
    learnedAtMs: startMs,
    document: `${second}`,
  })
  const { query } = await openHistory({
    snapshots: [...Array.from({ length: maxSnapshotsInPart + 20 }, (_, at) => snapshot(at)), snapshot(5, 'NCIS')],
  })
  const texts = async (fromS: number, toS: number, stepMs: number) => {
    const range = { fromMs: startMs + fromS * 1_000, toMs: startMs + toS * 1_000 }
    const found = await query('snapshotSamples', { kind: 'constituents', id: 'NCI', ...range, stepMs })
    return found.map(({ document }) => Number(document))
  }
  expect(await texts(0, 25, 10_000)).toEqual([25, 19, 9])
  expect(await texts(3, 6, 1)).toEqual([6, 5, 4, 3])
  const all = await texts(0, 1_000, 1)
  expect([all.length, all[0], all.at(-1)]).toEqual([maxSnapshotsInPart, maxSnapshotsInPart + 19, 20])
  expect(
    await query('snapshotSamples', { kind: 'conditions', id: 'NCI', fromMs: 0, toMs: startMs, stepMs: 1 }),
  ).toEqual([])
})

test('a failed batch leaves nothing, and the next one is written', async () => {
  const { history, query } = await openHistory()
  const broken = { ...valueOf(1, '2'), value: null } as unknown as StoredValue
  expect(() => history.store.commit([{ values: [valueOf(0, '1')] }, { values: [broken] }])).toThrow('NOT NULL')
  expect(await query('latest', null)).toEqual([])
  await history.commit({ values: [valueOf(0, '1')] })
  expect(await query('latest', null)).toEqual([valueOf(0, '1')])
})
