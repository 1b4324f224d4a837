import { expect, test } from 'vitest'
import { wantedTelling } from '../../../../main/alerts/wanted-telling'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const of = (number: number, ruleId: string) => firedEvent(number, levelDraft(), { ruleId })
const [a, b, c] = [of(1, 'a'), of(2, 'b'), of(3, 'c')]

test('a notice of rules that are there is told as it is', () => {
  const digest = { kind: 'digest' as const, events: [a, b] }
  expect(wantedTelling(digest, new Set(['c']))).toEqual({ telling: digest, unwanted: [] })
})

test('a deleted rule is left out of a digest, and a digest of one is a single notice', () => {
  const digest = { kind: 'digest' as const, events: [a, b, c] }
  expect(wantedTelling(digest, new Set(['b']))).toEqual({ telling: { kind: 'digest', events: [a, c] }, unwanted: [b] })
  expect(wantedTelling(digest, new Set(['a', 'b']))).toEqual({
    telling: { kind: 'single', event: c },
    unwanted: [a, b],
  })
})

test('a notice of deleted rules alone is not told', () => {
  expect(wantedTelling({ kind: 'single', event: a }, new Set(['a']))).toEqual({ unwanted: [a] })
  expect(wantedTelling({ kind: 'digest', events: [a, b] }, new Set(['a', 'b']))).toEqual({ unwanted: [a, b] })
})
