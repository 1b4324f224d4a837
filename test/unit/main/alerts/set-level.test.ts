import { expect, test } from 'vitest'
import type { AlertView } from '../../../../core/alerts'
import { above, openAlerts, openWithRule, startMs } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

const levels = (views: readonly AlertView[]) => views.map(({ terms }) => 'level' in terms && terms.level)

test('a moved level is saved as typed, and the rule keeps its place in the list', async () => {
  const { engine, history, clock } = await openAlerts()
  await engine.create(above, 'wait', undefined)
  await engine.create(levelDraft('200.00'), 'wait', undefined)
  clock.advance(5_000)
  const moved = { ...levelDraft('150.10'), id: 'a', version: 2 }
  expect(await engine.setLevel('a', '150.10', undefined)).toEqual({
    ok: true,
    value: { ...moved, createdAtMs: startMs + 5_000, phase: 'waiting' },
  })
  expect(levels(engine.views())).toEqual(['150.10', '200.00'])
  expect(history.written.at(-1)).toMatchObject({
    rules: [{ id: 'a', position: 1 }],
    // The previous run has ended.
    runs: [
      { ruleId: 'a', run: 1, endedAtMs: startMs + 5_000 },
      { ruleId: 'a', run: 2 },
    ],
  })
  const { engine: next } = await openAlerts(history.reopened())
  expect(levels(next.views())).toEqual(['150.10', '200.00'])
})

test('a moved rule starts again from the latest value and does not fire by being moved', async () => {
  const { engine, quotes, publish, fired } = await openWithRule(above, '99.00', '101.00')
  await engine.flush()
  expect(engine.views()).toMatchObject([{ phase: 'triggered' }])
  expect(fired).toHaveLength(1)
  // Already true at the latest value, so it waits for the value to go back.
  expect(await engine.setLevel('a', '100.50', quotes.get('BRTI'))).toMatchObject({ value: { phase: 'disarmed' } })
  expect(await engine.setLevel('a', '105.00', quotes.get('BRTI'))).toMatchObject({ value: { phase: 'armed' } })
  publish('104.99')
  await engine.flush()
  expect(fired).toHaveLength(1)
  publish('105.0')
  await engine.flush()
  expect(fired).toMatchObject([
    { terms: { level: '100.00' }, ruleVersion: 1 },
    { ruleId: 'a', ruleVersion: 3, terms: { level: '105.00' }, inputs: { value: '105.0' } },
  ])
})

test('a missing rule and a level that is not a number are refused', async () => {
  const { engine } = await openAlerts()
  await engine.create(above, 'wait', undefined)
  expect(await engine.setLevel('z', '1', undefined)).toMatchObject({ problem: { code: 'unknownRule' } })
  expect(await engine.setLevel('a', 'high', undefined)).toMatchObject({ problem: { code: 'level' } })
})
