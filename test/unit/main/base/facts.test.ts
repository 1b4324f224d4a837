import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFacts } from '../../../../main/base/facts'

const nothing: ReadonlySet<string> = new Set()

test('words stay words, all else becomes JSON text, null and nothing are no facts', () => {
  const fields = { state: 'PENDING', version: 2, isFinal: false, terms: { a: [1, null] }, note: null, blank: ' \u200b' }
  expect(readFacts(fields, nothing)).toEqual([
    { name: 'state', text: 'PENDING' },
    { name: 'version', text: '2' },
    { name: 'isFinal', text: 'false' },
    { name: 'terms', text: '{"a":[1,null]}' },
  ])
})

test('what is known by name is left out', () => {
  expect(readFacts({ id: 'X', family: 'CF' }, new Set(['id']))).toEqual([{ name: 'family', text: 'CF' }])
})

test('names and texts are fit to show', () => {
  expect(readFacts({ 'sta\u202ete\n': 'a\u0000\nb' }, nothing)).toEqual([{ name: 'state', text: 'a b' }])
})

test('fifty facts are taken, of five hundred characters each', () => {
  const fields = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}`, 'x'.repeat(5_000)]))
  const facts = readFacts(fields, nothing)
  expect(facts).toHaveLength(50)
  expect(new Set(facts.map(({ text }) => text.length))).toEqual(new Set([500]))
})

test('no object makes it throw or answer more than its bounds', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
      for (const { name, text } of readFacts(fields, nothing)) {
        expect(name.length).toBeLessThanOrEqual(200)
        expect(text.length).toBeLessThanOrEqual(500)
      }
    }),
  )
})
