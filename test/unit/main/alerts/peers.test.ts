/**
 * What the alerts of comparable programs get wrong, one test each: none of it may happen here. One more, a clock that
 * moves on while the data stands still, is in `test/renderer/mirror.spec.ts`: an age counts from the data.
 */
import { expect, test } from 'vitest'
import type { AlertDraft } from '../../../../core/alerts'
import { levelDraft } from '../../../support/sample-alerts'
import { openAlerts, openWithRule, startMs } from '../../../support/open-alerts'

const every = { repeat: { mode: 'everyCrossing' } } as const
const minuteMs = 60_000
/** The rise within a minute that the last of these values ends. */
const risesByOne: AlertDraft = {
  ...levelDraft(),
  ...every,
  terms: { condition: 'moves', direction: 'up', amount: '1', unit: 'percent', withinMs: minuteMs },
}

test('a step larger than the distance that is left does not fire before the level is reached', async () => {
  const { engine, publish, fired } = await openWithRule(levelDraft('13'), '10', '12')
  await engine.flush()
  expect(fired).toEqual([])
  publish('13')
  await engine.flush()
  expect(fired).toHaveLength(1)
})

test('another level crossed while a rule of the same index is cooling down is notified', async () => {
  const { engine, publish, fired } = await openAlerts()
  await engine.create({ ...levelDraft('100'), ...every, cooldownMs: 3 * minuteMs }, 'wait', undefined)
  await engine.create({ ...levelDraft('105'), ...every }, 'wait', undefined)
  for (const value of ['99', '101', '99', '102', '106']) publish(value)
  await engine.flush()
  expect(fired.map(({ terms, inputs }) => ['level' in terms && terms.level, inputs.value])).toEqual([
    ['100', '101'],
    ['105', '106'],
  ])
  // The crossing held back is lost for the notification alone.
  expect(engine.inbox().filter(({ heldBackBy }) => heldBackBy === 'cooldown')).toHaveLength(1)
})

test('a level passed hours ago does not fire on the first value, nor again after a restart', async () => {
  const before = await openAlerts()
  before.publish('99')
  before.clock.advance(5 * 60 * minuteMs)
  before.publish('150')
  await before.engine.create(levelDraft('100'), 'wait', before.quotes.get('BRTI'))
  await before.engine.create(levelDraft('200'), 'wait', before.quotes.get('BRTI'))
  before.publish('201')
  await before.engine.flush()
  expect(before.fired.map(({ inputs }) => inputs.value)).toEqual(['201'])
  const after = await openAlerts(before.tape.reopened())
  after.clock.advance(6 * 60 * minuteMs)
  after.publish('202')
  await after.engine.flush()
  expect(after.fired).toEqual([])
})

test('a fall is no rise of as many percent, and a level of zero is a level', async () => {
  const { engine, publish, fired } = await openAlerts()
  await engine.create(risesByOne, 'wait', undefined)
  for (let second = 0; second <= 60; second++) publish('100')
  publish('97')
  await engine.flush()
  expect(fired).toEqual([])
  await engine.create(levelDraft('0', { indexId: 'ETHUSD_RTI', condition: 'fallsTo' }), 'wait', undefined)
  publish('0.5', { id: 'ETHUSD_RTI' })
  publish('0', { id: 'ETHUSD_RTI' })
  await engine.flush()
  expect(fired.map(({ indexId }) => indexId)).toEqual(['ETHUSD_RTI'])
})

test('a touch from above that bounces is one crossing downwards, and none upwards', async () => {
  const { engine, publish, fired } = await openAlerts()
  await engine.create({ ...levelDraft('100', { condition: 'crosses' }), ...every }, 'wait', undefined)
  for (const value of ['101', '100', '101']) publish(value)
  await engine.flush()
  expect(fired.map(({ inputs }) => [inputs.direction, inputs.value])).toEqual([['down', '100']])
})

test('a value of long ago fires nothing while it is only remembered', async () => {
  const { engine, quotes, clock, publish, fired } = await openWithRule(levelDraft('100'), '99')
  quotes.forget('BRTI')
  quotes.seed([{ id: 'BRTI', value: '150', publishedAtMs: startMs - minuteMs, source: 'cache' }])
  clock.advance(minuteMs)
  await engine.flush()
  expect(fired).toEqual([])
  publish('151')
  await engine.flush()
  expect(fired.map(({ inputs }) => inputs.value)).toEqual(['151'])
})

test('a silence does not count the time the machine slept', async () => {
  const { engine, clock, publish, fired } = await openAlerts()
  const silent: AlertDraft = { ...levelDraft(), terms: { condition: 'noUpdate', afterMs: minuteMs } }
  await engine.create(silent, 'wait', undefined)
  publish('99')
  // The timer that came due meanwhile is late, and the wake is heard of first.
  clock.sleep(120 * minuteMs)
  engine.woke()
  clock.advance(minuteMs - 1)
  await engine.flush()
  expect(fired).toEqual([])
  clock.advance(minuteMs)
  await engine.flush()
  // Silences of one cause are notified together, a moment later.
  clock.advance(2_000)
  expect(fired).toMatchObject([{ kind: 'fired', inputs: { silentSinceMs: startMs } }])
})
