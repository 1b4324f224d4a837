import { expect, test } from 'vitest'
import type { Quote } from '../../../../core/model'
import { flagsOf, flagWeight, meanCount, type FlagFacts } from '../../../../renderer/format/flags'

const style = { grouping: 'comma', timeZone: 'system' } as const

const quote: Quote = { id: 'BRTI', value: '1', publishedAtMs: 0, source: 'stream' }
function kinds(facts: Partial<FlagFacts>): string[] {
  return flagsOf({ quote, ...facts }, style).map(({ kind }) => kind)
}

test('a fresh value has no flag', () => expect(kinds({})).toEqual([]))

test('a stale value has its age', () => {
  const [flag] = flagsOf({ quote, staleFor: '33 s' }, style)
  expect(flag).toMatchObject({ kind: 'stale', text: 'stale', title: 'No new value for 33 s' })
})

test('a cached value has the flag cached, even if it is old', () =>
  expect(kinds({ quote: { ...quote, source: 'cache' }, staleFor: '3 d' })).toEqual(['cached']))

test('amended and carried-forward values are flagged', () =>
  expect(kinds({ quote: { ...quote, amendedAtMs: 1, isRepeatOfPrevious: true } })).toEqual(['carriedOver', 'amended']))

test('a value that jumped is unusual and has the previous value and time', () => {
  const jumped = { ...quote, value: '67990400000.00', jump: { from: '67990.40', publishedAtMs: 0 } }
  const [flag] = flagsOf({ quote: jumped }, { ...style, timeZone: 'UTC' })
  expect(flag).toMatchObject({ kind: 'unusual', text: 'unusual' })
  expect(flag?.title).toContain('Jumped from 67,990.40 at 1 Jan 1970, 00:00:00.000')
})

test('a mean that lacks values says how many it has, and one that lacks none has no flag', () => {
  const mean = { ...quote, id: 'mean(BRTI, 3600)', missing: 2, carried: 1 }
  expect(flagsOf({ quote: mean }, style)).toMatchObject([
    {
      kind: 'incomplete',
      text: '3,598 of 3,600',
      title: 'Incomplete: the mean of 3,598 of 3,600 values, 1 carried forward. None is filled in',
    },
  ])
  expect(kinds({ quote: { ...quote, id: 'mean(BRTI, 60)' } })).toEqual([])
  expect(meanCount({ ...quote, id: 'mean(BRTI, 60)' })).toBe('60 of 60 values')
})

test('a refused id comes first, with the reason', () => {
  const flags = flagsOf({ refusal: 'Unrecognised stream ID', quote: { ...quote, source: 'cache' } }, style)
  expect(flags.map(({ kind }) => kind)).toEqual(['unknownId', 'cached'])
  expect(flags[0]?.title).toContain('Unrecognised stream ID')
})

test('a missing value is not stale', () => expect(kinds({ quote: undefined, staleFor: '33 s' })).toEqual([]))

test('the rank of a row is that of its most important flag', () => {
  const weight = (facts: Partial<FlagFacts>) => flagWeight(flagsOf({ quote, ...facts }, style))
  expect(weight({})).toBeUndefined()
  expect(weight({ refusal: 'unknown' })).toBe(0)
  const [stale, amended] = [weight({ staleFor: '33 s' }), weight({ quote: { ...quote, amendedAtMs: 1 } })]
  if (stale === undefined || amended === undefined) throw new Error('both have a flag')
  expect(stale).toBeLessThan(amended)
})
