import { expect, test } from 'vitest'
import type { AlertEvent } from '../../../../../core/alert-events'
import { noticesOf, noticeTitle, shownNotices } from '../../../../../renderer/views/shell/alert-notices'
import { firedEvent, levelDraft } from '../../../../support/sample-alerts'

const crosses = levelDraft('3050', { indexId: 'ETHUSD_RTI', condition: 'crosses' })
const other = levelDraft('2', { indexId: 'XRPUSD_RTI' })

/** A crossing of the first rule. */
function crossing(number: number, more: Partial<AlertEvent> = {}): AlertEvent {
  const inputs = { value: `3050.0${number}`, direction: number % 2 === 0 ? 'up' : 'down' } as const
  return firedEvent(number, crosses, { ruleId: 'eth', inputs, ...more })
}

const format = { number: (text: string) => text, time: String }

const titles = (...newestFirst: AlertEvent[]) => noticesOf(newestFirst).map((notice) => noticeTitle(notice, format))

test('firings of one rule are one notice that counts them', () =>
  expect(titles(crossing(6), crossing(5), crossing(4), crossing(3), crossing(2), crossing(1))).toEqual([
    'ETHUSD_RTI crossed 3050 six times, last up at 3050.06',
  ]))

test('a single firing keeps its own words', () =>
  expect(titles(crossing(1))).toEqual(['ETHUSD_RTI fell to 3050.01 (level 3050)']))

test('firings that an event only counts are in the number', () =>
  expect(titles(crossing(2, { heldBackCount: 3 }), crossing(1))).toEqual([
    'ETHUSD_RTI crossed 3050 five times, last up at 3050.02',
  ]))

test('a further firing leaves the notice in its place and with its key', () => {
  const places = (...newestFirst: AlertEvent[]) => shownNotices(noticesOf(newestFirst), 3).map(({ key }) => key)
  const later = firedEvent(2, other, { ruleId: 'xrp' })
  expect(places(crossing(3), later, crossing(1))).toEqual(places(later, crossing(1)))
})

test('if not all fit, the rule that fired last is shown', () => {
  const notices = noticesOf([crossing(3), firedEvent(2, other, { ruleId: 'xrp' }), crossing(1)])
  expect(shownNotices(notices, 1).map(({ event }) => event.number)).toEqual([3])
})

test('firings of another index, and events that are no firings, have notices of their own', () =>
  expect(
    noticesOf([
      crossing(5),
      crossing(4, { kind: 'suspended' }),
      crossing(3, { kind: 'suspended' }),
      crossing(2, { indexId: 'BRTI' }),
      crossing(1),
    ]).map(({ events }) => events.map(({ number }) => number)),
  ).toEqual([[5, 1], [4], [3], [2]]))
