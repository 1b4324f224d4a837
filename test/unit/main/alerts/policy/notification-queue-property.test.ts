import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NotificationQueue } from '../../../../../main/alerts/policy/notification-queue'
import type { AlertEvent } from '../../../../../core/alert-events'
import { FakeClock } from '../../../../support/fake-clock'
import { firedEvent, levelDraft } from '../../../../support/sample-alerts'

/** An event without its number. Few indices and times, so that many coincide. */
const eventIdeas = fc.record({
  indexId: fc.constantFrom('A', 'B', 'C'),
  publishedAtMs: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  isUrgent: fc.boolean(),
  about: fc.constantFrom('value', 'silence', 'recovery', 'expiry'),
})
type EventIdea = typeof eventIdeas extends fc.Arbitrary<infer T> ? T : never

/** Enough events in a minute for a storm, with pauses. */
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ add: fc.array(eventIdeas, { maxLength: 12, size: 'max' }) }) },
    { weight: 2, arbitrary: fc.record({ waitMs: fc.integer({ min: 1, max: 12_000 }) }) },
  ),
  { maxLength: 60, size: 'max' },
)

function eventOf(number: number, { indexId, publishedAtMs, isUrgent, about }: EventIdea): AlertEvent {
  const isOfSilence = about === 'silence' || about === 'recovery'
  return firedEvent(number, levelDraft('100', { indexId }), {
    ruleId: `${isOfSilence ? 'silence' : 'level'} of ${indexId}`,
    kind: about === 'recovery' ? 'recovered' : about === 'expiry' ? 'expired' : 'fired',
    severity: isUrgent ? 'urgent' : 'normal',
    inputs: publishedAtMs === undefined ? {} : { value: '100', publishedAtMs },
    ...(isOfSilence && { terms: { condition: 'noUpdate' } }),
  })
}

/** Runs the steps and ends the app. Returns sent notifications with their times, and all events. */
function run(toRun: readonly ({ add: EventIdea[] } | { waitMs: number })[], endMs: number) {
  const clock = new FakeClock()
  const startMs = clock.monotonicMs()
  const notified: { atMs: number; events: readonly AlertEvent[] }[] = []
  const added: { atMs: number; event: AlertEvent }[] = []
  const queue = new NotificationQueue({
    clock,
    notify: (events) => {
      notified.push({ atMs: clock.monotonicMs() - startMs, events })
    },
  })
  for (const step of toRun) {
    if ('waitMs' in step) clock.advance(step.waitMs)
    else {
      const events = step.add.map((idea, at) => eventOf(added.length + at + 1, idea))
      added.push(...events.map((event) => ({ atMs: clock.monotonicMs() - startMs, event })))
      queue.add(events)
    }
  }
  clock.advance(endMs)
  queue.dispose()
  return { notified, added, pending: clock.pending }
}

const numbers = (events: readonly AlertEvent[]) => events.map(({ number }) => number)
const ascending = (list: readonly number[]) => [...list].sort((a, b) => a - b)

test('every event is notified exactly once, even if the app ends before', () =>
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 12_000 }), (toRun, endMs) => {
      const { notified, added, pending } = run(toRun, endMs)
      expect(ascending(notified.flatMap(({ events }) => numbers(events)))).toEqual(
        added.map(({ event }) => event.number),
      )
      expect(pending).toBe(0)
    }),
  ))

test('no event waits longer than the group wait plus the digest interval', () =>
  fc.assert(
    fc.property(steps, (toRun) => {
      const { notified, added } = run(toRun, 11_500)
      const notifiedAtMs = new Map(
        notified.flatMap(({ atMs, events }) => events.map(({ number }) => [number, atMs] as const)),
      )
      for (const { atMs, event } of added) {
        expect((notifiedAtMs.get(event.number) ?? Infinity) - atMs).toBeLessThanOrEqual(11_500)
      }
    }),
  ))

test('urgent events, other events and the silences of each index keep their order', () =>
  fc.assert(
    fc.property(steps, (toRun) => {
      const byKind = new Map<string, number[]>()
      for (const { number, severity, terms, indexId } of run(toRun, 0).notified.flatMap(({ events }) => events)) {
        const key = `${severity} ${terms.condition === 'noUpdate' ? indexId : ''}`
        byKind.set(key, [...(byKind.get(key) ?? []), number])
      }
      for (const each of byKind.values()) expect(each).toEqual(ascending(each))
    }),
  ))

test('a minute has at most 10 notifications and 5 digests, or 30 and 5 for urgent events', () =>
  fc.assert(
    fc.property(steps, (toRun) => {
      const { notified } = run(toRun, 20_000)
      for (const { isUrgent, max } of [
        { isUrgent: true, max: 35 },
        { isUrgent: false, max: 15 },
      ]) {
        const times = notified
          .filter(({ events }) => (events[0]?.severity === 'urgent') === isUrgent)
          .map(({ atMs }) => atMs)
        for (const endMs of times) {
          expect(times.filter((atMs) => atMs <= endMs && atMs > endMs - 60_000).length).toBeLessThanOrEqual(max)
        }
      }
    }),
  ))
