import { expect, test } from 'vitest'
import { Trace } from '../../../../main/alerts/trace'
import type { AlertEvaluation } from '../../../../protocol/alert-events'

const evaluation = (atMs: number, more: Partial<AlertEvaluation> = {}): AlertEvaluation => {
  return { atMs, phaseBefore: 'armed', phaseAfter: 'armed', hasFired: false, words: `${atMs}`, ...more }
}
const eventful = (atMs: number) => evaluation(atMs, { phaseAfter: 'triggered', hasFired: true })
const times = (trace: Trace) => trace.of('r').map(({ atMs }) => atMs)

test('keeps the last fifty evaluations, newest first', () => {
  const trace = new Trace()
  for (let at = 1; at <= 60; at++) trace.note('r', eventful(at), undefined)
  expect(times(trace)).toEqual(Array.from({ length: 50 }, (_, at) => 60 - at))
  expect(trace.of('another')).toEqual([])
})

test('of evaluations in a row that changed nothing keeps the newest three', () => {
  const trace = new Trace()
  trace.note('r', eventful(1), undefined)
  for (let at = 2; at <= 1_000; at++) trace.note('r', evaluation(at), undefined)
  expect(times(trace)).toEqual([1_000, 999, 998, 1])
  trace.note('r', eventful(1_001), undefined)
  for (let at = 1_002; at <= 1_005; at++) trace.note('r', evaluation(at), undefined)
  expect(times(trace)).toEqual([1_005, 1_004, 1_003, 1_001, 1_000, 999, 998, 1])
})

test('keeps what was last compared, and forgets a rule that is gone', () => {
  const trace = new Trace()
  trace.note('r', evaluation(1), '1.5')
  trace.note('r', evaluation(2), undefined)
  expect(trace.measureOf('r')).toBe('1.5')
  trace.forget('r')
  expect([trace.measureOf('r'), trace.of('r')]).toEqual([undefined, []])
})
