import { expect, test } from 'vitest'
import type { AlertEvent } from '../../../../core/alert-events'
import type { AlertDraft, AlertSnooze } from '../../../../core/alerts'
import { clockSpan, ruleState, snoozeOf } from '../../../../renderer/format/alert-states'
import {
  burstCounts,
  burstWords,
  eventWords,
  groupedWords,
  notificationWords,
  partWords,
  repeatWords,
  tomorrowMs,
  untilText,
} from '../../../../renderer/format/alert-words'
import { firedEvent, levelDraft, ruleView } from '../../../support/sample-alerts'
import { sampleNowMs } from '../../../support/sample-now'

const minute = 60_000
const style = { grouping: 'comma', timeZone: 'UTC' } as const

function stateText(more: Parameters<typeof ruleView>[2], snoozes: AlertSnooze[] = []): string {
  return ruleState(ruleView('r1', { ...levelDraft(), group: 'swing' }, more), { snoozes, nowMs: sampleNowMs }, style)
    .text
}

test('an event shows value and level in every digit', () => {
  const event = firedEvent(1, levelDraft(), { inputs: { value: '68512.30', publishedAtMs: sampleNowMs } })
  expect(eventWords(event, sampleNowMs, style)).toBe('rose to 68,512.30 (level 68,500.00)')
})

test('an event below the line of its burst leaves out the level', () => {
  const inputs = { value: '68512.30', publishedAtMs: sampleNowMs }
  const partOf = (draft: AlertDraft) => partWords(firedEvent(1, draft, { inputs }), sampleNowMs, style)
  expect(partOf(levelDraft())).toBe('rose to 68,512.30')
  expect(partOf(levelDraft('68500.00', { condition: 'isAbove' }))).toBe('is above: 68,512.30')
  const constituent = { condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '60.5' } as const
  expect(partOf({ ...levelDraft(), terms: constituent })).toBe('weight is 68,512.30 %')
  const moves = { condition: 'moves', direction: 'up', amount: '2.5', unit: 'percent', withinMs: minute } as const
  expect(partOf({ ...levelDraft(), terms: moves })).toBe(
    eventWords(firedEvent(1, { ...levelDraft(), terms: moves }, { inputs }), sampleNowMs, style),
  )
})

test('a crossing in a gap shows both times in the zone of the window', () => {
  const inputs = { value: '68512.30', publishedAtMs: sampleNowMs, gapSinceMs: sampleNowMs - 60 * minute }
  expect(eventWords(firedEvent(1, levelDraft(), { inputs }), sampleNowMs, style)).toContain(
    'crossed in a gap between 13:02:11 and 14:02:11',
  )
})

test('each phase has a text', () => {
  expect(stateText({ phase: 'armed' })).toBe('armed')
  expect(stateText({ phase: 'disarmed' })).toBe('waiting to re-arm')
  expect(stateText({ phase: 'holding', holdMs: minute, heldMs: 42_900 })).toBe('holding 0:42 of 1:00')
  expect(stateText({ phase: 'triggered' })).toBe('fired')
  expect(stateText({ phase: 'expired' })).toBe('expired')
  expect(stateText({ phase: 'waiting' })).toBe('waiting for a value')
})

test('the title of a suspended rule is the reason', () => {
  const rule = ruleView('r1', levelDraft(), { phase: 'suspended', suspension: 'It fired 15 times in 3 min.' })
  expect(ruleState(rule, { snoozes: [], nowMs: sampleNowMs }, style).title).toBe('It fired 15 times in 3 min.')
})

test('a cooldown shows its end, and the number of suppressed events unless it is 0', () => {
  const untilMs = sampleNowMs + 10 * minute
  const state = (heldBack: number) =>
    ruleState(
      ruleView('r1', levelDraft(), { cooldown: { untilMs, heldBack } }),
      { snoozes: [], nowMs: sampleNowMs },
      style,
    )
  expect(state(3)).toMatchObject({ text: 'cooling down until 14:12', reason: '3 suppressed' })
  expect(state(0).text).toBe('cooling down until 14:12')
  expect(state(0)).not.toHaveProperty('reason')
})

test('a snooze of the rule, its index, its group or all is shown. A snooze of others is not', () => {
  const untilMs = sampleNowMs + 58 * minute
  const shown = (scope: AlertSnooze['scope']) => stateText({}, [{ scope, untilMs }])
  expect(shown({ of: 'rule', ruleId: 'r1' })).toBe('snoozed until 15:00')
  expect(shown({ of: 'index', indexId: 'BRTI' })).toBe('snoozed until 15:00')
  expect(shown({ of: 'group', group: 'swing' })).toBe('snoozed until 15:00')
  expect(shown({ of: 'all' })).toBe('muted until 15:00')
  expect(shown({ of: 'rule', ruleId: 'r2' })).toBe('armed')
  expect(shown({ of: 'index', indexId: 'NCI' })).toBe('armed')
  expect(shown({ of: 'group', group: 'other' })).toBe('armed')
})

test('an armed rule shows its expiry with its condition', () => {
  const expiring = { ...levelDraft(), expiresAt: { atMs: sampleNowMs + 60 * minute, timeZone: 'UTC' } }
  expect(ruleState(ruleView('r1', expiring), { snoozes: [], nowMs: sampleNowMs }, style).title).toBe(
    'Fires when BRTI rises to 68,500.00, once. It expires at 15:02.',
  )
})

test('the longest of several snoozes is shown', () => {
  const snoozes: AlertSnooze[] = [
    { scope: { of: 'rule', ruleId: 'r1' }, untilMs: sampleNowMs + minute },
    { scope: { of: 'index', indexId: 'BRTI' }, untilMs: null },
  ]
  expect(snoozeOf(ruleView('r1', levelDraft()), snoozes)).toBe(snoozes[1])
  expect(stateText({}, snoozes)).toBe('snoozed')
})

test('the snooze of a group does not apply to a rule without a group', () =>
  expect(snoozeOf(ruleView('r1', levelDraft()), [{ scope: { of: 'group', group: '' }, untilMs: null }])).toBe(
    undefined,
  ))

test('a finished rule that is snoozed is shown as finished', () =>
  expect(stateText({ phase: 'triggered' }, [{ scope: { of: 'all' }, untilMs: null }])).toBe('fired'))

test('a suppressed notification shows the reason', () => {
  expect(notificationWords({ delivery: 'heldBack', heldBackBy: 'muted' })).toBe('suppressed: all muted')
  expect(notificationWords({ delivery: 'heldBack' })).toBe('suppressed')
  expect(notificationWords({ delivery: 'clicked' })).toBe('shown, clicked')
})

test('a move whose window is not full yet shows that, not missing values', () => {
  const terms = { condition: 'moves', direction: 'up', amount: '3', unit: 'percent', withinMs: 15 * minute } as const
  const rule = ruleView('r1', { ...levelDraft(), terms }, { phase: 'waiting' })
  expect(ruleState(rule, { snoozes: [], nowMs: sampleNowMs }, style)).toMatchObject({
    text: 'gathering values',
    title: 'Needs 15 min of values first.',
  })
  expect(stateText({ phase: 'waiting' })).toBe('waiting for a value')
})

test('the repeat mode of a rule has a short text', () => {
  const { terms } = levelDraft()
  expect(repeatWords({ terms, repeat: { mode: 'whileTrue', everyMinutes: 15 } })).toBe('every 15 min')
  expect(repeatWords({ terms, repeat: { mode: 'daily', max: 3 } })).toBe('at most 3 a day')
  expect(repeatWords({ terms, repeat: { mode: 'everyCrossing' } })).toBe('every crossing')
  expect(repeatWords({ terms: { condition: 'noUpdate' }, repeat: { mode: 'everyCrossing' } })).toBe('every time')
})

test('numbers in texts of the engine are grouped, times and names are not', () => {
  expect(groupedWords('68499.99 is below 68500.00: armed.', style)).toBe('68,499.99 is below 68,500.00: armed.')
  expect(groupedWords('86452.07 is above 86450: fired.', style)).toBe('86,452.07 is above 86,450: fired.')
  expect(groupedWords('-68499.99 is 0.5 % off, since 2026-11-21 10:00 in X1000', style)).toBe(
    '-68499.99 is 0.5 % off, since 2026-11-21 10:00 in X1000',
  )
})

test('tomorrow is 08:00 of the next day, and future times are shown to the minute', () => {
  expect(untilText(tomorrowMs(sampleNowMs, style), sampleNowMs, style)).toBe('22 Nov 08:00')
  expect(untilText(sampleNowMs + 60 * minute, sampleNowMs, style)).toBe('15:02')
})

test('spans are written like a clock', () =>
  expect([0, 42_999, 725_000, 3_600_000].map(clockSpan)).toEqual(['0:00', '0:42', '12:05', '1:00:00']))

test('a burst has the words of its notification, and how many were suppressed and retracted', () => {
  const fired = (more: Partial<AlertEvent> = {}) => {
    const inputs = { value: '84721.3', direction: 'up' } as const
    return firedEvent(1, levelDraft('84720.81', { condition: 'crosses' }), { inputs, ...more })
  }
  const words = (firings: readonly AlertEvent[], retractedIds: readonly string[] = []) => {
    const retractions = new Map(retractedIds.map((id) => [id, fired({ kind: 'retracted' })]))
    return [burstWords(firings, retractions, sampleNowMs, style), ...burstCounts(firings, retractions.size)]
  }
  const held = { delivery: 'heldBack', heldBackBy: 'cooldown' } as const
  const end = 'last up at 84,721.3'
  expect(words([fired(), fired()])).toEqual([`crossed 84,720.81 twice, ${end}`])
  const suppressed = [fired(held), fired({ ...held, heldBackCount: 4 }), fired()]
  expect(words(suppressed)).toEqual([`crossed 84,720.81 seven times, ${end}`, '6 suppressed'])
  const undone = fired({ id: 'undone', inputs: { value: '84999', direction: 'up' } })
  expect(words([undone, fired({ heldBackCount: 1 })], ['undone'])).toEqual([
    `crossed 84,720.81 three times, ${end}`,
    '1 suppressed',
    '1 retracted',
  ])
})
