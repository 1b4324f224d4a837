import { expect, test } from 'vitest'
import type { AlertEvent, InboxPage, InboxQuery } from '../../../../../core/alert-events'
import type { Outcome } from '../../../../../core/model'
import { merged, retractionsIn } from '../../../../../renderer/views/alerts/inbox-events'
import { InboxList } from '../../../../../renderer/views/alerts/inbox-list.svelte'
import { firedEvent, levelDraft, richInbox } from '../../../../support/sample-alerts'

const event = (number: number, more: Partial<AlertEvent> = {}) => firedEvent(number, levelDraft(), more)
const numbers = (events: readonly AlertEvent[]) => events.map(({ number }) => number)

/** A list whose requests are answered by the test. */
function askedList() {
  const asked: { query: InboxQuery; answer: (outcome: Outcome<InboxPage>) => void }[] = []
  const list = new InboxList({
    getInbox: ({ query }) =>
      new Promise((answer) => {
        asked.push({ query, answer })
      }),
  })
  return { list, asked }
}

const page = (events: AlertEvent[], hasMore = false, retractions: AlertEvent[] = []): Outcome<InboxPage> => ({
  ok: true,
  value: { events, retractions, hasMore },
})

test('newer versions of events replace older ones, newest first', () => {
  const all = merged([event(3), event(1, { delivery: 'clicked' })], [event(2), event(1)])
  expect(numbers(all)).toEqual([3, 2, 1])
  expect(all[2]?.delivery).toBe('clicked')
})

test('a retraction is found by the event it is about', () =>
  expect([...retractionsIn(richInbox).keys()]).toEqual(['e8']))

test('an event that leaves the sent ones stays on screen', async () => {
  const { list, asked } = askedList()
  await list.take([event(2), event(1)], 0)
  await list.take([event(3), event(2)], 0)
  expect(numbers(list.events)).toEqual([3, 2, 1])
  expect(asked).toEqual([])
})

test('the answer to an earlier search is ignored', async () => {
  const { list, asked } = askedList()
  await list.take([event(9)], 0)
  const first = list.searchFor('a')
  const second = list.searchFor('ab')
  asked[1]?.answer(page([event(2)]))
  asked[0]?.answer(page([event(1)]))
  await Promise.all([first, second])
  expect(numbers(list.events)).toEqual([2])
  expect(list.isLoading).toBe(false)
})

test('an answer that arrives after the search was cleared changes nothing', async () => {
  const { list, asked } = askedList()
  await list.take([event(9)], 0)
  const search = list.searchFor('a')
  await list.searchFor('')
  asked[0]?.answer(page([event(1)]))
  await search
  expect(numbers(list.events)).toEqual([9])
  expect(list.isLoading).toBe(false)
})

test('older results of a search are fetched with the same query', async () => {
  const { list, asked } = askedList()
  const search = list.filterBy('fired')
  asked[0]?.answer(page([event(5)], true))
  await search
  expect(list.hasOlder).toBe(true)
  const older = list.loadOlder()
  await Promise.resolve()
  asked[1]?.answer(page([event(4)]))
  await older
  expect(asked[1]?.query).toEqual({ kinds: ['fired'], before: 5 })
  expect(numbers(list.events)).toEqual([5, 4])
  expect(list.hasOlder).toBe(false)
})

const stretch = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => event(from - at))

/** A list over a record that answers each request. It begins with the newest 200 events. */
async function recordedList(record: { events: AlertEvent[] }) {
  const asked: InboxQuery[] = []
  const list = new InboxList({
    getInbox: ({ query }) => {
      asked.push(query)
      const { before = Infinity, after = 0, kinds } = query
      const found = record.events.filter(
        ({ number, kind }) => number < before && number > after && (kinds?.includes(kind) ?? true),
      )
      const events = query.after === undefined ? found.slice(0, 200) : found.slice(-200)
      const ids = new Set(events.map(({ id }) => id))
      const about = record.events.filter(({ kind, aboutEventId = '' }) => kind === 'retracted' && ids.has(aboutEventId))
      return Promise.resolve(page(events, found.length > 200, about))
    },
  })
  let version = 0
  const sent = () => list.take(record.events.slice(0, 200), version)
  await sent()
  return { list, asked, sent, olderChanged: () => version++ }
}

test('at most 600 events are kept; newer ones come page by page, or all at once', async () => {
  const record = { events: stretch(1_000, 1) }
  const { list, asked } = await recordedList(record)
  for (let times = 0; times < 4; times++) await list.loadOlder()
  expect(numbers(list.events)).toEqual(numbers(stretch(600, 1)))
  expect([list.hasOlder, list.hasNewer]).toEqual([false, true])
  await list.loadNewer()
  expect(numbers(list.events)).toEqual(numbers(stretch(800, 201)))
  expect([list.hasOlder, list.hasNewer]).toEqual([true, true])
  await list.loadNewer()
  expect(list.hasNewer).toBe(false)
  expect(asked.every((query) => Object.keys(query).length === 1)).toBe(true)
  await list.loadOlder()
  await list.goToNewest()
  expect(numbers(list.events)).toEqual(numbers(stretch(1_000, 801)))
})

test('new events that arrive while older ones are on screen appear on the way back', async () => {
  const record = { events: stretch(700, 1) }
  const { list, sent } = await recordedList(record)
  for (let times = 0; times < 3; times++) await list.loadOlder()
  record.events = [event(701), ...record.events]
  await sent()
  expect(numbers(list.events)).toEqual(numbers(stretch(600, 1)))
  await list.loadNewer()
  expect(numbers(list.events)).toEqual(numbers(stretch(701, 102)))
})

test('after more new events than the window is sent, the list restarts at the newest', async () => {
  const record = { events: stretch(300, 1) }
  const { list, sent } = await recordedList(record)
  await list.loadOlder()
  record.events = stretch(600, 1)
  await sent()
  expect(numbers(list.events)).toEqual(numbers(stretch(600, 401)))
  record.events = stretch(3, 1).map((each) => ({ ...each, id: `other-${each.id}` }))
  await sent()
  expect(list.events.map(({ id }) => id)).toEqual(['other-e3', 'other-e2', 'other-e1'])
})

test('when an older event changes, all events on screen are fetched again', async () => {
  const record = { events: stretch(500, 1) }
  const { list, asked, sent, olderChanged } = await recordedList(record)
  await list.loadOlder()
  record.events = record.events.map((each) => (each.number === 150 ? { ...each, delivery: 'failed' } : each))
  olderChanged()
  await sent()
  expect(list.events.find(({ number }) => number === 150)?.delivery).toBe('failed')
  expect(numbers(list.events)).toEqual(numbers(stretch(500, 101)))
  expect(asked.slice(1)).toEqual([{ before: 501 }, { before: 301 }])
})

test('search results are marked as retracted, also by later retractions', async () => {
  const record = { events: [event(3, { kind: 'retracted', aboutEventId: 'e1' }), event(2), event(1)] }
  const { list, asked, sent } = await recordedList(record)
  await list.filterBy('fired')
  expect([...list.retractions.keys()]).toEqual(['e1'])
  record.events = [event(5), event(4, { kind: 'retracted', aboutEventId: 'e2' }), ...record.events]
  await sent()
  expect(numbers(list.events)).toEqual([5, 2, 1])
  expect([...list.retractions.keys()].toSorted()).toEqual(['e1', 'e2'])
  expect(asked).toEqual([{ kinds: ['fired'] }, { kinds: ['fired'], after: 3 }])
})

test('events that arrive during a request for older ones are kept with its answer', async () => {
  const { list, asked } = askedList()
  await list.take(stretch(300, 101), 0)
  const older = list.loadOlder()
  await Promise.resolve()
  await list.take(stretch(301, 102), 0)
  asked[0]?.answer(page(stretch(100, 1)))
  await older
  expect(numbers(list.events)).toEqual(numbers(stretch(301, 1)))
})
