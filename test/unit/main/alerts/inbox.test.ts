import { expect, test } from 'vitest'
import { historyWith } from '../../../support/memory-history'
import { openAlerts } from '../../../support/open-alerts'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const events = (count: number) => {
  return Array.from({ length: count }, (_, at) => firedEvent(at + 1, levelDraft(), { isRead: false }))
}

test('unread events are counted until they are read, also after a restart', async () => {
  const { engine, history, changes } = await openAlerts(await historyWith({ events: events(3) }))
  expect(engine.unreadCount()).toBe(3)
  engine.markRead()
  const before = changes()
  engine.markRead()
  expect(changes()).toBe(before)
  expect(engine.inbox().map(({ isRead }) => isRead)).toEqual([true, true, true])
  await engine.flush()
  expect((await openAlerts(history.reopened())).engine.unreadCount()).toBe(0)
})

test('the results of a notification and a webhook are stored, also for an older event', async () => {
  const { engine, history } = await openAlerts(await historyWith({ events: events(250) }))
  engine.noteOutcome('e250', { delivery: 'clicked' })
  engine.noteOutcome('e3', { delivery: 'failed' })
  engine.noteOutcome('e3', { webhookResult: 'It answered 200.' })
  engine.noteOutcome('none', { delivery: 'shown' })
  await new Promise((resolve) => setImmediate(resolve))
  await engine.flush()
  expect(engine.inbox()[0]).toMatchObject({ id: 'e250', delivery: 'clicked' })
  expect(history.store.query('event', { id: 'e250' })).toMatchObject({ delivery: 'clicked' })
  expect(history.store.query('event', { id: 'e3' })).toMatchObject({ webhookResult: 'It answered 200.' })
  expect(history.store.query('event', { id: 'none' })).toBeNull()
})

test('the list is the same object until it changes, and is never changed in place', async () => {
  const { engine } = await openAlerts(await historyWith({ events: events(2) }))
  const before = engine.inbox()
  expect(engine.inbox()).toBe(before)
  engine.noteOutcome('e2', { delivery: 'clicked' })
  await engine.flush()
  expect(engine.inbox()).not.toBe(before)
  expect(before[0]?.delivery).not.toBe('clicked')
})
