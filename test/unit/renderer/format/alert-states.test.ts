import { expect, test } from 'vitest'
import { ruleState } from '../../../../renderer/format/alert-states'
import { levelDraft, ruleView } from '../../../support/sample-alerts'
import { sampleNowMs } from '../../../support/sample-now'

const style = { grouping: 'comma', timeZone: 'UTC' } as const

const rule = ruleView('r1', levelDraft('1', { indexId: 'NOPE_RTI' }))
const plain = { snoozes: [], nowMs: sampleNowMs }
const mute = [{ scope: { of: 'all' }, untilMs: null }] as const

const reach = { cannotFire: 'no BTCC in NCI', sinceMs: sampleNowMs }

test('a rule that cannot fire states the reason, even if it is snoozed or outside its hours', () => {
  expect(ruleState(rule, plain, style)).toMatchObject({ kind: 'armed' })
  expect(ruleState({ ...rule, reach }, { ...plain, snoozes: mute }, style)).toEqual({
    kind: 'cannotFire',
    text: 'cannot fire',
    reason: 'no BTCC in NCI',
    title: 'This alert cannot fire: no BTCC in NCI. It resumes once that is fixed. Edit or delete it.',
  })
})

test('a rule is unchecked while it is unknown whether it can fire', () =>
  expect(ruleState({ ...rule, reach: 'unchecked' }, plain, style)).toMatchObject({
    kind: 'unchecked',
    text: 'unchecked',
  }))

test('a finished rule shows that it has finished, even if it cannot fire', () =>
  expect(ruleState({ ...rule, phase: 'triggered', reach }, plain, style).kind).toBe('triggered'))

const sinceMs = sampleNowMs - 2 * 3_600_000
const missing = { id: 'NOPE_RTI', sinceMs }
const hours = {
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  from: '08:00',
  to: '16:30',
  timeZone: 'Europe/London',
} as const

test.each(['armed', 'disarmed', 'holding', 'waiting'] as const)(
  'a rule that is %s shows that its index has no data, and since when',
  (phase) => {
    const state = ruleState({ ...rule, phase }, { ...plain, missing }, style)
    expect(state).toEqual({
      kind: 'noData',
      text: 'no data since 12:02',
      title:
        'No live data of NOPE_RTI since 12:02. The alert cannot fire until data returns. Missed values are then fetched and checked.',
    })
  },
)

test('a condition that does not depend on values does not promise to check missed values', () => {
  const terms = { condition: 'constituentsChanged' } as const
  expect(ruleState({ ...rule, terms }, { ...plain, missing }, style).title).toMatch(/until data returns\.$/)
})

test('an index without any value has no data yet', () =>
  expect(ruleState(rule, { ...plain, missing: { id: 'NOPE_RTI' } }, style).text).toBe('no data yet'))

test('a snoozed rule without data shows the snooze, and the missing data in its title', () => {
  const state = ruleState(rule, { ...plain, snoozes: mute, missing }, style)
  expect(state).toMatchObject({ kind: 'snoozed', text: 'muted' })
  expect(state.title).toContain('without a notification. No live data of NOPE_RTI since 12:02.')
})

test('a rule outside its hours shows when it is active again and what it then waits for', () => {
  const draft = { ...levelDraft('1', { indexId: 'NOPE_RTI' }), hours: { ...hours, days: [...hours.days] } }
  const state = ruleState(ruleView('r1', draft), plain, style)
  expect(state).toEqual({
    kind: 'outsideHours',
    text: 'outside its hours',
    reason: 'until 23 Nov 08:00',
    title: 'Active Mon–Fri 08:00–16:30 London only, paused until 23 Nov 08:00. Fires when NOPE_RTI rises to 1, once.',
  })
  const inside = ruleState(ruleView('r1', draft), { ...plain, nowMs: Date.UTC(2026, 10, 23, 8) }, style)
  expect(inside.text).toBe('armed')
})
