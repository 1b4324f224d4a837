import { expect, test } from 'vitest'
import type { AlertTerms } from '../../../../core/alerts'
import { ruleDistance } from '../../../../renderer/format/rule-distance'
import { levelDraft, ruleView } from '../../../support/sample-alerts'

const style = { grouping: 'comma', timeZone: 'system' } as const

function distance(terms: AlertTerms, value?: string, measure?: string): string {
  const rule = ruleView('r1', { ...levelDraft(), terms }, measure === undefined ? {} : { measure })
  return ruleDistance(rule, { value, age: () => '22 h' }, style)
}

test('a level shows points and percent, also if it is zero', () => {
  expect(distance({ condition: 'risesTo', level: '68500.00' }, '68123.40')).toBe('376.60 away, 0.55 %')
  expect(distance({ condition: 'fallsTo', level: '0' }, '2.5')).toBe('2.5 away, 100.00 %')
  expect(distance({ condition: 'fallsTo', level: '0' })).toBe('no value yet')
})

test('the distance of a mean from its level is measured from the mean, not from the value', () => {
  const mean: AlertTerms = { condition: 'meanRisesTo', level: '68500', withinMs: 60_000 }
  expect(distance(mean, '68499', '68400')).toBe('100 away, 0.15 %')
  expect(distance(mean, '68499')).toBe('no value yet')
})

test('a band shows the distance to the edge that is crossed first', () => {
  const band: AlertTerms = { condition: 'entersBand', low: '100', high: '110' }
  expect(distance(band, '99')).toBe('below by 1, 1.01 %')
  expect(distance(band, '112')).toBe('above by 2, 1.79 %')
  expect(distance(band, '110')).toBe('inside the band')
})

test('other measures are shown in their own unit', () => {
  const move = { condition: 'moves', direction: 'either', amount: '3', withinMs: 900_000 } as const
  expect(distance({ ...move, unit: 'percent' }, '1', '2.73')).toBe('2.73 % now')
  expect(distance({ ...move, unit: 'points' }, '1', '2.73')).toBe('2.73 now')
  expect(distance({ ...move, unit: 'percent' }, '1')).toBe('no data yet')
  expect(distance({ condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '60' }, '1', '58.214')).toBe(
    '58.214 % now',
  )
  expect(distance({ condition: 'noUpdate', afterMs: 90_000_000 }, '1')).toBe('22 h now')
})

test('without live data each distance has the time of the value', () => {
  const asOf = (terms: AlertTerms, measure?: string) => {
    const rule = ruleView('r1', { ...levelDraft(), terms }, measure === undefined ? {} : { measure })
    return ruleDistance(rule, { value: '68123.40', age: () => '22 h', asOf: '09:41' }, style)
  }
  expect(asOf({ condition: 'risesTo', level: '68500.00' })).toBe('376.60 away, 0.55 % as of 09:41')
  expect(asOf({ condition: 'entersBand', low: '1', high: '99000' })).toBe('inside the band as of 09:41')
  const terms: AlertTerms = { condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '60' }
  expect(asOf(terms, '58.214')).toBe('58.214 % as of 09:41')
  expect(asOf({ condition: 'noUpdate' })).toBe('22 h now')
  expect(asOf({ condition: 'amended' })).toBe('—')
})

test('a condition without a size and a finished rule show a dash', () => {
  expect(distance({ condition: 'amended' }, '1')).toBe('—')
  const done = ruleView('r1', levelDraft(), { phase: 'triggered' })
  expect(ruleDistance(done, { value: '1', age: () => '' }, style)).toBe('—')
})
