import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { alertConditions, conditionText, fieldsOf, sentenceParts } from '../../../core/conditions/list'
import { termsFieldNames } from '../../../core/conditions/fields'
import { termsSchema } from '../../../core/alert-schema'
import { checkTerms } from '../../../core/alert-terms-checks'
import { sampleTerms } from '../../support/sample-alerts'

describe.each(alertConditions)('the sentence of %s', (condition) => {
  test('has the condition and each of its fields, except the re-arm band, once', () => {
    const slots = sentenceParts(condition).flatMap(({ slot }) => slot ?? [])
    const fields = fieldsOf(condition).flatMap(({ name }) => (name === 'rearmBand' ? [] : [name]))
    expect([...slots].sort()).toEqual([...fields, 'condition'].sort())
  })

  test('differs from every other in the list of conditions', () => {
    const others = alertConditions.filter((each) => each !== condition).map((each) => conditionText(each, false))
    expect(conditionText(condition, false)).not.toBe('')
    expect(others).not.toContain(conditionText(condition, false))
  })
})

test('a sentence is split into words and fields', () => {
  expect(sentenceParts('weightAtOrAbove')).toEqual([
    { words: 'has', slot: 'constituent' },
    { words: '', slot: 'condition' },
    { words: '', slot: 'weightPercent' },
    { words: 'weight' },
  ])
  expect(conditionText('weightAtOrAbove', true)).toBe('at or above')
  expect(conditionText('weightAtOrAbove', false)).toBe('has a weight at or above')
})

test('every field is used by a condition', () => {
  const used = new Set(alertConditions.flatMap((condition) => fieldsOf(condition).map(({ name }) => name)))
  expect(used).toEqual(new Set(termsFieldNames))
})

test.each(sampleTerms)('the sample %o has no fault', (terms) => {
  expect(v.safeParse(termsSchema, terms).success).toBe(true)
  expect(checkTerms(terms, undefined)).toEqual([])
})

describe('terms are read', () => {
  const read = (terms: unknown) => v.safeParse(termsSchema, terms)

  test('only with their own fields', () => {
    expect(read({ condition: 'risesTo', level: '1' }).success).toBe(true)
    expect(read({ condition: 'risesTo' }).success).toBe(false)
    expect(read({ condition: 'risesTo', level: '1', low: '1' }).success).toBe(false)
    expect(read({ condition: 'explodes' }).success).toBe(false)
  })

  test('with an error that names the field', () => {
    const messages = (terms: unknown) => read(terms).issues?.map(({ message }) => message)
    expect(messages({ condition: 'continuity', tolerancePercent: 'much' })).toEqual([
      'A tolerance is a number such as 0.5.',
    ])
  })

  test('without a field only if it is optional', () => {
    expect(read({ condition: 'noUpdate' }).success).toBe(true)
    expect(read({ condition: 'weightDrift', points: '2', base: 'made' }).success).toBe(true)
    expect(read({ condition: 'weightDrift', points: '2', base: 'never' }).success).toBe(false)
    expect(read({ condition: 'weightAtOrAbove', weightPercent: '2' }).success).toBe(false)
  })
})
