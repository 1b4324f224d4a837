import { describe, expect, test } from 'vitest'
import type { BandTerms } from '../../../../core/alerts'
import type { RearmBand } from '../../../../core/evaluation/condition'
import { firedAt, ruleOf, run } from '../../../support/rule-bench'

function band(condition: BandTerms['condition'], low: string, high: string, rearmBand?: RearmBand) {
  return ruleOf({ condition, low, high, ...(rearmBand !== undefined && { rearmBand }) })
}

describe('entering a band', () => {
  test('fires once at either edge, which is inside, and again after the value has left', () => {
    expect(firedAt(band('entersBand', '90', '110'), ['89', '90', '100', '111', '110'])).toEqual([1, 4])
    expect(firedAt(band('entersBand', '90', '110'), ['89', '89.99', '110.01'])).toEqual([])
  })

  test('is armed again beyond the re-arm band on either side', () => {
    const rule = band('entersBand', '90', '110', { size: '1', unit: 'points' })
    expect(firedAt(rule, ['80', '90', '89', '90', '88.9', '90'])).toEqual([1, 5])
    expect(firedAt(rule, ['80', '90', '111', '110', '111.1', '110'])).toEqual([1, 5])
  })

  test('measures basis points of the re-arm band from each edge', () => {
    const rule = band('entersBand', '100', '200', { size: '10', unit: 'basisPoints' })
    expect(firedAt(rule, ['80', '100', '99.9', '100', '200.19', '200', '200.21', '200'])).toEqual([1, 7])
    expect(firedAt(rule, ['80', '100', '99.89', '100'])).toEqual([1, 3])
  })

  test('waits if the value is already inside, unless the rule is set to fire', () => {
    expect(firedAt(band('entersBand', '90', '110'), ['100', '101'])).toEqual([])
    expect(firedAt(band('entersBand', '90', '110'), ['100', '101'], { whenAlreadyMet: 'fire' })).toEqual([0])
  })
})

describe('leaving a band', () => {
  test('fires beyond either edge with the direction', () => {
    const { fired } = run(band('leavesBand', '90', '110'), ['100', '110', '110.01', '120', '100', '89'])
    expect(fired.map(({ at, inputs }) => [at, inputs.direction])).toEqual([
      [2, 'up'],
      [5, 'down'],
    ])
  })

  test('is armed again inside the edges by the width of the re-arm band', () => {
    const rule = band('leavesBand', '90', '110', { size: '1', unit: 'points' })
    expect(firedAt(rule, ['100', '111', '109.5', '111', '109', '111'])).toEqual([1, 5])
    expect(run(rule, ['100', '111', '109.5']).verdicts.at(-1)?.words).toBe(
      '109.5 is within 90 to 110. Waits until it is within 91 to 109.',
    )
  })
})

test('a re-arm band as wide as the band does not prevent a re-arm', () => {
  const wide = (size: string) => band('leavesBand', '90', '110', { size, unit: 'points' })
  expect(firedAt(wide('11'), ['100', '111', '109', '111'])).toEqual([1, 3])
  expect(firedAt(wide('10'), ['100', '111', '109', '111', '100', '111'])).toEqual([1, 5])
})

test('a zero counts only if an edge is zero', () => {
  expect(firedAt(band('leavesBand', '10', '20'), ['15', '0'])).toEqual([])
  expect(firedAt(band('entersBand', '-5', '5'), ['6', '0'])).toEqual([])
  expect(firedAt(band('entersBand', '0', '5'), ['6', '0'])).toEqual([1])
  expect(firedAt(band('entersBand', '-5', '0.0'), ['6', '0'])).toEqual([1])
})

test('negative bands work', () =>
  expect(firedAt(band('entersBand', '-20', '-10'), ['-21', '-20', '-5', '-10'])).toEqual([1, 3]))
