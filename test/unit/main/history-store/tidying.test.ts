import { describe, expect, test } from 'vitest'
import type { StoredValue, WriteBatch, ValueCursor } from '../../../../main/history-store/contract'
import { MemoryHistory } from '../../../support/memory-history'
import { valueOf } from '../../../support/value-of'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const dayMs = 86_400_000
const nowMs = Date.UTC(2026, 10, 22, 3)

function value(publishedAtMs: number, text: string, more: Partial<StoredValue> = {}): StoredValue {
  const learned = { learnedAtMs: publishedAtMs, origin: 'stream', connection: 'Demo' } as const
  return { id: 'BRTI', value: text, publishedAtMs, ...learned, ...more }
}

async function historyOf(...turns: WriteBatch[]) {
  const history = new MemoryHistory()
  for (const turn of turns) await history.commit(turn)
  const texts = async (id = 'BRTI') => {
    const asked = { id, revisions: 'all', fromMs: 0, toMs: Number.MAX_SAFE_INTEGER } as const
    const found: string[] = []
    let next: ValueCursor | undefined
    do {
      const page = valueOf(await history.query('values', { ...asked, ...(next !== undefined && { after: next }) }))
      found.push(...page.values.map((each) => each.value))
      next = page.next
    } while (next !== undefined)
    return found
  }
  const tidy = (wallMs = nowMs) => {
    let steps = 0
    for (const work = history.store.tidy(wallMs); work.next().done !== true;) steps++
    return steps
  }
  const count = async () => (await texts()).length
  /** Tidies until nothing more is dropped. */
  const tidyAll = async () => {
    let before: number
    do {
      before = await count()
      tidy()
    } while ((await count()) < before)
    tidy()
  }
  return { history, texts, count, tidy, tidyAll }
}

describe('after a week', () => {
  const oldMs = nowMs - 8 * dayMs

  test('values are thinned to one a second, except amended ones and those of events', async () => {
    const at = (ms: number) => oldMs + ms
    const { texts, tidy, tidyAll } = await historyOf({
      values: [
        value(nowMs, '1000'),
        value(at(0), 'a0'),
        value(at(200), '1'),
        value(at(400), '2'),
        value(at(600), '3', { amendedAtMs: at(90_000) }),
        value(at(600), '4'),
        value(at(1_200), '5'),
        value(at(1_400), '6'),
        value(at(2_000), '7'),
      ].map((each, place) => ({ ...each, value: `${place}` })),
      events: [firedEvent(1, levelDraft(), { inputs: { value: '3', publishedAtMs: at(400) } })],
    })
    await tidyAll()
    // 2 and 7 were dropped. 3 belongs to an event, and 5 was amended to 4.
    expect(await texts()).toEqual(['1', '3', '5', '4', '6', '8', '0'])
    expect(tidy()).toBeGreaterThan(0)
    expect(await texts()).toHaveLength(7)
  })

  test('values received late are thinned too, newer ones are not', async () => {
    const { history, texts, tidy } = await historyOf({ values: [value(oldMs, '0'), value(nowMs - 600, '9')] })
    tidy()
    await history.commit({ values: [value(oldMs + 200, '1'), value(oldMs - 5_000, '2'), value(nowMs - 400, '8')] })
    tidy()
    expect(await texts()).toEqual(['2', '0', '9', '8'])
  })

  test('the value of an alert stays, also where another text of the same revision takes its place', async () => {
    const { history, texts, tidyAll } = await historyOf({
      values: [value(oldMs, '0'), value(oldMs + 200, '1'), value(oldMs + 400, '2'), value(nowMs, '1000')],
      events: [firedEvent(1, levelDraft(), { inputs: { value: '1', publishedAtMs: oldMs + 200 } })],
    })
    await history.commit({ values: [value(oldMs + 200, '1.5')] })
    await tidyAll()
    expect(await texts()).toEqual(['0', '1.5', '1000'])
  })

  test('a second is thinned once all of it is that old', async () => {
    const values = [0, 200, 400, 600, 800].map((ms) => value(oldMs + ms, `${ms}`))
    const { history, texts, tidyAll } = await historyOf({ values: [...values, value(oldMs + 7 * dayMs + 500, '1000')] })
    await tidyAll()
    expect(await texts()).toEqual(['0', '200', '400', '600', '800', '1000'])
    await history.commit({ values: [value(oldMs + 7 * dayMs + 1_000, '2000')] })
    await tidyAll()
    expect(await texts()).toEqual(['0', '1000', '2000'])
  })
})

test('market conditions older than a day are thinned to one an hour, constituents are not', async () => {
  const hourMs = 3_600_000
  const day = nowMs - dayMs - 2 * hourMs
  const snapshot = (kind: 'conditions' | 'constituents', publishedAtMs: number, id = 'BRTI') => {
    return { kind, id, publishedAtMs, learnedAtMs: nowMs, document: '{}' }
  }
  const minutes = Array.from({ length: 180 }, (_, at) => day + at * 60_000)
  const { history, tidy } = await historyOf({
    snapshots: [
      ...minutes.flatMap((each) => [snapshot('conditions', each), snapshot('constituents', each)]),
      snapshot('conditions', day + 1, 'ETHUSD_RTI'),
    ],
  })
  tidy()
  const minutesOf = async (kind: 'conditions' | 'constituents', id = 'BRTI') => {
    const kept = valueOf(await history.query('snapshotSamples', { kind, id, fromMs: 0, toMs: nowMs, stepMs: 60_000 }))
    return kept.map(({ publishedAtMs }) => Math.floor((publishedAtMs - day) / 60_000)).reverse()
  }
  expect(await minutesOf('conditions')).toEqual([59, 119, ...Array.from({ length: 60 }, (_, at) => 120 + at)])
  expect(await minutesOf('constituents')).toEqual(Array.from({ length: 100 }, (_, at) => 80 + at))
  expect(await minutesOf('conditions', 'ETHUSD_RTI')).toEqual([0])
})

test('values beyond the kept days are dropped, except amended ones and those of events', async () => {
  const oldMs = nowMs - 40 * dayMs
  const many = Array.from({ length: 5_000 }, (_, at) => value(oldMs + at * 1_000, `${at}`))
  const { history, texts, tidyAll } = await historyOf({
    values: [
      value(nowMs, '1000'),
      ...many,
      value(oldMs + 7_000, '7.5', { amendedAtMs: oldMs + 50_000 }),
      value(nowMs - 20 * dayMs, '20'),
      value(oldMs, '3', { id: 'ETHUSD_RTI' }),
    ],
    events: [firedEvent(1, levelDraft(), { inputs: { value: '9', publishedAtMs: oldMs + 9_000 } })],
    spans: [{ id: 'BRTI', fromMs: oldMs, toMs: oldMs + 1, state: 'answered', askedAtMs: oldMs }],
    snapshots: [1, 2].map((at) => ({
      kind: 'constituents' as const,
      id: 'BRTI',
      publishedAtMs: oldMs + at,
      learnedAtMs: oldMs,
      document: `${at}`,
    })),
  })
  await history.query('setBounds', { keepDays: 30, maxBytes: 2 ** 30 })
  await tidyAll()
  expect(await texts()).toEqual(['7', '7.5', '9', '20', '1000'])
  expect(await texts('ETHUSD_RTI')).toEqual([])
  expect(valueOf(await history.query('spans', { id: 'BRTI', fromMs: 0, toMs: nowMs }))).toEqual([])
  // The last constituents are still in effect.
  const asked = { kind: 'constituents', id: 'BRTI', atMs: nowMs } as const
  expect(valueOf(await history.query('snapshotAt', asked))?.document).toBe('2')
  expect(valueOf(await history.query('events', {})).events).toHaveLength(1)
})

describe('this computer’s clock', () => {
  const hourMs = 3_600_000
  /** A hundred days up to now, one value an hour. */
  const days = Array.from({ length: 2_400 }, (_, at) => value(nowMs - at * hourMs, `${at}`))

  test.each([
    ['an hour ahead', hourMs],
    ['an hour behind', -hourMs],
    ['a year ahead', 365 * dayMs],
    ['a year behind', -365 * dayMs],
    ['four years ahead', 1_461 * dayMs],
    ['four years behind', -1_461 * dayMs],
  ])('%s drops no value that is not older than the bounds by the service’s times', async (_, aheadMs) => {
    const { texts, count, tidy } = await historyOf({ values: days })
    for (let times = 0; times < 20; times++) tidy(nowMs + aheadMs)
    expect(await count()).toBeGreaterThanOrEqual(90 * 24)
    expect(await texts()).toContain(`${90 * 24}`)
  })

  test('four years ahead thins no value younger than a week and no recent checkpoint', async () => {
    const fine = Array.from({ length: 500 }, (_, at) => value(nowMs - at * 200, `${at}`))
    const run = { ruleId: 'r', run: 1, document: '{}', startedAtMs: 0 }
    const checkpoints = [0, 1, 2].map((at) => ({
      ruleId: 'r',
      run: 1,
      publishedAtMs: nowMs - at * 60_000,
      state: '{}',
    }))
    const { history, count, tidy } = await historyOf({ values: fine, runs: [run], checkpoints })
    for (let times = 0; times < 20; times++) tidy(nowMs + 1_461 * dayMs)
    expect(await count()).toBe(500)
    const asked = { ruleId: 'r', run: 1, fromMs: 0 }
    expect(valueOf(await history.query('checkpoints', asked))).toHaveLength(3)
  })
})

test('one tidying drops a tenth of the values at most, whatever is beyond the bounds', async () => {
  const old = Array.from({ length: 30_000 }, (_, at) => value(nowMs - 200 * dayMs + at * 1_000, `${at}`))
  const { history, count, tidy } = await historyOf({ values: [...old, value(nowMs, '1000')] })
  const dropped = async (isTidied: () => void) => {
    const before = await count()
    isTidied()
    return (before - (await count())) / before
  }
  const isSome = async (share: Promise<number>) => {
    expect(await share).toBeLessThanOrEqual(0.1)
    expect(await share).toBeGreaterThan(0.08)
  }
  await isSome(dropped(tidy))
  await isSome(dropped(tidy))
  await history.query('setBounds', { keepDays: 365, maxBytes: 1 })
  await isSome(dropped(tidy))
  const fine = Array.from({ length: 20_000 }, (_, at) => value(nowMs - 30 * dayMs + at * 200, `${at}`))
  const other = await historyOf({ values: [...fine, value(nowMs, '1000')] })
  other.tidy()
  expect(await other.count()).toBe(20_001 - 2_000)
})

test('beyond its size the oldest hours go first', async () => {
  const startMs = nowMs - 2 * dayMs
  const { history, texts, tidyAll } = await historyOf({
    values: Array.from({ length: 30_000 }, (_, at) => value(startMs + at * 1_000, `68000.${at}`)),
  })
  const before = valueOf(await history.query('size', null))
  expect(before.oldestMs).toBe(startMs)
  const maxBytes = before.bytes / 2
  await history.query('setBounds', { keepDays: 90, maxBytes })
  await tidyAll()
  const after = valueOf(await history.query('size', null))
  expect(after.bytes - after.freeBytes).toBeLessThanOrEqual(maxBytes)
  expect(after.oldestMs).toBeGreaterThan(startMs)
  expect((after.oldestMs ?? 0) - startMs).toBeLessThan(20_000_000)
  expect((await texts()).length).toBeGreaterThan(0)
})

test('clearing takes everything from before the time, amended or not, and gives the room back', async () => {
  const startMs = nowMs - 2 * dayMs
  const { history, texts } = await historyOf({
    values: [
      ...Array.from({ length: 10_000 }, (_, at) => value(startMs + at * 1_000, `${at}`)),
      value(startMs, '0.5', { amendedAtMs: startMs + 1 }),
    ],
    rules: [{ id: 'r0', position: 1, document: '{}' }],
    events: [firedEvent(1, levelDraft(), { inputs: { publishedAtMs: startMs } })],
    documents: [{ key: 'base:BRTI', atMs: startMs, document: '{}' }],
  })
  const before = valueOf(await history.query('size', null))
  const after = valueOf(await history.query('clearBefore', { beforeMs: startMs + 9_990_000 }))
  expect(after.bytes).toBeLessThan(before.bytes)
  expect(after.freeBytes).toBe(0)
  expect(await texts()).toHaveLength(10)
  expect(valueOf(await history.query('alertStart', null)).rules).toHaveLength(1)
  expect(valueOf(await history.query('events', {})).events).toHaveLength(1)
  expect(valueOf(await history.query('documents', { prefix: 'base:' }))).toHaveLength(1)
})

test('checkpoints are thinned to the last of each hour and each day, and the newest always stays', async () => {
  const checkpoint = (run: number, publishedAtMs: number) => ({ ruleId: 'r', run, publishedAtMs, state: '{}' })
  const minutes = (fromMs: number, count: number) => Array.from({ length: count }, (_, at) => fromMs + at * 60_000)
  const run = { ruleId: 'r', document: '{}', startedAtMs: 0 }
  const { history, tidy } = await historyOf({
    runs: [
      { ...run, run: 1 },
      { ...run, run: 2 },
    ],
    checkpoints: [
      ...minutes(nowMs - 10 * dayMs, 120),
      ...minutes(nowMs - 5 * 3_600_000, 120),
      ...minutes(nowMs - 3_600_000, 30),
    ]
      .map((at) => checkpoint(1, at))
      .concat(checkpoint(2, nowMs - 300 * dayMs)),
  })
  tidy()
  const held = async (number: number) => {
    const found: number[] = []
    for (let before = nowMs + 1; ;) {
      const asked = { ruleId: 'r', run: number, publishedAtMs: before }
      const next = valueOf(await history.query('checkpointBefore', asked))
      if (next === null) return found
      found.push(next.publishedAtMs)
      before = next.publishedAtMs
    }
  }
  // Older hours keep one checkpoint each, days older than a week keep one, and the last hour keeps all.
  expect(await held(1)).toHaveLength(30 + 2 + 1)
  expect(await held(2)).toEqual([nowMs - 300 * dayMs])
})
