import { expect, test } from 'vitest'
import type { AlertEvent } from '../../../../../core/alert-events'
import { inboxLines, lineOf } from '../../../../../renderer/views/alerts/inbox-events'
import { firedEvent, flappingInbox, levelDraft } from '../../../../support/sample-alerts'
import { sampleNowMs } from '../../../../support/sample-now'

const minute = 60_000

function event(number: number, minutesAgo: number, more: Partial<AlertEvent> = {}): AlertEvent {
  return firedEvent(number, levelDraft(), { recordedAtMs: sampleNowMs - minutesAgo * minute, ...more })
}

/** The numbers of the events in each line. */
function shape(events: readonly AlertEvent[], isOpen = false): (number | number[])[] {
  return inboxLines(events, () => isOpen).map((line) =>
    line.burst === undefined ? line.event.number : line.burst.map(({ number }) => number),
  )
}

test('firings of one rule within ten minutes are one line at the place of the newest', () => {
  const other = event(3, 2, { ruleId: 'other' })
  expect(shape([event(4, 1), other, event(2, 5), event(1, 11)])).toEqual([[4, 2, 1], 3])
})

test('a firing more than ten minutes after the previous one starts a new line', () => {
  expect(shape([event(2, 0), event(1, 10)])).toEqual([[2, 1]])
  expect(shape([event(2, 0), event(1, 10 + 1 / minute)])).toEqual([2, 1])
})

test('firings of another rule, or of a former index of the rule, are not folded', () =>
  expect(shape([event(3, 1), event(2, 1, { ruleId: 'other' }), event(1, 1, { indexId: 'NCI' })])).toEqual([3, 2, 1]))

test('companions of firings are folded, and events about the rule are not', () => {
  const events = [
    event(6, 1, { kind: 'suspended' }),
    event(5, 1),
    event(4, 2, { kind: 'retracted', aboutEventId: 'e3' }),
    event(3, 3, { kind: 'lateByAmendment' }),
    event(2, 3, { kind: 'snoozed', delivery: 'none' }),
    event(1, 4, { kind: 'cooldownOver' }),
  ]
  expect(shape(events)).toEqual([6, [5, 4, 3, 1], 2])
})

test('a single firing with its companions is not folded', () =>
  expect(shape([event(2, 1, { kind: 'retracted' }), event(1, 2)])).toEqual([2, 1]))

test('the events of an open burst follow its line as parts', () => {
  const lines = inboxLines([event(3, 1), event(2, 2), event(1, 3, { ruleId: 'other' })], () => true)
  expect(lines.map(({ key }) => key)).toEqual(['burst e2', 'e3', 'e2', 'e1'])
  expect(lines.map(({ isPart }) => isPart === true)).toEqual([false, true, true, false])
})

test('parts leave the level to the line of their burst only if all have the same', () => {
  const isNamed = (burst: AlertEvent[]) => inboxLines(burst, () => true).map(({ isLevelNamed }) => isLevelNamed)
  expect(isNamed([event(2, 1), event(1, 2)])).toEqual([undefined, true, true])
  const { terms } = levelDraft('68400.00')
  expect(isNamed([event(2, 1), event(1, 2, { terms })])).toEqual([undefined, false, false])
})

test('the line of a burst keeps its key, and is found by the events it folds', () => {
  const before = inboxLines([event(2, 2), event(1, 3)], () => false)
  const after = inboxLines([event(3, 1), event(2, 2), event(1, 3)], () => false)
  expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key))
  expect(lineOf(after, 'e2')).toBe(after[0])
  // An older page was added to the burst.
  const further = inboxLines([event(2, 2), event(1, 3), event(0, 4)], () => false)
  expect(lineOf(further, 'burst e1')).toBe(further[0])
  expect(lineOf(further, 'e9')).toBeUndefined()
})

test('every event is in exactly one line, folded or not', () => {
  const all = flappingInbox()
  const folded = inboxLines(all, () => false).flatMap((line) => line.burst ?? [line.event])
  expect(folded.map(({ number }) => number).sort((a, b) => b - a)).toEqual(all.map(({ number }) => number))
  const parts = inboxLines(all, () => true).flatMap((line) => (line.burst === undefined ? [line.event] : []))
  expect(parts).toHaveLength(all.length)
})
