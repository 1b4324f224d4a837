import { expect, test } from 'vitest'
import { ruleState } from '../../../../renderer/format/alert-states'
import { levelDraft, ruleView } from '../../../support/sample-alerts'
import { sampleNowMs } from '../../../support/sample-now'

const style = { grouping: 'comma', timeZone: 'UTC' } as const

const rule = ruleView('r1', levelDraft('1', { indexId: 'NOPE_RTI' }))
const plain = { snoozes: [], nowMs: sampleNowMs }
const mute = [{ scope: { of: 'all' }, untilMs: null }] as const

const reach = { cannotFire: 'no BTCC in NCI', sinceMs: sampleNowMs }

test('a rule that cannot fire says why, whatever silences it', () => {
  expect(ruleState(rule, plain, style)).toMatchObject({ kind: 'armed' })
  expect(ruleState({ ...rule, reach }, { ...plain, snoozes: mute }, style)).toEqual({
    kind: 'cannotFire',
    text: 'cannot fire',
    reason: 'no BTCC in NCI',
    title: 'This alert cannot fire: no BTCC in NCI. It resumes once that is fixed. Edit or delete it.',
  })
})

test('a rule of which nobody knows whether it can fire is unchecked', () =>
  expect(ruleState({ ...rule, reach: 'unchecked' }, plain, style)).toMatchObject({
    kind: 'unchecked',
    text: 'unchecked',
  }))

test('a rule that is over says so, whether it could fire or not', () =>
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
  'a rule that is %s reads no data, and since when',
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

test('what is not judged by values is not made up for', () => {
  const terms = { condition: 'constituentsChanged' } as const
  expect(ruleState({ ...rule, terms }, { ...plain, missing }, style).title).toMatch(/until data returns\.$/)
})

test('an index that never had a value has no data yet', () =>
  expect(ruleState(rule, { ...plain, missing: { id: 'NOPE_RTI' } }, style).text).toBe('no data yet'))

test('a snooze stays what is said, with the missing data behind it', () => {
  const state = ruleState(rule, { ...plain, snoozes: mute, missing }, style)
  expect(state).toMatchObject({ kind: 'snoozed', text: 'muted' })
  expect(state.title).toContain('without a notification. No live data of NOPE_RTI since 12:02.')
})

test('a rule outside its hours says when it watches again, and what it waits for then', () => {
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
