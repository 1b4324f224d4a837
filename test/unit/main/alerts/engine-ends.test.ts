/** Ends that meet: a finished rule and its expiry, a silence and a restart, a switch of services. */
import { expect, test } from 'vitest'
import type { AlertDraft } from '../../../../core/alerts'
import { above, openAlerts, openWithRule, startMs } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

const minute = 60_000
const day = 86_400_000
const expiring: AlertDraft = { ...above, expiresAt: { atMs: startMs + 3 * day, timeZone: 'Europe/London' } }
const silence: AlertDraft = {
  ...levelDraft(),
  terms: { condition: 'noUpdate', afterMs: minute },
  repeat: { mode: 'everyCrossing' },
}

test('a rule that is waiting expires after a warning, but a finished one does not', async () => {
  const { engine, publish, fired, clock, history } = await openAlerts()
  await engine.create(expiring, 'wait', undefined)
  await engine.create({ ...expiring, terms: { condition: 'risesTo', level: '200' } }, 'wait', undefined)
  publish('99')
  publish('101')
  await engine.flush()
  const writes = history.written.length
  clock.advance(4 * day)
  await engine.flush()
  expect(fired.map(({ kind, ruleId }) => [kind, ruleId])).toEqual([
    ['fired', 'a'],
    ['expiresSoon', 'b'],
    ['expired', 'b'],
  ])
  expect(engine.views().map(({ phase }) => phase)).toEqual(['triggered', 'expired'])
  // Nothing is retried in a loop.
  expect(history.written.length - writes).toBeLessThan(4)
})

test('a rule that an amendment has re-armed expires like any other', async () => {
  const { engine, receive, fired, clock } = await openWithRule(expiring, '99', '101')
  await engine.flush()
  receive('BRTI', { value: '98', publishedAtMs: startMs + 1_000, amendedAtMs: startMs + minute })
  await engine.flush()
  clock.advance(4 * day)
  await engine.flush()
  expect(fired.map(({ kind }) => kind)).toEqual(['fired', 'retracted', 'expiresSoon', 'expired'])
})

test('a silence continues after a restart until a later value, not the old one again', async () => {
  const before = await openWithRule(silence, '99')
  before.clock.advance(2 * minute)
  await before.engine.flush()
  before.clock.advance(2_000)
  const next = await openAlerts(before.history.reopened())
  // Disconnected for longer than the rule waits. Then the service sends its last value.
  next.clock.advance(2 * minute)
  next.publish('99', { publishedAtMs: startMs })
  next.clock.advance(3 * minute)
  await next.engine.flush()
  next.clock.advance(2_000)
  expect([before.fired, next.fired].map((events) => events.map(({ kind }) => kind))).toEqual([['fired'], []])
  next.publish('100')
  await next.engine.flush()
  next.clock.advance(2_000)
  expect(next.fired).toMatchObject([{ kind: 'recovered', inputs: { value: '100', silentSinceMs: startMs } }])
})

test('waiting events are notified before a switch to another service', async () => {
  const { engine, fired, clock } = await openWithRule(silence, '99')
  clock.advance(minute - 1_000)
  await engine.leave()
  expect(fired).toMatchObject([{ kind: 'fired', inputs: { silentSinceMs: startMs } }])
})

test('a silence in another service has no values of the one before', async () => {
  const { engine, publish, fired, clock } = await openAlerts()
  publish('99')
  await engine.leave()
  await engine.use()
  await engine.create(silence, 'wait', undefined)
  clock.advance(2 * minute)
  await engine.flush()
  clock.advance(2_000)
  expect(fired.map(({ inputs }) => inputs)).toEqual([{}])
})
