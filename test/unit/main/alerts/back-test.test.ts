import { describe, expect, test } from 'vitest'
import { backTest } from '../../../../main/alerts/back-test'
import type { AlertDraft, AlertTerms } from '../../../../core/alerts'
import type { Publication } from '../../../../core/model'
import { levelDraft } from '../../../support/sample-alerts'

const valuesOf = (values: readonly string[]): Publication[] =>
  values.map((value, at) => ({ value, publishedAtMs: at * 1_000 }))
const toAndFro = (count: number) =>
  valuesOf(Array.from({ length: count }, (_, at) => (at % 2 === 0 ? '99.99' : '100.01')))
const draftOf = (terms: AlertTerms): AlertDraft => ({ ...levelDraft(), terms })
const timesOf = (...args: Parameters<typeof backTest>) =>
  backTest(...args)?.fires.map(({ publishedAtMs }) => publishedAtMs)

test('a back-test lists each time a rule would have fired, even for mode once', () =>
  expect(backTest(levelDraft('100'), valuesOf(['99', '100.5', '98', '101', '102']), 'PER_SECOND')).toEqual({
    sinceMs: 0,
    untilMs: 4_000,
    fires: [
      { publishedAtMs: 1_000, value: '100.5' },
      { publishedAtMs: 3_000, value: '101' },
    ],
  }))

test('a back-test does not count a condition that is true from the beginning', () => {
  expect(timesOf(levelDraft('100'), valuesOf(['101', '102', '103']), 'PER_SECOND')).toEqual([])
  expect(timesOf(levelDraft('100'), valuesOf(['101', '99', '103']), 'PER_SECOND')).toEqual([2_000])
})

describe('a re-arm band of five basis points', () => {
  test('is tested as well if the draft has none and it would fire less often', () => {
    const found = backTest(levelDraft('100'), toAndFro(20), 'PER_SECOND')
    expect(found?.fires).toHaveLength(10)
    expect(found?.firesWithBand).toBe(1)
    const band = draftOf({ condition: 'leavesBand', low: '50', high: '100' })
    expect(backTest(band, toAndFro(20), 'PER_SECOND')?.firesWithBand).toBe(1)
  })

  test('is not tested if it makes no difference, the draft has one or there is no level', () => {
    const crossings = valuesOf(['90', '110', '90', '110'])
    expect(backTest(levelDraft('100'), crossings, 'PER_SECOND')).not.toHaveProperty('firesWithBand')
    const own = draftOf({ condition: 'risesTo', level: '100', rearmBand: { size: '0', unit: 'points' } })
    expect(backTest(own, toAndFro(20), 'PER_SECOND')?.fires).toHaveLength(10)
    expect(backTest(own, toAndFro(20), 'PER_SECOND')).not.toHaveProperty('firesWithBand')
    const move = draftOf({ condition: 'moves', direction: 'either', amount: '0.01', unit: 'points', withinMs: 1_000 })
    expect(backTest(move, toAndFro(20), 'PER_SECOND')?.fires).not.toHaveLength(0)
    expect(backTest(move, toAndFro(20), 'PER_SECOND')).not.toHaveProperty('firesWithBand')
  })
})

test('a back-test treats holds, moves and values carried forward as the engine does', () => {
  const held = { ...levelDraft('100'), holdMs: 2_000 }
  expect(timesOf(held, valuesOf(['99', '101', '101', '101', '101']), 'PER_SECOND')).toEqual([3_000])
  const move = draftOf({ condition: 'moves', direction: 'up', amount: '5', unit: 'percent', withinMs: 2_000 })
  expect(timesOf(move, valuesOf(['100', '101', '102', '107', '108']), 'PER_SECOND')).toEqual([3_000])
  const values = valuesOf(['99', '101'])
  const carried = values.map((each) => (each.value === '101' ? { ...each, isRepeatOfPrevious: true as const } : each))
  expect(timesOf(levelDraft('100'), carried, 'PER_SECOND')).toEqual([])
  expect(timesOf(draftOf({ condition: 'carriedOver' }), carried, 'PER_SECOND')).toEqual([1_000])
})

test('a back-test works if the cadence is unknown', () =>
  expect(timesOf(levelDraft('100'), valuesOf(['99', '101']), undefined)).toEqual([1_000]))

test('a back-test lists at most a thousand firings', () => {
  const found = backTest(levelDraft('100'), toAndFro(5_000), 'PER_200MS')
  expect(found?.fires).toHaveLength(1_000)
  expect(found?.fires[0]?.publishedAtMs).toBe(1_000)
})

test('a back-test has no result for fewer than two values', () => {
  expect(backTest(levelDraft('100'), [], 'PER_SECOND')).toBeUndefined()
  expect(backTest(levelDraft('100'), valuesOf(['99']), 'PER_SECOND')).toBeUndefined()
  expect(backTest(levelDraft('100'), valuesOf(['99', '98']), 'PER_SECOND')?.fires).toEqual([])
})

test.each<AlertTerms>([
  { condition: 'noUpdate' },
  { condition: 'corporateAction' },
  { condition: 'constituentsChanged' },
  { condition: 'divisorChanged' },
  { condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '5' },
  { condition: 'weightDrift', points: '5', base: 'made' },
  { condition: 'exchangeShareAtOrBelow', constituent: 'BTC', exchange: 'a', sharePercent: '5' },
  { condition: 'continuity', tolerancePercent: '1' },
  { condition: 'spreadAtOrAbove', spreadBps: '10' },
  { condition: 'depthAtOrBelow', depth: '50' },
])('a back-test has no result for $condition, which needs more than values', (terms) =>
  expect(backTest(draftOf(terms), valuesOf(['99', '101']), 'PER_SECOND')).toBeUndefined(),
)
