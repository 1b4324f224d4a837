import { expect, test } from 'vitest'
import type { AlertDraft } from '../../../../core/alerts'
import { MemoryHistory } from '../../../support/memory-history'
import { valueOf } from '../../../support/value-of'
import { openAlerts, startMs } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

const crossing: AlertDraft = { ...levelDraft('100', { condition: 'crosses' }), repeat: { mode: 'everyCrossing' } }

async function openRule(draft: AlertDraft, history?: MemoryHistory) {
  const opened = await openAlerts(history)
  await opened.engine.create(draft, 'wait', undefined)
  opened.publish('99')
  await opened.engine.flush()
  const publishAll = async (...values: string[]) => {
    for (const value of values) {
      opened.publish(value)
      await opened.engine.flush()
    }
  }
  return { ...opened, publishAll }
}

const notified = (opened: Awaited<ReturnType<typeof openAlerts>>) =>
  opened.fired.map(({ kind, inputs }) => [kind, inputs.value ?? ''])

test('a cooldown suppresses and counts, and its end reports the count and the last value', async () => {
  const opened = await openRule({ ...crossing, cooldownMs: 60_000 })
  await opened.publishAll('101', '99', '101', '99.5')
  expect(notified(opened)).toEqual([['fired', '101']])
  expect(opened.engine.views()).toMatchObject([{ cooldown: { heldBack: 3 } }])
  opened.clock.advance(60_000)
  await opened.engine.flush()
  expect(notified(opened)).toEqual([
    ['fired', '101'],
    ['cooldownOver', '99.5'],
  ])
  expect(opened.engine.inbox()[0]).toMatchObject({ heldBackCount: 3, number: 5 })
  expect(opened.engine.views()[0]?.cooldown).toBeUndefined()
})

test('a snooze suppresses firings until it ends, also after a restart', async () => {
  const opened = await openRule(crossing)
  await opened.engine.snooze({ of: 'index', indexId: 'BRTI' }, startMs + 60_000)
  await opened.publishAll('101')
  const next = await openAlerts(opened.history.reopened())
  expect(next.engine.snoozes()).toEqual([{ scope: { of: 'index', indexId: 'BRTI' }, untilMs: startMs + 60_000 }])
  next.clock.advance(5_000)
  next.publish('99')
  await next.engine.flush()
  expect([opened.fired, next.fired]).toEqual([[], []])
  expect(next.engine.inbox()).toMatchObject([{ heldBackBy: 'snooze' }, { heldBackBy: 'snooze' }, { kind: 'snoozed' }])
  next.clock.advance(55_000)
  expect(next.engine.snoozes()).toEqual([])
  next.publish('101')
  await next.engine.flush()
  expect(notified(next)).toEqual([['fired', '101']])
})

test('a rule that fires too often is suspended once, with a reason, until it is re-armed', async () => {
  const opened = await openRule(crossing)
  await opened.publishAll(...Array.from({ length: 24 }, (_, at) => (at % 2 === 0 ? '101' : '99')))
  opened.clock.advance(60_000)
  const { events: suspensions } = valueOf(await opened.engine.page({ kinds: ['suspended'] }))
  expect(suspensions).toHaveLength(1)
  const next = await openAlerts(opened.history.reopened())
  expect(next.engine.views()).toMatchObject([{ phase: 'suspended', suspension: suspensions[0]?.reason }])
  next.clock.advance(120_000)
  next.publish('101')
  await next.engine.flush()
  expect(next.engine.inbox()[0]).toMatchObject({ kind: 'fired', heldBackBy: 'suspended' })
  expect(next.fired).toEqual([])
  expect(await next.engine.arm('a', next.quotes.get('BRTI'))).toMatchObject({ ok: true })
  next.publish('99')
  await next.engine.flush()
  expect(notified(next)).toEqual([['fired', '99']])
})

test('at the end of the app waiting events are notified and stored, and no timer is left', async () => {
  const opened = await openRule({ ...crossing, terms: { condition: 'noUpdate', afterMs: 30_000 }, cooldownMs: 60_000 })
  opened.clock.advance(30_000)
  await opened.engine.flush()
  opened.engine.events.on('notify', (events) => {
    for (const { id } of events) opened.engine.noteOutcome(id, { delivery: 'shown' })
  })
  expect(opened.fired).toEqual([])
  opened.engine.dispose()
  await opened.engine.flush()
  expect(opened.fired).toHaveLength(1)
  expect(opened.history.store.query('events', {})).toMatchObject({ events: [{ delivery: 'shown' }] })
  expect(opened.clock.pending).toBe(0)
})

test('a rule that can no longer fire is notified once, also after a restart', async () => {
  const opened = await openRule(levelDraft('105'))
  const [rule] = opened.engine.views()
  const id = rule?.id ?? ''
  const lost = { cannotFire: 'no BTCC in NCI', sinceMs: startMs }
  await opened.engine.noteReach(new Map([[id, 'unchecked' as const]]))
  expect(opened.engine.views()).toMatchObject([{ reach: 'unchecked' }])
  expect(opened.fired).toEqual([])
  await opened.engine.noteReach(new Map([[id, lost]]))
  opened.clock.advance(2_000)
  await opened.engine.flush()
  expect(opened.fired).toMatchObject([{ kind: 'cannotFire', reason: 'no BTCC in NCI', ruleId: id }])
  const next = await openAlerts(opened.history.reopened())
  expect(next.engine.views()).toMatchObject([{ reach: lost }])
  await next.engine.noteReach(new Map([[id, { ...lost, cannotFire: 'the service refuses NCI: No' }]]))
  expect(next.engine.views()).toMatchObject([{ reach: { cannotFire: 'the service refuses NCI: No' } }])
  await next.engine.noteReach(new Map([[id, undefined]]))
  next.clock.advance(2_000)
  await next.engine.flush()
  expect(next.fired).toEqual([])
  expect(next.engine.views()[0]?.reach).toBeUndefined()
})

test('a mute records sixty firings of a hovering value, and the next one is notified', async () => {
  const { engine, publish, fired } = await openAlerts()
  await engine.create({ ...levelDraft('100'), repeat: { mode: 'everyCrossing' } }, 'wait', undefined)
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

test('a retraction is recorded even after sixty suppressed events', async () => {
  const { engine, receive, publish, fired } = await openAlerts()
  await engine.create({ ...levelDraft('100'), repeat: { mode: 'everyCrossing' } }, 'wait', undefined)
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
