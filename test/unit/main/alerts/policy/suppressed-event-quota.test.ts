import { expect, test } from 'vitest'
import { countSuppressed } from '../../../../../main/alerts/policy/notification-policy'
import { above, openAlerts, startMs } from '../../../../support/open-alerts'

const hourMs = 3_600_000

test('of one rule sixty events an hour are recorded, also where the clock is set back', () => {
  let hour: ReturnType<typeof countSuppressed> | undefined
  const recorded = (nowMs: number, times: number) => {
    const counted = Array.from({ length: times }, () => (hour = countSuppressed(hour, nowMs)))
    return counted.filter(({ isRecorded }) => isRecorded).length
  }
  expect(recorded(hourMs, 100)).toBe(60)
  expect(recorded(2 * hourMs - 1, 100)).toBe(0)
  expect(recorded(2 * hourMs, 100)).toBe(60)
  expect(recorded(0, 1)).toBe(1)
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
