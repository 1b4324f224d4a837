import { describe, expect, test } from 'vitest'
import { maxConstituents, maxExchanges, readConstituents, readFacts } from '../../../../main/base/payloads'
import fc from 'fast-check'

const time = 1_788_717_462_000
const base = { time, value: '2835.55' }
const one = (fields: object = {}) => ({ constituent: 'LINK', value: '35.0013', weightPercent: '1.27', ...fields })
const many = (count: number) => Array.from({ length: count }, (_, i) => one({ constituent: `C${i}` }))
const venues = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ exchange: `E${i}`, weightPercent: '0.01' }))

describe('oversized constituents (decision 0007)', () => {
  test('are read up to five thousand, and the rest are counted', () => {
    const full = readConstituents({ ...base, constituents: many(maxConstituents) })
    expect(full).toMatchObject({ leftOut: 0 })
    const over = readConstituents({ ...base, constituents: [...many(maxConstituents), 'not even read'] })
    expect(over).toMatchObject({ leftOut: 1 })
    if (typeof over === 'string') throw new Error(over)
    expect(over.publication.constituents).toHaveLength(maxConstituents)
    expect(over.publication.constituents.at(-1)?.constituent).toBe('C4999')
  })

  test('are read with a hundred exchanges, and not with one more', () => {
    expect(readConstituents({ ...base, constituents: [one({ exchanges: venues(maxExchanges) })] })).toMatchObject({
      publication: { constituents: [{ exchanges: venues(maxExchanges) }] },
    })
    expect(readConstituents({ ...base, constituents: [one({ exchanges: venues(maxExchanges + 1) })] })).toBe(
      'exchanges',
    )
  })
})

test('weights stay exactly as published, whatever their sum', () => {
  const weights = ['62.150', '0', '-1.0', '9e1', '0.00']
  const read = readConstituents({ ...base, constituents: weights.map((weightPercent) => one({ weightPercent })) })
  if (typeof read === 'string') throw new Error(read)
  expect(read.publication.constituents.map(({ weightPercent }) => weightPercent)).toEqual(weights)
})

test.each([
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['B\u202eT\u200bC', 'BTC'],
  ['A\u0000B\nC', 'AB C'],
  ['x'.repeat(10_000), `${'x'.repeat(199)}…`],
])('the name %j is shown as %j', (constituent, shown) =>
  expect(readConstituents({ ...base, constituents: [one({ constituent })] })).toMatchObject({
    publication: { constituents: [{ constituent: shown }] },
  }),
)

test.each([
  ['a name of nothing visible', one({ constituent: '\u200b\n' }), 'constituent'],
  ['no object', null, 'constituent'],
  ['a list', [one()], 'constituent'],
  ['a value of null', one({ value: null }), 'constituentValue'],
  ['a weight of nothing', one({ weightPercent: '' }), 'weightPercent'],
  ['exchanges of null', one({ exchanges: null }), 'exchanges'],
  ['an exchange without a name', one({ exchanges: [{ weightPercent: '1' }] }), 'exchanges'],
  ['an exchange that is text', one({ exchanges: ['Kraken'] }), 'exchanges'],
])('%s fails the whole list', (_name, entry, fault) => {
  expect(readConstituents({ ...base, constituents: [one(), entry, one()] })).toBe(fault)
  expect(readConstituents({ ...base, constituents: [one(), one()] })).toMatchObject({ leftOut: 0 })
})

test('the value around them is checked like any other', () => {
  expect(readConstituents({ ...base, value: 1, constituents: [] })).toBe('value')
  expect(readConstituents({ ...base, time: 5, constituents: [] })).toBe('time')
  expect(readConstituents({ ...base, divisor: '', constituents: [] })).toBe('divisor')
})

test('never throws', () => {
  const entry = fc.oneof(
    fc.constant(one()),
    fc.jsonValue(),
    fc.record({ constituent: fc.string(), value: fc.string() }),
  )
  fc.assert(
    fc.property(fc.array(entry), fc.jsonValue(), (constituents, divisor) => {
      readConstituents({ ...base, constituents, divisor })
    }),
  )
})

const nothing: ReadonlySet<string> = new Set()

test('text stays text, the rest becomes JSON, and nulls are left out', () => {
  const fields = { state: 'PENDING', version: 2, isFinal: false, terms: { a: [1, null] }, note: null, blank: ' \u200b' }
  expect(readFacts(fields, nothing)).toEqual([
    { name: 'state', text: 'PENDING' },
    { name: 'version', text: '2' },
    { name: 'isFinal', text: 'false' },
    { name: 'terms', text: '{"a":[1,null]}' },
  ])
})

test('known fields are left out', () =>
  expect(readFacts({ id: 'X', family: 'CF' }, new Set(['id']))).toEqual([{ name: 'family', text: 'CF' }]))

test('names and texts are sanitized', () =>
  expect(readFacts({ 'sta\u202ete\n': 'a\u0000\nb' }, nothing)).toEqual([{ name: 'state', text: 'a b' }]))

test('takes fifty facts of four thousand characters each', () => {
  const fields = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}`, 'x'.repeat(5_000)]))
  const facts = readFacts(fields, nothing)
  expect(facts).toHaveLength(50)
  expect(new Set(facts.map(({ text }) => text.length))).toEqual(new Set([4_000]))
})

test('no object makes it throw or exceed its limits', () =>
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
      for (const { name, text } of readFacts(fields, nothing)) {
        expect(name.length).toBeLessThanOrEqual(200)
        expect(text.length).toBeLessThanOrEqual(4_000)
      }
    }),
  ))
