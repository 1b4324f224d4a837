import { describe, expect, test } from 'vitest'
import type { Checkpoint, Firing, Run } from '../../../../main/alerts/record'
import { Refold } from '../../../../main/alerts/refold'
import type { AlertRule, AlertTerms } from '../../../../core/alerts'
import type { Publication } from '../../../../core/model'
import { ruleOf } from '../../../support/rule-bench'

const startMs = Date.UTC(2023, 10, 1, 12)
const at = (second: number) => startMs + second * 1_000
const published = (second: number, value: string, amendedAtMs?: number): Publication => {
  return { value, publishedAtMs: at(second), ...(amendedAtMs !== undefined && { amendedAtMs }) }
}
const risesTo: AlertTerms = { condition: 'risesTo', level: '100' }

function runOf(terms: AlertTerms = risesTo, more: Partial<AlertRule> = {}): Run {
  const rule = { ...ruleOf(terms), repeat: { mode: 'once' } as const, ...more }
  return {
    number: 1,
    rule,
    first: 'wait',
    startedAtMs: startMs,
    sinceMs: startMs,
    fromMs: startMs,
    cadence: 'PER_SECOND',
  }
}

const firing = (second: number, value: string, eventId?: string): Firing => {
  const inputs = { value, publishedAtMs: at(second), direction: 'up' as const }
  return { publishedAtMs: at(second), inputs, ...(eventId !== undefined && { eventId }) }
}

const changed = (from: number, to = from) => ({ fromMs: at(from), toMs: at(to) })

function fold(refold: Refold, values: readonly Publication[]) {
  for (const value of values) refold.see(value)
  const refolded = refold.end()
  if (refolded === undefined) throw new Error('it could not be folded')
  return refolded
}

test('a firing that is undone is retracted with the amendment that undid it', () => {
  const refold = new Refold(runOf(), { changed: changed(1), fired: [firing(1, '101', 'e')] })
  const { differences, record: now } = fold(refold, [published(0, '99'), published(1, '98', at(9)), published(2, '97')])
  expect(differences).toEqual([
    {
      kind: 'retracted',
      eventId: 'e',
      firedMs: at(1),
      inputs: { value: '98', publishedAtMs: at(1), amendedAtMs: at(9), direction: 'up' },
    },
  ])
  expect(now.state).toMatchObject({ isDone: false, isUpArmed: true })
})

test('a firing that came earlier is confirmed with the nearest candidate', () => {
  const everyTime = runOf(risesTo, { repeat: { mode: 'everyCrossing' } })
  const refold = new Refold(everyTime, { changed: changed(1, 5), fired: [firing(9, '104', 'e')] })
  const values = ['99', '101', '99', '102', '99', '103'].map((value, second) => published(second, value))
  const { differences } = fold(refold, [...values, published(9, '104')])
  expect(differences.map(({ kind, firedMs }) => [kind, firedMs])).toEqual([
    ['late', at(1)],
    ['late', at(3)],
    ['confirmed', at(9)],
  ])
  expect(differences[2]).toMatchObject({ inputs: { value: '103', publishedAtMs: at(5) } })
})

test('a late firing has the time at which its condition ended', () => {
  const { firings } = fold(new Refold(runOf(), { changed: changed(1, 3) }), [
    published(0, '99'),
    published(1, '101'),
    published(2, '100'),
    published(3, '98'),
    published(4, '101'),
  ])
  expect(firings).toMatchObject([{ publishedAtMs: at(1), over: { value: '98', publishedAtMs: at(3) } }])
})

test('a firing stays if its value is no longer in the history', () => {
  const refold = new Refold(runOf(), { changed: changed(1), fired: [firing(2, '101', 'e')] })
  const { differences, firings } = fold(refold, [published(0, '99'), published(1, '98', at(9)), published(3, '99')])
  expect(differences).toEqual([])
  expect(firings).toEqual([firing(2, '101', 'e')])
})

test('a run whose beginning is no longer in the history is not refolded', () => {
  const refold = new Refold(runOf(), { changed: changed(1), fired: [firing(2, '101', 'e')] })
  refold.see(published(1, '98', at(9)))
  expect(refold.isOver).toBe(true)
  expect(refold.end()).toBeUndefined()
  expect(new Refold(runOf(), { changed: changed(1) }).end()).toBeUndefined()
})

describe('a refold ends', () => {
  const armed = { isUpArmed: true, isDownArmed: false, isDone: false }
  const later: Checkpoint[] = [{ atMs: at(5), state: armed }]

  test('at a stored state that is the same again, without later values', () => {
    const refold = new Refold(runOf(), { from: { atMs: at(0), state: armed }, changed: changed(1), later })
    for (const second of [0, 1, 2, 5]) refold.see(published(second, '99'))
    expect(refold.isOver).toBe(true)
    refold.see(published(6, '101'))
    expect(refold.end()).toMatchObject({ settledAtMs: at(5), firings: [], checkpoints: [] })
  })

  test('only at a stored state that is the same', () => {
    const refold = new Refold(runOf(), { from: { atMs: at(0), state: armed }, changed: changed(1), later })
    for (const value of [published(0, '99'), published(1, '101'), published(5, '99')]) refold.see(value)
    expect(refold.isOver).toBe(false)
  })

  test('for a move only after its window is past the changed values', () => {
    const terms: AlertTerms = { condition: 'moves', direction: 'up', amount: '50', unit: 'percent', withinMs: 10_000 }
    // A move is always armed both ways.
    const state = { ...armed, isDownArmed: true, window: { sinceMs: at(-60) } }
    const kept = [5, 30].map((second) => ({ atMs: at(second), state }))
    const run = { ...runOf(terms), fromMs: at(-60) }
    const refold = new Refold(run, { from: { atMs: at(0), state }, changed: changed(1), later: kept })
    expect(refold.fromMs).toBe(at(-10))
    for (let second = -10; second <= 5; second++) refold.see(published(second, '99'))
    expect(refold.isOver).toBe(false)
    for (let second = 6; second <= 30; second++) refold.see(published(second, '99'))
    expect(refold.isOver).toBe(true)
  })
})

test('states are stored at firings, each changed minute and each thousand values', () => {
  const everyTime = runOf(risesTo, { repeat: { mode: 'everyCrossing' } })
  const quiet = Array.from({ length: 2_500 }, (_, second) => published(second, '99'))
  const { checkpoints } = fold(new Refold(everyTime, { changed: changed(0) }), [
    ...quiet,
    published(2_500, '101'),
    published(2_501, '99'),
  ])
  const seconds = checkpoints.map(({ atMs }) => (atMs - startMs) / 1_000)
  expect(seconds[0]).toBe(0)
  expect(seconds).toContain(2_500)
  const gaps = seconds.map((second, place) => second - (seconds[place - 1] ?? 0))
  expect(Math.max(...gaps)).toBeLessThanOrEqual(1_000)
  expect(seconds).toHaveLength(4)
})

test('a firing of a mean is retracted by an amendment of any value of its window', () => {
  const mean: AlertTerms = { condition: 'meanRisesTo', level: '101', withinMs: 3_000 }
  const values = ['100', '100', '100', '103', '101'].map((value, second) => published(second, value))
  const before = fold(new Refold(runOf(mean), { changed: changed(0, 4) }), values)
  expect(before.firings.map(({ publishedAtMs }) => publishedAtMs)).toEqual([at(3)])
  const refold = new Refold(runOf(mean), { changed: changed(2), fired: [firing(3, '101', 'e')] })
  const amended = values.map((each) => (each.publishedAtMs === at(2) ? published(2, '97', at(9)) : each))
  const { differences } = fold(refold, amended)
  expect(differences).toMatchObject([
    { kind: 'retracted', eventId: 'e', firedMs: at(3), inputs: { amendedAtMs: at(9) } },
  ])
})

test('a firing on a final mean is retracted by an amendment, and fires late with a late value', () => {
  const final: AlertTerms = { condition: 'finalMeanAtOrAbove', level: '101', withinMs: 3_000, close: 'hour' }
  const closing = (value: string, beforeEnd: number, amendedAtMs?: number) =>
    published(3_600 - beforeEnd, value, amendedAtMs)
  const values = [published(0, '1'), closing('101', 3), closing('101', 2), closing('101', 1), closing('1', 0)]
  const fold3 = (seen: readonly Publication[], fired: readonly Firing[] = []) =>
    fold(new Refold(runOf(final), { changed: { fromMs: at(0), toMs: at(3_600) }, fired }), seen)
  expect(fold3(values).firings.map(({ publishedAtMs }) => publishedAtMs)).toEqual([at(3_599)])
  const amended = values.map((each) => (each.publishedAtMs === at(3_598) ? closing('97', 2, at(4_000)) : each))
  expect(fold3(amended, [firing(3_599, '101', 'e')]).differences).toMatchObject([{ kind: 'retracted', eventId: 'e' }])
  const withoutOne = values.filter(({ publishedAtMs }) => publishedAtMs !== at(3_598))
  expect(fold3(withoutOne).firings).toEqual([])
})

test('a refold of a final mean begins with the values of its window before the stored state', () => {
  const final: AlertTerms = { condition: 'finalMeanAtOrAbove', level: '101', withinMs: 60_000, close: 'hour' }
  const state = { isUpArmed: true, isDownArmed: false, isDone: false, window: { sinceMs: at(0) } }
  const refold = new Refold(runOf(final), { from: { atMs: at(3_590), state }, changed: changed(3_595) })
  expect(refold.fromMs).toBe(at(3_530))
})
