import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { retryAfterMs } from '../../../../main/base/http'
import { isNestedTooDeep, isRecord, printableJson, sanitizeText } from '../../../../main/base/sanitize'
import { examples } from '../../../support/examples'

describe('nesting', () => {
  const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth)

  test('allows sixteen levels, not seventeen', () => {
    expect(isNestedTooDeep(nested(16))).toBe(false)
    expect(isNestedTooDeep(nested(17))).toBe(true)
    expect(isNestedTooDeep(nested(17, '{"a":', '}'))).toBe(true)
    expect(isNestedTooDeep(nested(1_000_000))).toBe(true)
  })

  test('brackets side by side or in strings are not nesting', () => {
    expect(isNestedTooDeep(`[${Array(100).fill('{"a":[1]}').join(',')}]`)).toBe(false)
    expect(isNestedTooDeep(`["${'['.repeat(100)}","\\"${'{'.repeat(100)}"]`)).toBe(false)
  })

  test('agrees with the depth of what JSON.parse returns', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
    const deep = fc
      .nat(24)
      .chain((levels) => fc.json({ maxDepth: 3 }).map((text) => '['.repeat(levels) + text + ']'.repeat(levels)))
    fc.assert(
      fc.property(deep, (text) => {
        expect(isNestedTooDeep(text)).toBe(depthOf(JSON.parse(text)) > 16)
      }),
      { numRuns: examples(3_000) },
    )
  })
})

test('only objects with named fields are records', () =>
  expect([{}, JSON.parse('{"__proto__":1}'), null, [], 'x', 1].map(isRecord)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]))

describe('text of the service', () => {
  test.each(
    Object.entries<[text: string, shown: string]>({
      'lines and tabs': ['Unrecognised\n\tid', 'Unrecognised id'],
      'control characters': ['a\u0000b\u001b[31mc', 'ab[31mc'],
      'bidirectional overrides': ['abc\u202etxt.exe', 'abctxt.exe'],
      'invisible characters': ['a\u200bb\ufeffc', 'abc'],
      'half a character': ['a\ud800b', 'a\ufffdb'],
      'markup, which is only text': ['<img onerror=x> {{y}}', '<img onerror=x> {{y}}'],
    }),
  )('%s', (_what, [text, shown]) => expect(sanitizeText(text)).toBe(shown))

  test('is at most 200 long, in whole characters, and valid UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1_500, size: 'max' }), (text) => {
        const words = sanitizeText(text)
        expect(words.length).toBeLessThanOrEqual(200)
        expect(Buffer.from(words).toString()).toBe(words)
      }),
    )
    expect(sanitizeText('😀'.repeat(300)).endsWith('😀…')).toBe(true)
  })
})

describe('Retry-After', () => {
  const nowMs = Date.UTC(2023, 10, 1, 12)
  const cases: [string | undefined, number | undefined][] = [
    ['7', 7_000],
    [' 7 ', 7_000],
    ['0', 1_000],
    ['-1', 1_000],
    ['1000000000', 3_600_000],
    ['Wed, 01 Nov 2023 12:00:30 GMT', 30_000],
    ['Wed, 01 Nov 2023 11:00:00 GMT', 1_000],
    ['Wed, 01 Nov 2034 11:00:00 GMT', 3_600_000],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ]
  test.each(cases)('%j means %j ms', (header, expectedMs) => expect(retryAfterMs(header, nowMs)).toBe(expectedMs))
})

describe('printed JSON', () =>
  test('escapes control and invisible characters, and parses to the original', () => {
    const given = { name: 'a\u001b[2J\u009b2J\u0085b\u2028\u2029c\u202ed\u{e0041}', list: [1, 'x\ny'] }
    for (const text of [printableJson(given), printableJson(given, 2).replaceAll('\n', '')]) {
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(JSON.parse(text)).toEqual(given)
    }
  }))
