import { expect, test } from 'vitest'
import { indexAlert } from '../../../../renderer/format/index-alert'
import type { AlertEvent } from '../../../../core/alert-events'
import type { AlertView } from '../../../../core/alerts'
import { firedEvent, levelDraft, ruleView } from '../../../support/sample-alerts'

const style = { grouping: 'comma', timeZone: 'UTC' } as const
const context = { nowMs: Date.UTC(2023, 10, 1, 12), snoozes: [] }

function markOf(rules: AlertView[], value: string | undefined, more: Partial<Parameters<typeof indexAlert>[2]> = {}) {
  return indexAlert({ indexId: 'BRTI', rules, inbox: [] }, value, { ...context, ...more }, style)
}

const armed = ruleView('r', levelDraft('100'), { phase: 'armed' })

test('an index without rules and events has no mark', () => expect(markOf([], '100')).toBeUndefined())

test.each([
  ['99.74', 'watching'],
  ['99.76', 'near'],
  ['100.24', 'near'],
  ['100.26', 'watching'],
  [undefined, 'watching'],
] as const)('with a level at 100 and the value at %s it is %s', (value, kind) =>
  expect(markOf([armed], value)?.kind).toBe(kind),
)

test('the mark shows the most urgent kind, and its title has all', () => {
  const finished = ruleView('f', levelDraft('50'), { phase: 'triggered' })
  expect(markOf([finished], '100')?.kind).toBe('silent')
  expect(markOf([finished, armed], '90')).toEqual({
    kind: 'watching',
    title: 'rises to 50 · fired\nrises to 100 · 11.11 % away',
  })
})

test('a rule that waits for a level shows the distance, any other its state', () => {
  const rises = ruleView('r', levelDraft('86560'), { phase: 'armed' })
  const band = ruleView('b', { ...levelDraft(), terms: { condition: 'entersBand', low: '80000', high: '86000' } }, {})
  expect(markOf([rises], '86490.75')).toEqual({ kind: 'near', title: 'rises to 86,560 · 0.08 % away' })
  expect(markOf([band], '86490.75')?.title).toMatch(/ · 0.57 % away$/)
  expect(markOf([rises], undefined)?.title).toBe('rises to 86,560 · armed')
  expect(markOf([ruleView('r', levelDraft('86560'), { phase: 'disarmed' })], '86490.75')?.title).toBe(
    'rises to 86,560 · waiting to re-arm · 0.08 % away',
  )
  const snoozed = { snoozes: [{ scope: { of: 'all' }, untilMs: null }] } as const
  expect(markOf([rises], '86490.75', snoozed)?.title).toBe('rises to 86,560 · muted')
})

test('only unread firings that are not retracted are shown as fired', () => {
  const draft = levelDraft('100')
  const ofInbox = (...inbox: AlertEvent[]) =>
    indexAlert({ indexId: 'BRTI', rules: [armed], inbox }, '90', context, style)
  const expired = firedEvent(2, draft, { kind: 'expired' })
  const retracted = firedEvent(3, draft, { kind: 'retracted', aboutEventId: 'e1' })
  const ofOther = firedEvent(4, levelDraft('100', { indexId: 'NCI' }))
  expect(ofInbox(firedEvent(1, draft))).toEqual({ kind: 'fired', title: '1 unread event\nrises to 100 · 11.11 % away' })
  expect(ofInbox(expired, firedEvent(1, draft))?.title).toMatch(/^1 unread event\n1 other unread event\n/)
  expect(ofInbox(retracted, firedEvent(1, draft))).toEqual({
    kind: 'news',
    title: '2 unread events\nrises to 100 · 11.11 % away',
  })
  expect(ofInbox(ofOther, firedEvent(1, draft, { isRead: true }))?.kind).toBe('watching')
})

test('a rule that cannot fire has the reason', () => {
  const refused = ruleView('c', levelDraft('100'), { reach: { cannotFire: 'the provider refuses BRTI', sinceMs: 0 } })
  expect(markOf([refused], '90')).toEqual({
    kind: 'blind',
    title: 'rises to 100 · cannot fire · the provider refuses BRTI',
  })
})

test('a rule without data, or a snoozed one, is never near', () => {
  expect(markOf([armed], '100', { missing: { id: 'BRTI' } })?.kind).toBe('blind')
  expect(markOf([armed], '100', { snoozes: [{ scope: { of: 'all' }, untilMs: null }] })?.kind).toBe('silent')
})

test('the tooltip of many rules has the first twelve and the number of others', () => {
  const rules = Array.from({ length: 30 }, (_, at) => ruleView(`r${at}`, levelDraft(`${100 + at}`)))
  const lines = markOf(rules, '90')?.title.split('\n')
  expect(lines).toHaveLength(13)
  expect(lines?.at(-1)).toBe('and 18 others')
})
