import { expect, test } from 'vitest'
import type { AlertEvent } from '../../../../protocol/alert-events'
import type { AlertView } from '../../../../protocol/alerts'
import { eventWords, phaseWords } from '../../../../renderer/format/alert-words'

const event: AlertEvent = {
  id: 'e',
  ruleId: 'r',
  indexId: 'BRTI',
  condition: 'atOrAbove',
  level: '68500.00',
  value: '68512.30',
  publishedAtMs: 10_000,
  firedAtMs: 10_100,
  delivery: 'shown',
  isRead: false,
}
const rule: AlertView = {
  id: 'r',
  indexId: 'BRTI',
  condition: 'atOrAbove',
  level: '68500.00',
  repeat: 'once',
  createdAtMs: 0,
  phase: 'armed',
}

test('an event tells value and condition in every published digit', () => {
  expect(eventWords(event, 10_200)).toBe('reached 68,512.30, at or above 68,500.00')
})

test('a crossing in a gap names the gap and invents no time', () => {
  const words = eventWords({ ...event, gapSinceMs: 2_000 }, 10_200)
  expect(words).toMatch(/^crossed in a gap: no values from \d\d:\d\d:02 to \d\d:\d\d:10, then 68,512\.30, at or above/)
})

test('a rule that waits says on which side it arms', () => {
  expect(phaseWords({ ...rule, phase: 'disarmed' }).text).toBe('arms below 68,500.00')
  expect(phaseWords({ ...rule, phase: 'disarmed', condition: 'atOrBelow' }).text).toBe('arms above 68,500.00')
  expect(phaseWords(rule).text).toBe('armed')
})
