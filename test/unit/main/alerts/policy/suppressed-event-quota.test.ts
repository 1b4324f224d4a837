import { expect, test } from 'vitest'
import { NotificationPolicy } from '../../../../../main/alerts/policy/notification-policy'
import { above, openAlerts, startMs } from '../../../../support/open-alerts'
import { firedEvent } from '../../../../support/sample-alerts'

const hourMs = 3_600_000

test('of one rule sixty events an hour are recorded, also where the clock is set back', () => {
  const policy = new NotificationPolicy()
  const taken = (ruleId: string, nowMs: number, times: number) =>
    Array.from({ length: times }, () => policy.records(firedEvent(1, above, { ruleId }), nowMs)).filter(Boolean).length
  expect(taken('a', hourMs, 100)).toBe(60)
  expect(taken('b', hourMs, 1)).toBe(1)
  expect(taken('a', 2 * hourMs - 1, 100)).toBe(0)
  expect(taken('a', 2 * hourMs, 100)).toBe(60)
  expect(taken('a', 0, 1)).toBe(1)
  policy.forget('a')
  expect(taken('a', 1, 60)).toBe(60)
})

test('a value that hovers at the level under a mute is recorded sixty times, and the first one after the mute is notified', async () => {
  const { engine, publish, fired } = await openAlerts()
  await engine.create({ ...above, repeat: { mode: 'everyCrossing' } }, 'wait', undefined)
  await engine.snooze({ of: 'all' }, null)
  for (let crossing = 0; crossing < 100; crossing++) {
    publish('99')
    publish('101')
  }
  await engine.flush()
  expect(engine.inbox().filter(({ heldBackBy }) => heldBackBy === 'muted')).toHaveLength(60)
  expect(fired).toEqual([])
  await engine.endSnooze({ of: 'all' })
  publish('99')
  publish('101')
  await engine.flush()
  expect(fired).toMatchObject([{ kind: 'fired', inputs: { value: '101' } }])
})

test('a retraction is recorded however much was held back: no firing stands there as if it held', async () => {
  const { engine, receive, publish, fired } = await openAlerts()
  await engine.create({ ...above, repeat: { mode: 'everyCrossing' } }, 'wait', undefined)
  publish('99')
  publish('101')
  await engine.flush()
  await engine.snooze({ of: 'all' }, null)
  for (let crossing = 0; crossing < 100; crossing++) {
    publish('99')
    publish('101')
  }
  receive('BRTI', { value: '98', publishedAtMs: startMs + 1_000, amendedAtMs: startMs + 9_000 })
  await engine.flush()
  expect(engine.inbox().find(({ kind }) => kind === 'retracted')).toMatchObject({
    aboutEventId: fired[0]?.id,
    heldBackBy: 'muted',
  })
})
