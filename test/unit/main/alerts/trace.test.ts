import { noSource } from '../../../../core/publication'
import { expect, test } from 'vitest'
import { Trace, type Tick } from '../../../../main/alerts/trace'
import type { AlertEvaluation } from '../../../../core/alert-events'

const evaluation = (atMs: number, more: Partial<AlertEvaluation> = {}): AlertEvaluation => {
  return { atMs, phaseBefore: 'armed', phaseAfter: 'armed', hasFired: false, words: `${atMs}`, ...more }
}
const eventful = (atMs: number) => evaluation(atMs, { phaseAfter: 'triggered', hasFired: true })
const times = (trace: Trace) => trace.all().map(({ atMs }) => atMs)
const tick = (atMs: number): Tick => {
  return {
    publication: { value: '1', publishedAtMs: atMs },
    decimal: undefined,
    cadence: undefined,
    source: noSource,
    atMs,
  }
}

test('keeps the last fifty evaluations, newest first', () => {
  const trace = new Trace()
  for (let at = 1; at <= 60; at++) trace.note(eventful(at))
  expect(times(trace)).toEqual(Array.from({ length: 50 }, (_, at) => 60 - at))
})

test('keeps the newest three of consecutive evaluations that changed nothing', () => {
  const trace = new Trace()
  trace.note(eventful(1))
  for (let at = 2; at <= 1_000; at++) trace.note(evaluation(at))
  expect(times(trace)).toEqual([1_000, 999, 998, 1])
  trace.note(eventful(1_001))
  for (let at = 1_002; at <= 1_005; at++) trace.note(evaluation(at))
  expect(times(trace)).toEqual([1_005, 1_004, 1_003, 1_001, 1_000, 999, 998, 1])
})

test.each([
  [0, []],
  [1, [1]],
  [2, [1, 2]],
  [3, [1, 2, 3]],
  [4, [2, 3, 4]],
  [5, [3, 4, 5]],
  [300, [298, 299, 300]],
])('returns the newest three of %i ticks on the fast path once, oldest first', (count, kept) => {
  const trace = new Trace()
  for (let at = 1; at <= count; at++) trace.pass(tick(at))
  expect(trace.takePassed().map(({ atMs }) => atMs)).toEqual(kept)
  expect(trace.takePassed()).toEqual([])
})
