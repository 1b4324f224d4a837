import { expect, test } from 'vitest'
import { NotificationQueue } from '../../../../../main/alerts/policy/notification-queue'
import type { AlertEvent } from '../../../../../core/alert-events'
import { FakeClock } from '../../../../support/fake-clock'
import { firedEvent, levelDraft } from '../../../../support/sample-alerts'

let lastNumber = 0

/** An event of a value. Each call is another publication by default. */
function event(more: Partial<AlertEvent> = {}): AlertEvent {
  const number = ++lastNumber
  return firedEvent(number, levelDraft('100'), { inputs: { value: '100', publishedAtMs: number * 1_000 }, ...more })
}

const events = (count: number, more: Partial<AlertEvent> = {}) => Array.from({ length: count }, () => event(more))

function silent(indexId: string, kind: 'fired' | 'recovered' = 'fired', more: Partial<AlertEvent> = {}): AlertEvent {
  return event({ indexId, ruleId: `rule of ${indexId}`, kind, terms: { condition: 'noUpdate' }, ...more })
}

function openQueue() {
  const clock = new FakeClock()
  const notified: (readonly AlertEvent[])[] = []
  const queue = new NotificationQueue({ clock, notify: (notification) => notified.push(notification) })
  /** Sizes of the notifications so far, in order. */
  const sizes = () => notified.map((events) => events.length)
  return { clock, notified, queue, sizes }
}

test('notifies of a single event immediately', () => {
  const { notified, queue, clock } = openQueue()
  const first = event()
  queue.add([first])
  expect(notified).toEqual([[first]])
  expect(clock.pending).toBe(0)
  queue.add([])
  expect(notified).toHaveLength(1)
})

test('alerts of the desk that waited for this seat are one notification', () => {
  const { queue, clock, sizes } = openQueue()
  const late = { desk: { watcher: 'watch-1', isLate: true } }
  queue.add(events(1, late))
  queue.add(events(1, late))
  expect(sizes()).toEqual([])
  clock.advance(1_500)
  expect(sizes()).toEqual([2])
  queue.add(events(2, { desk: { watcher: 'watch-1', isLate: false } }))
  expect(sizes()).toEqual([2, 1, 1])
})

test('more than three late events together are one notification, fewer are one each', () => {
  const { clock, queue, sizes } = openQueue()
  queue.add(events(2, { kind: 'lateFromHistory' }))
  queue.add(events(1, { kind: 'lateFromHistory', indexId: 'NCI' }))
  expect(sizes()).toEqual([])
  clock.advance(1_500)
  expect(sizes()).toEqual([1, 1, 1])
  queue.add(events(3, { kind: 'lateFromHistory' }))
  queue.add(events(2, { kind: 'lateFromHistory', indexId: 'NCI' }))
  // Other events do not wait for it.
  queue.add(events(1))
  clock.advance(1_500)
  expect(sizes()).toEqual([1, 1, 1, 1, 5])
})

test('forty indices silent together are one notification, and so are their forty ends', () => {
  const { notified, queue, clock, sizes } = openQueue()
  const ids = Array.from({ length: 40 }, (_, at) => `INDEX_${at}`)
  const silences = ids.map((id) => silent(id))
  for (const each of silences) {
    queue.add([each])
    clock.advance(30)
  }
  expect(notified).toEqual([])
  clock.advance(1_500 - 40 * 30)
  expect(notified).toEqual([silences])
  for (const id of ids) queue.add([silent(id, 'recovered')])
  clock.advance(1_500)
  expect(sizes()).toEqual([40, 40])
  clock.advance(60_000)
  expect(notified).toHaveLength(2)
})

test('a single silence is notified after 1.5 s, and a later one separately', () => {
  const { notified, queue, clock } = openQueue()
  const [first, second] = [silent('BRTI'), silent('ETHUSD_RTI')]
  queue.add([first])
  clock.advance(1_499)
  expect(notified).toEqual([])
  clock.advance(1)
  queue.add([second])
  clock.advance(1_500)
  expect(notified).toEqual([[first], [second]])
})

test('the silence of a rule is notified before its end, however short it was', () => {
  const { notified, queue, clock } = openQueue()
  const [other, silence, end] = [silent('A', 'recovered'), silent('B'), silent('B', 'recovered')]
  queue.add([other])
  clock.advance(1_000)
  queue.add([silence])
  queue.add([end])
  clock.advance(1_500)
  expect(notified).toEqual([[silence], [other, end]])
})

test('three rules that one value crosses are three notifications, four are one', () => {
  const { queue, sizes, notified } = openQueue()
  const inputs = { value: '100', publishedAtMs: 5 }
  queue.add(events(3, { inputs }))
  expect(sizes()).toEqual([1, 1, 1])
  const four = events(4, { inputs })
  const other = event()
  const inBetween = silent('A')
  queue.add([...four.slice(0, 2), inBetween, ...four.slice(2), other])
  expect(notified.slice(3)).toEqual([four, [other]])
})

test('values of several indices at one time and events without a value are separate', () => {
  const { queue, sizes } = openQueue()
  queue.add(['A', 'B', 'C', 'D'].map((indexId) => event({ indexId, inputs: { value: '1', publishedAtMs: 5 } })))
  queue.add(events(4, { kind: 'expired', inputs: {} }))
  expect(sizes()).toEqual(Array.from({ length: 8 }, () => 1))
})

test('more than ten notifications a minute become a digest every ten seconds', () => {
  const { queue, sizes, clock, notified } = openQueue()
  const storm = events(25)
  for (const each of storm) queue.add([each])
  expect(sizes()).toEqual(Array.from({ length: 10 }, () => 1))
  clock.advance(9_999)
  expect(notified).toHaveLength(10)
  clock.advance(1)
  expect(notified.at(-1)).toEqual(storm.slice(10))
  const later = event()
  queue.add([later])
  clock.advance(10_000)
  expect(notified.slice(11)).toEqual([[later]])
})

test('when the minute has room, an event is notified immediately after the collected ones', () => {
  const { queue, clock, notified, sizes } = openQueue()
  for (const each of events(10)) queue.add([each])
  clock.advance(55_000)
  const [collected, next, last] = [event(), event(), event()]
  queue.add([collected])
  clock.advance(6_000)
  queue.add([next])
  expect(notified).toHaveLength(10)
  clock.advance(4_000)
  expect(notified.at(-1)).toEqual([collected, next])
  queue.add([last])
  expect(sizes().slice(10)).toEqual([2, 1])
})

test('a digest of one value or of silences counts as one notification of the minute', () => {
  const { queue, clock, sizes } = openQueue()
  queue.add(events(50, { inputs: { value: '1', publishedAtMs: 5 } }))
  for (const id of ['A', 'B', 'C']) queue.add([silent(id)])
  clock.advance(1_500)
  for (const each of events(8)) queue.add([each])
  expect(sizes()).toEqual([50, 3, 1, 1, 1, 1, 1, 1, 1, 1])
  queue.add([event()])
  expect(sizes()).toHaveLength(10)
})

test('an urgent event is not delayed by other events, and urgent ones are limited too', () => {
  const { queue, clock, sizes, notified } = openQueue()
  for (const each of events(20)) queue.add([each])
  const urgent = event({ severity: 'urgent' })
  queue.add([urgent])
  expect(notified.at(-1)).toEqual([urgent])
  for (const each of events(40, { severity: 'urgent' })) queue.add([each])
  expect(sizes()).toHaveLength(40)
  clock.advance(10_000)
  expect(sizes().slice(40)).toEqual([10, 11])
})

test('a wall clock that jumps changes nothing', () => {
  const { queue, clock, sizes } = openQueue()
  for (const each of events(11)) queue.add([each])
  clock.jumpWall(-3_600_000)
  queue.add([event()])
  clock.jumpWall(7_200_000)
  queue.add([event()])
  clock.advance(10_000)
  expect(sizes().slice(10)).toEqual([3])
})

test('at the end collected events are notified, and later ones immediately', () => {
  const { queue, clock, notified, sizes } = openQueue()
  for (const each of events(12)) queue.add([each])
  const [silence, urgent] = [silent('A'), silent('B', 'fired', { severity: 'urgent' })]
  queue.add([silence, urgent])
  expect(notified).toHaveLength(10)
  queue.dispose()
  expect(sizes().slice(10)).toEqual([1, 3])
  expect(clock.pending).toBe(0)
  const late = silent('C')
  queue.add([late])
  expect(notified.at(-1)).toEqual([late])
  queue.dispose()
  expect(notified).toHaveLength(13)
  expect(clock.pending).toBe(0)
})
