import { expect, test } from 'vitest'
import { Inbox } from '../../../../main/alerts/inbox'
import type { ArchiveEntry } from '../../../../main/alerts/inbox-archive'
import type { AlertEvent } from '../../../../protocol/alert-events'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const event = (number: number, more: Partial<AlertEvent> = {}) => firedEvent(number, levelDraft('1'), more)
const events = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => event(first + at, { delivery: 'pending' }))
const numbers = (list: readonly AlertEvent[]) => list.map(({ number }) => number)
const archivedNumbers = (entries: readonly ArchiveEntry[]) =>
  entries.map((entry) => ('event' in entry ? entry.event.number : entry))

test('gives the newest first and no more than asked for', () => {
  const inbox = new Inbox({ tail: events(1, 2) })
  inbox.append(event(inbox.nextNumber))
  expect(numbers(inbox.newestFirst(2))).toEqual([3, 2])
  expect(numbers(inbox.newestFirst(9))).toEqual([3, 2, 1])
  expect(numbers(inbox.tail())).toEqual([1, 2, 3])
})

test('counts what is unread until it is read, which is one number', () => {
  const inbox = new Inbox({ tail: events(1, 3), archived: [], readThrough: 1 })
  expect(inbox.unreadCount()).toBe(2)
  inbox.append(event(4))
  inbox.append(event(5, { kind: 'snoozed', isRead: true }))
  expect(inbox.unreadCount()).toBe(3)
  expect(inbox.markRead()).toBe(true)
  expect([inbox.unreadCount(), inbox.readThrough]).toEqual([0, 5])
  expect(inbox.newestFirst(9).every(({ isRead }) => isRead)).toBe(true)
  expect(inbox.markRead()).toBe(false)
})

test('what the user snoozed themselves is read, also after a restart', () => {
  const inbox = new Inbox({ tail: [event(1), event(2, { kind: 'snoozed', isRead: true })], readThrough: 0 })
  expect(inbox.unreadCount()).toBe(1)
})

test('notes what became of a notification and of a webhook, and nothing of an event it does not know', () => {
  const inbox = new Inbox({ tail: events(1, 2) })
  expect(inbox.noteDelivery('e1', 'shown')).toBe(true)
  expect(inbox.noteDelivery('e1', 'shown')).toBe(false)
  expect(inbox.noteDelivery('e9', 'shown')).toBe(false)
  expect(inbox.noteWebhook('e2', 'It answered 200.')).toBe(true)
  expect(inbox.noteWebhook('e2', 'It answered 200.')).toBe(false)
  expect(inbox.tail()).toMatchObject([
    { delivery: 'shown' },
    { delivery: 'pending', webhookResult: 'It answered 200.' },
  ])
  expect(inbox.toArchive()).toEqual([])
})

test('changes no event that was handed out', () => {
  const inbox = new Inbox({ tail: [event(1)] })
  const before = inbox.newestFirst(1)
  inbox.markRead()
  inbox.noteDelivery('e1', 'failed')
  expect(before).toEqual([event(1)])
})

test('the oldest events leave the tail together, once they are in the archive', () => {
  const inbox = new Inbox({ tail: events(1, 4) }, { max: 4, kept: 2 })
  expect(inbox.toArchive()).toEqual([])
  inbox.append(event(5))
  const leaving = inbox.toArchive()
  expect(archivedNumbers(leaving)).toEqual([1, 2, 3])
  expect(numbers(inbox.tail())).toEqual([1, 2, 3, 4, 5])
  inbox.noteArchived(leaving)
  expect(numbers(inbox.tail())).toEqual([4, 5])
  expect(numbers(inbox.newestFirst(9))).toEqual([5, 4, 3, 2, 1])
  expect(inbox.toArchive()).toEqual([])
})

test('what becomes known of an archived event is archived too, once', () => {
  const inbox = new Inbox({ tail: events(5, 6), archived: events(1, 4) }, { max: 4, kept: 2 })
  inbox.noteDelivery('e2', 'clicked')
  inbox.noteWebhook('e3', 'It answered 500.')
  inbox.noteDelivery('e6', 'shown')
  const notes = inbox.toArchive()
  expect(notes).toEqual([
    { number: 2, delivery: 'clicked' },
    { number: 3, webhookResult: 'It answered 500.' },
  ])
  inbox.noteDelivery('e1', 'failed')
  inbox.noteArchived(notes)
  expect(inbox.toArchive()).toEqual([{ number: 1, delivery: 'failed' }])
})

test('what becomes known of an event while it is being archived is not lost', () => {
  const inbox = new Inbox({ tail: events(1, 5) }, { max: 4, kept: 2 })
  const leaving = inbox.toArchive()
  inbox.noteDelivery('e3', 'shown')
  inbox.markRead()
  inbox.noteArchived(leaving)
  expect(inbox.toArchive()).toEqual([{ number: 3, delivery: 'shown' }])
})

test('an event in both files counts once, as the tail has it, and goes on being part of the tail', () => {
  const tail = [event(3, { delivery: 'clicked' }), event(4)]
  const inbox = new Inbox({ tail, archived: events(1, 3) })
  expect(numbers(inbox.newestFirst(9))).toEqual([4, 3, 2, 1])
  expect(inbox.get('e3')?.delivery).toBe('clicked')
  expect(numbers(inbox.tail())).toEqual([3, 4])
})

test('where the file of the rules was lost, numbers go on after those of the archive', () => {
  const inbox = new Inbox({ tail: [], archived: events(1, 3) })
  expect(inbox.nextNumber).toBe(4)
  expect(inbox.tail()).toEqual([])
  inbox.append(event(4))
  expect(numbers(inbox.tail())).toEqual([4])
})

test('where the file of the rules was lost, what was read before it was archived stays read', () => {
  const archived = [event(1, { isRead: true }), event(2), event(3, { kind: 'snoozed', isRead: true })]
  const inbox = new Inbox({ tail: [], archived })
  expect(inbox.newestFirst(3).map(({ isRead }) => isRead)).toEqual([true, false, true])
  expect(inbox.unreadCount()).toBe(1)
})

test('keeps ten thousand at hand; of those only what is archived goes', () => {
  const inbox = new Inbox({ tail: events(9_801, 10_000), archived: events(1, 9_800) })
  inbox.append(event(10_001))
  expect(numbers(inbox.find({})).at(-1)).toBe(2)
  expect(inbox.find({})).toHaveLength(10_000)
  expect(inbox.unreadCount()).toBe(10_000)
  const full = new Inbox({ tail: events(1, 10_000) })
  full.append(event(10_001))
  expect(numbers(full.tail())[0]).toBe(1)
  full.noteArchived(full.toArchive())
  expect(full.tail()).toHaveLength(200)
  expect(full.newestFirst(20_000)).toHaveLength(10_000)
})
