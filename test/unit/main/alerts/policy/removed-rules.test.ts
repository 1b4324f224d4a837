import { expect, test } from 'vitest'
import { withoutRules } from '../../../../../main/alerts/policy/notification-queue'
import { firedEvent, levelDraft } from '../../../../support/sample-alerts'

const of = (number: number, ruleId: string) => firedEvent(number, levelDraft(), { ruleId })
const [a, b, c] = [of(1, 'a'), of(2, 'b'), of(3, 'c')]

test('a notification of rules that are there stays as it is', () => {
  const digest = { kind: 'digest' as const, events: [a, b] }
  expect(withoutRules(digest, new Set(['c']))).toEqual({ notification: digest, dropped: [] })
})

test('a deleted rule is left out of a digest, and a digest of one is a single notification', () => {
  const digest = { kind: 'digest' as const, events: [a, b, c] }
  expect(withoutRules(digest, new Set(['b']))).toEqual({
    notification: { kind: 'digest', events: [a, c] },
    dropped: [b],
  })
  expect(withoutRules(digest, new Set(['a', 'b']))).toEqual({
    notification: { kind: 'single', event: c },
    dropped: [a, b],
  })
})

test('a notification of deleted rules alone is dropped', () => {
  expect(withoutRules({ kind: 'single', event: a }, new Set(['a']))).toEqual({ dropped: [a] })
  expect(withoutRules({ kind: 'digest', events: [a, b] }, new Set(['a', 'b']))).toEqual({ dropped: [a, b] })
})
