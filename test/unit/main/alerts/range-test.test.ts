import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { testOn, testRange, type RangeTestTask, type HistoryReader } from '../../../../main/alerts/range-test'
import { RangeTester } from '../../../../main/alerts/range-tester'
import type { StoredValue } from '../../../../main/history-store/contract'
import { HistoryFile } from '../../../../main/history-store/history-file'
import type { RangeTestProgress } from '../../../../core/alert-events'
import type { AlertDraft } from '../../../../core/alerts'
import { openHistory } from '../../../support/open-history'
import { valueOf } from '../../../support/value-of'
import { historyStartMs as startMs } from '../../../support/history-thread'
import { storedValue } from '../../../support/history-thread'
import { childProgram } from '../../../support/child-programs'
import { levelDraft } from '../../../support/sample-alerts'

const startThread = (workerData: RangeTestTask) => new Worker(childProgram('range-test-worker'), { workerData })

const atS = (seconds: number) => startMs + seconds * 1_000
const ofLevel = (draft: AlertDraft, fromS: number, toS: number): RangeTestTask => ({
  historyPath: '',
  draft,
  cadence: 'PER_SECOND',
  fromMs: atS(fromS),
  toMs: atS(toS),
})

async function open(
  values: readonly StoredValue[],
  spans: { fromS: number; toS: number; state: 'answered' | 'unknown' }[] = [],
) {
  const opened = await openHistory()
  valueOf(
    await opened.history.commit({
      values,
      spans: spans.map(({ fromS, toS, state }) => ({
        id: 'BRTI',
        fromMs: atS(fromS),
        toMs: atS(toS),
        state,
        askedAtMs: atS(toS),
      })),
    }),
  )
  const run = async (draft: AlertDraft, fromS: number, toS: number) => {
    const { signal } = new AbortController()
    const task = { ...ofLevel(draft, fromS, toS), historyPath: opened.path }
    const found = valueOf(await testRange(task, { signal, onProgress: () => undefined }))
    if (found === null) throw new Error('cancelled')
    return found
  }
  return { ...opened, run }
}

const toAndFro = (count: number) =>
  Array.from({ length: count }, (_, at) => storedValue(at, at % 2 === 0 ? '99.990' : '100.010'))

describe('a draft on a range of the history', () => {
  test('fires on the latest revisions within the range', async () => {
    const { run } = await open([
      storedValue(0, '99'),
      storedValue(1, '100.50'),
      storedValue(1, '99.50', { amendedAtMs: atS(60) }),
      storedValue(2, '100.00'),
      storedValue(3, '98'),
      storedValue(4, '101.10'),
      storedValue(5, '1'),
      storedValue(6, '102'),
    ])
    expect(await run(levelDraft('100'), 0, 5)).toMatchObject({
      fromMs: atS(0),
      toMs: atS(5),
      valueCount: 5,
      fires: [
        { publishedAtMs: atS(2), value: '100.00' },
        { publishedAtMs: atS(4), value: '101.10' },
      ],
      notKnown: [],
    })
    // Created at the start of the range, it has seen nothing before.
    expect((await run(levelDraft('100'), 2, 7)).fires.map(({ publishedAtMs }) => publishedAtMs)).toEqual([
      atS(4),
      atS(6),
    ])
  })

  test('reports the parts of the range without known data', async () => {
    const values = [storedValue(0, '99'), storedValue(1, '99'), storedValue(200, '101'), storedValue(500, '99')]
    const { run } = await open(values, [
      { fromS: 1, toS: 80, state: 'unknown' },
      { fromS: 200, toS: 500, state: 'answered' },
    ])
    const { notKnown, fires } = await run(levelDraft('100'), -100, 600)
    expect(fires).toHaveLength(1)
    expect(notKnown).toEqual([
      { fromMs: atS(-100), toMs: atS(0) },
      { fromMs: atS(1), toMs: atS(200) },
      { fromMs: atS(500), toMs: atS(600) },
    ])
    expect(await run(levelDraft('100'), 700, 800)).toMatchObject({
      valueCount: 0,
      fires: [],
      notKnown: [{ fromMs: atS(700), toMs: atS(800) }],
    })
  })

  test('ends at the thousandth firing, with that as its end', async () => {
    const { run } = await open(toAndFro(5_000))
    const found = await run(levelDraft('100'), 0, 5_000)
    expect(found.fires).toHaveLength(1_000)
    expect(found.toMs).toBe(found.fires.at(-1)?.publishedAtMs)
    expect(found).toMatchObject({ toMs: atS(1_999), firesWithBand: 1, notKnown: [] })
  })

  test('has the published lowest and highest value of each part for its chart', async () => {
    const values = Array.from({ length: 12_000 }, (_, at) =>
      storedValue(at, at === 7_001 ? '5.000' : `${100 + (at % 3)}.10`),
    )
    const { series, valueCount } = await (await open(values)).run(levelDraft('900'), 0, 12_000)
    expect(valueCount).toBe(12_000)
    expect(series.length).toBeLessThanOrEqual(480)
    expect(series).toContainEqual({ publishedAtMs: atS(7_001), value: '5.000' })
    const times = series.map(({ publishedAtMs }) => publishedAtMs)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  test('reports its progress and can be cancelled between two pages', async () => {
    const { path, history } = await open(toAndFro(20_000))
    const file = new HistoryFile(path)
    let pageCount = 0
    const counted: HistoryReader = {
      query: (question, asked) => {
        if (question === 'values') pageCount++
        return file.query(question, asked)
      },
    }
    const cancelling = new AbortController()
    const seen: RangeTestProgress[] = []
    const task = ofLevel(levelDraft('900'), 0, 20_000)
    const onProgress = (progress: RangeTestProgress) => {
      seen.push(progress)
      if (seen.length === 2) cancelling.abort()
    }
    expect(await testOn(counted, task, { signal: cancelling.signal, onProgress })).toBeNull()
    expect(pageCount).toBe(2)
    expect(seen.map(({ valueCount }) => valueCount)).toEqual([5_000, 10_000])
    expect(seen[1]?.fraction).toBeCloseTo(0.5, 3)
    file.close()
    await history.close()
  })

  test('is refused with a reason if the history cannot be read', async () => {
    const task = { ...ofLevel(levelDraft(), 0, 1), historyPath: '/no/such/tape.db' }
    const { signal } = new AbortController()
    expect(await testRange(task, { signal, onProgress: () => undefined })).toMatchObject({
      problem: { code: 'noValues' },
    })
  })
})

describe('in a separate thread', () => {
  test('a test includes values that were received just before', async () => {
    const { history } = await openHistory()
    const tester = new RangeTester({ history, startThread })
    history.append([storedValue(0, '99'), storedValue(1, '101')])
    expect(tester.progress).toBeUndefined()
    expect(await tester.run(ofLevel(levelDraft('100'), 0, 10))).toMatchObject({
      value: { valueCount: 2, fires: [{ publishedAtMs: atS(1), value: '101' }] },
    })
    expect(tester.progress).toBeUndefined()
  })

  test('a new test ends the one before, and cancelling ends one that is about to run', async () => {
    const { history } = await openHistory()
    valueOf(await history.commit({ values: toAndFro(30_000) }))
    const tester = new RangeTester({ history, startThread })
    const task = ofLevel(levelDraft('900'), 0, 30_000)
    const first = tester.run(task)
    await expect.poll(() => tester.progress).toBeDefined()
    const second = tester.run(task)
    expect(await first).toEqual({ ok: true, value: null })
    expect(await second).toMatchObject({ value: { valueCount: 30_000 } })
    const third = tester.run(task)
    tester.cancel()
    expect(await third).toEqual({ ok: true, value: null })
    await tester.dispose()
    expect(tester.progress).toBeUndefined()
  })

  test('a thread that ends unexpectedly gives an error', async () => {
    const { history } = await openHistory()
    const broken = (workerData: RangeTestTask) => new Worker('process.exit(3)', { workerData, eval: true })
    const tester = new RangeTester({ history, startThread: broken })
    expect(await tester.run(ofLevel(levelDraft(), 0, 1))).toMatchObject({ problem: { code: 'internal' } })
  })
})
