import type { TimeRange } from '../../../../core/ranges'
import { describe, expect, test } from 'vitest'
import { awayReport, type AwayIndex } from '../../../../main/history/away-report'
import type { CoveredSpan, StoredValue, WriteBatch } from '../../../../main/history-store/contract'
import { failure } from '../../../../core/model'
import { MemoryHistory } from '../../../support/memory-history'
import { valueOf } from '../../../support/value-of'
import { historyStartMs as fromMs, storedValue } from '../../../support/history-thread'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const minute = 60_000
const toMs = fromMs + 20 * minute

/** A value each second from a minute before the absence to its end. `undefined` leaves a gap. */
function seconds(id: string, valueAt: (secondsIn: number) => string | undefined): StoredValue[] {
  return Array.from({ length: 21 * 60 + 1 }, (_, at) => at - 60).flatMap((secondsIn) => {
    const value = valueAt(secondsIn)
    return value === undefined ? [] : [storedValue(secondsIn, value, { id })]
  })
}

function indexAt(id: string, value: string, latest: Partial<AwayIndex['latest']> = {}): AwayIndex {
  return { id, resolution: 'PER_SECOND', latest: { id, value, publishedAtMs: toMs, source: 'stream', ...latest } }
}

async function report(turn: WriteBatch, indices: AwayIndex[], gaps: TimeRange[] = []) {
  const history = new MemoryHistory()
  history.store.commit([turn])
  return valueOf(await awayReport(history, { fromMs, toMs, gaps }, { indices, aheadMs: 0 }))
}

/** Times of an event this many minutes into the absence. */
function at(minutesIn: number, recordedAfterMs = 90) {
  const publishedAtMs = fromMs + minutesIn * minute
  return { recordedAtMs: publishedAtMs + recordedAfterMs, inputs: { value: '1', publishedAtMs } }
}

describe('what an absence has brought', () => {
  test('is nothing where nothing fired, moved, was amended, carried over or missed', async () => {
    expect(await report({ values: seconds('BRTI', () => '100') }, [indexAt('BRTI', '100.00')])).toBeNull()
  })

  test('has the largest moves since the value in effect at its start, and none from a gap', async () => {
    const values = [
      ...seconds('A', () => '100'),
      ...seconds('B', () => '0.0000200'),
      ...seconds('C', () => '50'),
      ...seconds('D', () => '1000'),
      // The value at the start of the absence is unknown.
      ...seconds('GAP', (secondsIn) => (Math.abs(secondsIn) < 30 ? undefined : '100')),
      ...seconds('REPEATED', () => '1'),
      ...seconds('CACHED', () => '1'),
    ]
    const found = await report({ values }, [
      indexAt('A', '101'),
      indexAt('B', '0.0000196'),
      indexAt('C', '51.5'),
      indexAt('D', '1000.1'),
      indexAt('GAP', '200'),
      indexAt('CACHED', '2', { source: 'cache' }),
      { id: 'UNSEEN', resolution: 'PER_SECOND', latest: undefined },
      indexAt('REPEATED', '2', { isRepeatOfPrevious: true }),
    ])
    expect(found?.moved).toEqual([
      { id: 'C', before: { value: '50', publishedAtMs: fromMs } },
      { id: 'B', before: { value: '0.0000200', publishedAtMs: fromMs } },
      { id: 'A', before: { value: '100', publishedAtMs: fromMs } },
    ])
    expect(found?.carriedOver).toEqual(['REPEATED'])
  })

  test('has each fired rule once with its last firing, urgent first, and marks retracted ones', async () => {
    const urgent = { ...levelDraft('1', { indexId: 'NCI' }), severity: 'urgent' } as const
    const events = [
      firedEvent(1, levelDraft(), { ruleId: 'before', ...at(-5) }),
      firedEvent(2, levelDraft(), { ruleId: 'often', ...at(1) }),
      firedEvent(3, urgent, { ruleId: 'urgent', ...at(2) }),
      firedEvent(4, levelDraft(), { ruleId: 'often', ...at(3) }),
      firedEvent(5, levelDraft(), { ruleId: 'undone', ...at(4) }),
      firedEvent(6, levelDraft(), { kind: 'snoozed', ruleId: 'no firing', ...at(5) }),
      firedEvent(7, levelDraft(), { kind: 'retracted', ruleId: 'undone', aboutEventId: 'e5', ...at(6) }),
      // Found in the history after the return.
      firedEvent(8, levelDraft(), { kind: 'lateFromHistory', ruleId: 'late', ...at(7, 30 * minute) }),
      firedEvent(9, levelDraft(), { ruleId: 'after', ...at(21) }),
    ]
    const found = await report({ events }, [])
    expect(found?.fired.map(({ event, count, isRetracted }) => [event.id, count, isRetracted])).toEqual([
      ['e3', 1, false],
      ['e8', 1, false],
      ['e5', 1, true],
    ])
    expect(found?.firedCount).toBe(4)
    const often = await report({ events: events.slice(0, 4) }, [])
    expect(often?.fired.map(({ event, count }) => [event.id, count])).toEqual([
      ['e3', 1],
      ['e4', 2],
    ])
  })

  test('draws the trend of fired alerts with its gaps', async () => {
    const values = seconds('BRTI', (secondsIn) =>
      secondsIn >= 600 && secondsIn < 660 ? undefined : `${1_000 + secondsIn}`,
    )
    const found = await report({ events: [firedEvent(1, levelDraft(), at(3))], values }, [indexAt('BRTI', '1')])
    const trend = found?.fired[0]?.trend ?? []
    expect(trend).toHaveLength(60)
    expect(trend.flatMap((value, place) => (value === null ? [place] : []))).toEqual([30, 31, 32])
    expect(trend[59]).toBe(2_200)
  })

  test('has the state of gaps: filled, open or unknown', async () => {
    const gap = { fromMs: fromMs + 5 * minute, toMs: fromMs + 10 * minute }
    const span = (state: CoveredSpan['state']): CoveredSpan => ({ id: 'BRTI', ...gap, state, askedAtMs: toMs })
    const values = seconds('BRTI', (secondsIn) => (secondsIn > 300 && secondsIn < 600 ? undefined : '100'))
    const gapsOf = async (turn: WriteBatch, indices = [indexAt('BRTI', '100')]) =>
      (await report(turn, indices, [gap]))?.gaps
    const counted = { count: 1, totalMs: 5 * minute }
    const missingMs = 5 * minute
    expect(await gapsOf({ values: seconds('BRTI', () => '100') })).toEqual({ ...counted, filled: { state: 'all' } })
    expect(await gapsOf({ values })).toEqual({ ...counted, filled: { state: 'open', missingMs } })
    const unknown = { ...counted, filled: { state: 'unknown', missingMs } }
    expect(await gapsOf({ values, spans: [span('unknown')] })).toEqual(unknown)
    // The service was asked and has no values either.
    expect(await gapsOf({ values, spans: [span('answered')] })).toEqual({ ...counted, filled: { state: 'all' } })
    expect(await gapsOf({}, [])).toEqual(counted)
  })

  test('has amendments, additions and removals', async () => {
    const members = (secondsIn: number, ...names: string[]) => {
      const publishedAtMs = fromMs + secondsIn * 1_000
      const document = JSON.stringify({ constituents: names.map((constituent) => ({ constituent })) })
      return { kind: 'constituents' as const, id: 'NCI', publishedAtMs, learnedAtMs: publishedAtMs, document }
    }
    const values = [
      storedValue(-3_600, '100', { amendedAtMs: fromMs + minute }),
      storedValue(-3_599, '101', { amendedAtMs: fromMs - minute }),
      storedValue(60, '7', { id: 'NCI', amendedAtMs: fromMs + 2 * minute }),
    ]
    const now = members(900, 'BTC', 'ETH', 'LINK')
    const found = await report({ values, snapshots: [members(-60, 'BTC', 'ETH', 'BCH'), now] }, [indexAt('NCI', '7')])
    expect(found?.amended).toEqual({ count: 2, hasMore: false, indexIds: ['NCI', 'BRTI'] })
    expect(found?.members).toEqual([{ id: 'NCI', joined: ['LINK'], left: ['BCH'] }])
    // The constituents may have changed long before the absence.
    const old = [members(-3_600, 'BTC', 'ETH', 'BCH'), now]
    expect((await report({ values, snapshots: old }, [indexAt('NCI', '7')]))?.members).toEqual([])
  })

  test('is not reported in part: where the history does not answer its problem is the answer', async () => {
    const broken = failure('diskFull', 'The disk is full.')
    const history = { query: () => Promise.resolve(broken) }
    expect(await awayReport(history, { fromMs, toMs, gaps: [] }, { indices: [], aheadMs: 0 })).toEqual(broken)
  })
})
