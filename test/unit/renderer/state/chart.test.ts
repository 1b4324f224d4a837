import { expect, test } from 'vitest'
import type { AlertEvent } from '../../../../core/alert-events'
import { failure, type Outcome } from '../../../../core/model'
import type { ChartSeries } from '../../../../protocol/responses'
import { Series } from '../../../../renderer/state/chart.svelte'
import { ok } from '../../../support/fake-desktop'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const draft = levelDraft('1')

function answerOf(...values: string[]): Outcome<ChartSeries> {
  const points = values.map((value, at) => ({ value, publishedAtMs: at * 1_000 }))
  return ok({ indexId: 'BRTI', range: '1h', points, gapAfterMs: 10_000 })
}

/** An answer that the test gives. */
function later<T>() {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((done) => (resolve = done))
  return {
    promise,
    resolve: (value: T) => resolve(value),
  }
}

/** A series whose requests are answered by the test. */
function openSeries() {
  const chart = later<Outcome<ChartSeries>>()
  const known = later<Outcome<ChartSeries>>()
  const answers: { events: Outcome<AlertEvent[]> } = { events: ok([]) }
  const series = new Series(
    {
      getChart: () => chart.promise,
      getKnownChart: () => known.promise,
      getIndexEvents: () => Promise.resolve(answers.events),
    },
    'BRTI',
    '1h',
  )
  const drawn = () => series.points.map(({ point }) => point.value)
  return { series, chart, known, answers, drawn, asked: series.fetch() }
}

test('an answer of the provider is drawn first, and later values from the history are ignored', async () => {
  const { series, chart, known, drawn, asked } = openSeries()
  chart.resolve(answerOf('1', '2'))
  await asked
  expect(drawn()).toEqual(['1', '2'])
  known.resolve(answerOf('9'))
  await new Promise(setImmediate)
  expect(drawn()).toEqual(['1', '2'])
  expect(series.failure).toBeUndefined()
})

test('after a refusal, values from the history are drawn with the reason', async () => {
  const { series, chart, known, drawn, asked } = openSeries()
  chart.resolve(failure('unreachable', 'The provider did not answer.'))
  await new Promise(setImmediate)
  known.resolve(answerOf('1'))
  await asked
  expect(drawn()).toEqual(['1'])
  expect(series.failure).toBe('The provider did not answer.')
})

test('a failure to read events is separate, and cleared once they are read', async () => {
  const { series, chart, answers, asked } = openSeries()
  answers.events = failure('unanswered', 'Indexwatch did not answer.')
  chart.resolve(answerOf('1'))
  await asked
  expect(series.failure).toBeUndefined()
  expect(series.eventsFailure).toBe('Indexwatch did not answer.')
  answers.events = ok([firedEvent(1, draft)])
  await series.fetch()
  expect(series.eventsFailure).toBeUndefined()
  expect(series.events).toHaveLength(1)
})

test('a series keeps events that leave the inbox, one per id, of its index only', () => {
  const { series } = openSeries()
  const fired = firedEvent(1, draft)
  series.addEvents([fired, firedEvent(2, levelDraft('1', { indexId: 'NCI' }))])
  series.addEvents([firedEvent(3, draft, { kind: 'retracted', aboutEventId: 'e1' }), fired])
  series.addEvents([])
  expect(series.events.map(({ id }) => id)).toEqual(['e1', 'e3'])
})
