import { expect, test } from 'vitest'
import { DataWatch, type WatchedIndex } from '../../../../main/alerts/data-watch'
import type { MissingData } from '../../../../core/alert-standing'
import type { AlertSnooze, AlertView } from '../../../../core/alerts'
import { FakeClock } from '../../../support/fake-clock'
import { levelDraft, ruleView } from '../../../support/sample-alerts'

const second = 1_000
const hour = 3_600_000

/** Two rules on BRTI and one on BRR. Both indices are live with a current value. */
function openWatch() {
  const clock = new FakeClock()
  const rules: AlertView[] = [
    ruleView('r1', levelDraft('1')),
    ruleView('r2', levelDraft('2')),
    ruleView('r3', levelDraft('3', { indexId: 'BRR' })),
  ]
  const snoozes: AlertSnooze[] = []
  const indices = new Map<string, Omit<WatchedIndex, 'value'> & { source?: 'stream' | 'cache' }>()
  const seen: MissingData[] = []
  const watch = new DataWatch({
    clock,
    ids: () => new Set(rules.map(({ indexId }) => indexId)),
    rulesOf: (id) => rules.filter(({ indexId }) => indexId === id),
    snoozes: () => snoozes,
    indexOf: (id) => {
      const { source = 'stream', publishedAtMs, ...index } = indices.get(id) ?? {}
      if (publishedAtMs === undefined) return index
      return { ...index, publishedAtMs, value: { source, ageMs: clock.wallMs() - publishedAtMs } }
    },
    onError: (error) => {
      throw error
    },
  })
  watch.events.on('changed', (missing) => seen.push(missing))
  const publish = (id: string) => {
    const resolution = id === 'BRR' ? 'DAILY' : 'PER_SECOND'
    indices.set(id, { connection: 'live', resolution, publishedAtMs: clock.wallMs() })
    watch.valueSeen(id)
  }
  const connect = (connection: WatchedIndex['connection'] & string) => {
    for (const [id, index] of indices) indices.set(id, { ...index, connection })
    // The next check has run.
    clock.advance(250)
    watch.changed()
  }
  publish('BRTI')
  publish('BRR')
  watch.changed()
  return { clock, rules, snoozes, indices, seen, watch, publish, connect }
}

test('no index is without data while values come', () => {
  const { clock, seen, watch, publish } = openWatch()
  for (let at = 0; at < 60; at++) {
    clock.advance(second)
    publish('BRTI')
  }
  expect([seen, watch.view]).toEqual([[], { indices: [], ruleCount: 0 }])
})

test('a stale index is without data since its last value, and its rules are counted', () => {
  const { clock, watch } = openWatch()
  const sinceMs = clock.wallMs()
  clock.advance(9_999)
  expect(watch.view.indices).toEqual([])
  clock.advance(1_001)
  expect(watch.view).toEqual({ indices: [{ id: 'BRTI', sinceMs }], ruleCount: 0 })
  clock.advance(11 * second)
  expect(watch.view).toEqual({ indices: [{ id: 'BRTI', sinceMs }], ruleCount: 2 })
})

test('a value received stale is the last one, and its rules stay counted', () => {
  const { clock, watch, indices } = openWatch()
  clock.advance(30 * second)
  const sinceMs = clock.wallMs() - 12 * second
  indices.set('BRTI', { connection: 'live', resolution: 'PER_SECOND', publishedAtMs: sinceMs })
  watch.valueSeen('BRTI')
  clock.advance(250)
  expect(watch.view).toEqual({ indices: [{ id: 'BRTI', sinceMs }], ruleCount: 2 })
})

test('a lost connection leaves every index without data from that moment', () => {
  const { clock, watch, publish, connect } = openWatch()
  clock.advance(5 * second)
  publish('BRTI')
  connect('reconnecting')
  const sinceMs = clock.wallMs()
  const indices = [
    { id: 'BRTI', sinceMs },
    { id: 'BRR', sinceMs },
  ]
  expect(watch.view).toEqual({ indices, ruleCount: 0 })
  // The start stays the same, also when the value becomes stale.
  clock.advance(60 * second)
  expect(watch.view).toEqual({ indices, ruleCount: 3 })
})

test('a reconnect under ten seconds is never counted', () => {
  const { clock, seen, publish, connect } = openWatch()
  connect('reconnecting')
  clock.advance(9_000)
  connect('live')
  publish('BRTI')
  clock.advance(2 * second)
  expect(seen.map(({ ruleCount }) => ruleCount)).toEqual([0, 0])
  expect(seen.at(-1)?.indices).toEqual([])
})

test('an index has data again at its next value', () => {
  const { clock, watch, publish } = openWatch()
  clock.advance(30 * second)
  expect(watch.view.ruleCount).toBe(2)
  publish('BRTI')
  clock.advance(250)
  expect(watch.view).toEqual({ indices: [], ruleCount: 0 })
})

test('an index with only a cached value is without data since that was published', () => {
  const { clock, indices, rules, watch } = openWatch()
  const publishedAtMs = clock.wallMs() - 10 * hour
  indices.set('BRR', { connection: 'live', resolution: 'DAILY', publishedAtMs, source: 'cache' })
  rules.push(ruleView('r4', levelDraft('4', { indexId: 'NEW' })))
  clock.advance(second)
  expect(watch.view.indices).toEqual([{ id: 'BRR', sinceMs: publishedAtMs }, { id: 'NEW' }])
})

test('only rules that wait for data are counted', () => {
  const { clock, rules, snoozes, watch, connect } = openWatch()
  connect('offline')
  rules.push(
    ruleView('r4', levelDraft('4'), { phase: 'triggered' }),
    ruleView('r5', { ...levelDraft('5'), group: 'swing' }),
    ruleView('r6', { ...levelDraft('6'), hours: { days: ['thu'], from: '08:00', to: '09:00', timeZone: 'UTC' } }),
    ruleView('r8', levelDraft('8'), { reach: { cannotFire: 'no XRP in NCI', sinceMs: 0 } }),
    ruleView('r9', levelDraft('9'), { reach: 'unchecked' }),
    ruleView('r7', { ...levelDraft(), terms: { condition: 'noUpdate' } }),
  )
  snoozes.push({ scope: { of: 'group', group: 'swing' }, untilMs: null })
  clock.advance(11 * second)
  // The three rules from the start.
  expect(watch.view.ruleCount).toBe(3)
  snoozes.pop()
  watch.changed()
  clock.advance(250)
  expect(watch.view.ruleCount).toBe(4)
})

test('no timer is set without rules or after the end', () => {
  const { clock, rules, watch } = openWatch()
  rules.length = 0
  watch.changed()
  clock.advance(second)
  expect(clock.pending).toBe(0)
  const other = openWatch()
  other.watch.dispose()
  expect(other.clock.pending).toBe(0)
})
