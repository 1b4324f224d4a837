import { expect, test } from 'vitest'
import { indexAlert } from '../../../../renderer/format/index-alert'
import type { AlertView } from '../../../../protocol/alerts'
import { firedEvent, levelDraft, ruleView } from '../../../support/sample-alerts'

const style = { grouping: 'comma', timeZone: 'UTC' } as const
const context = { nowMs: Date.UTC(2023, 10, 1, 12), snoozes: [] }

function markOf(rules: AlertView[], value: string | undefined, more: Partial<Parameters<typeof indexAlert>[2]> = {}) {
  return indexAlert({ rules, unread: [] }, value, { ...context, ...more }, style)
}

const armed = ruleView('r', levelDraft('100'), { phase: 'armed' })

test('an index without rules and events has no mark', () => {
  expect(markOf([], '100')).toBeUndefined()
})

test.each([
  ['99.74', 'watching'],
  ['99.76', 'near'],
  ['100.24', 'near'],
  ['100.26', 'watching'],
  [undefined, 'watching'],
] as const)('with a level at 100 and the value at %s it is %s', (value, kind) => {
  expect(markOf([armed], value)?.kind).toBe(kind)
})

test('the most urgent of several shows, and each says its own in the title', () => {
  const finished = ruleView('f', levelDraft('50'), { phase: 'triggered' })
  expect(markOf([finished], '100')?.kind).toBe('silent')
  expect(markOf([finished, armed], '90')).toEqual({
    kind: 'watching',
    title: 'rises to 50: triggered\nrises to 100: armed',
  })
  const fired = indexAlert({ rules: [armed], unread: [firedEvent(1, levelDraft('100'))] }, '90', context, style)
  expect(fired?.kind).toBe('fired')
  expect(fired?.title.split('\n')[0]).toBe('1 unread alert')
})

test('a rule that sees no data, or is snoozed, is never near', () => {
  expect(markOf([armed], '100', { missing: { id: 'BRTI' } })?.kind).toBe('blind')
  expect(markOf([armed], '100', { snoozes: [{ scope: { of: 'all' }, untilMs: null }] })?.kind).toBe('silent')
})
