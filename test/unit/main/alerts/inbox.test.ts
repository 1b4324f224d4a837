import { expect, test } from 'vitest'
import { Inbox } from '../../../../main/alerts/inbox'
import type { AlertEvent } from '../../../../protocol/alert-events'

function event(id: string, more: Partial<AlertEvent> = {}): AlertEvent {
  return {
    id,
    ruleId: 'r',
    indexId: 'BRTI',
    condition: 'atOrAbove',
    level: '1',
    value: '2',
    publishedAtMs: 1,
    firedAtMs: 1,
    delivery: 'pending',
    isRead: false,
    ...more,
  }
}

test('gives the newest first and no more than asked for', () => {
  const inbox = new Inbox([event('1'), event('2')])
  inbox.append(event('3'))
  expect(inbox.newestFirst(2).map(({ id }) => id)).toEqual(['3', '2'])
  expect(inbox.newestFirst(9).map(({ id }) => id)).toEqual(['3', '2', '1'])
  expect(inbox.all().map(({ id }) => id)).toEqual(['1', '2', '3'])
})

test('keeps ten thousand, the oldest go first', () => {
  const inbox = new Inbox(Array.from({ length: 10_005 }, (_, at) => event(`${at}`)))
  expect(inbox.all()[0]?.id).toBe('5')
  inbox.append(event('new'))
  expect(inbox.all()).toHaveLength(10_000)
  expect(inbox.all()[0]?.id).toBe('6')
  expect(inbox.newestFirst(1)[0]?.id).toBe('new')
})

test('counts what is unread until it is read', () => {
  const inbox = new Inbox([event('1', { isRead: true }), event('2')])
  inbox.append(event('3'))
  expect(inbox.unreadCount()).toBe(2)
  expect(inbox.markRead()).toBe(true)
  expect(inbox.unreadCount()).toBe(0)
  expect(inbox.markRead()).toBe(false)
})

test('notes what became of a notice, and nothing of one it does not know', () => {
  const inbox = new Inbox([event('1'), event('2')])
  expect(inbox.noteDelivery('1', 'shown')).toBe(true)
  expect(inbox.noteDelivery('1', 'shown')).toBe(false)
  expect(inbox.noteDelivery('9', 'shown')).toBe(false)
  expect(inbox.all().map(({ delivery }) => delivery)).toEqual(['shown', 'pending'])
})

test('changes no event that was handed out', () => {
  const inbox = new Inbox([event('1')])
  const before = inbox.newestFirst(1)
  inbox.markRead()
  inbox.noteDelivery('1', 'shown')
  expect(before).toEqual([event('1')])
})
