import { expect, test } from 'vitest'
import type { AlertEvent, InboxPage, InboxQuery } from '../../../../../protocol/alert-events'
import type { Outcome } from '../../../../../protocol/model'
import { merged, retractionsIn } from '../../../../../renderer/views/alerts/inbox-events'
import { InboxList } from '../../../../../renderer/views/alerts/inbox-list.svelte'
import { firedEvent, levelDraft, richInbox } from '../../../../support/sample-alerts'

const event = (number: number, more: Partial<AlertEvent> = {}) => firedEvent(number, levelDraft(), more)
const numbers = (events: readonly AlertEvent[]) => events.map(({ number }) => number)

/** A list whose questions are answered by hand. */
function askedList() {
  const asked: { query: InboxQuery; answer: (outcome: Outcome<InboxPage>) => void }[] = []
  const list = new InboxList({
    getInbox: (query) =>
      new Promise((answer) => {
        asked.push({ query, answer })
      }),
  })
  return { list, asked }
}

const page = (events: AlertEvent[], hasMore = false): Outcome<InboxPage> => ({ ok: true, value: { events, hasMore } })

test('what is told again takes the place of what was known, newest first', () => {
  const all = merged([event(3), event(1, { delivery: 'clicked' })], [event(2), event(1)])
  expect(numbers(all)).toEqual([3, 2, 1])
  expect(all[2]?.delivery).toBe('clicked')
})

test('a retraction is found by the event it is about', () => {
  expect([...retractionsIn(richInbox).keys()]).toEqual(['e8'])
})

test('what falls off the newest stays on screen, so that no hole opens', async () => {
  const { list, asked } = askedList()
  await list.take([event(2), event(1)])
  await list.take([event(3), event(2)])
  expect(numbers(list.events)).toEqual([3, 2, 1])
  expect(asked).toEqual([])
})

test('the answer to a former search is passed over', async () => {
  const { list, asked } = askedList()
  await list.take([event(9)])
  const first = list.searchFor('a')
  const second = list.searchFor('ab')
  asked[1]?.answer(page([event(2)]))
  asked[0]?.answer(page([event(1)]))
  await Promise.all([first, second])
  expect(numbers(list.events)).toEqual([2])
  expect(list.isAsking).toBe(false)
})

test('an answer that comes after the search was given up changes nothing', async () => {
  const { list, asked } = askedList()
  await list.take([event(9)])
  const search = list.searchFor('a')
  await list.searchFor('')
  asked[0]?.answer(page([event(1)]))
  await search
  expect(numbers(list.events)).toEqual([9])
  expect(list.isAsking).toBe(false)
})

test('older ones of a search are asked with the search', async () => {
  const { list, asked } = askedList()
  const search = list.cutTo('fired')
  asked[0]?.answer(page([event(5)], true))
  await search
  expect(list.hasMore).toBe(true)
  const older = list.askOlder()
  asked[1]?.answer(page([event(4)]))
  await older
  expect(asked[1]?.query).toEqual({ kinds: ['fired'], before: 5 })
  expect(numbers(list.events)).toEqual([5, 4])
  expect(list.hasMore).toBe(false)
})
