import { expect, test } from 'vitest'
import { readToolAnswer } from '../../../../main/mcp/tool-answer'
import { sanitizeText } from '../../../../main/base/sanitize'

const read = (...texts: string[]) =>
  readToolAnswer({ content: texts.map((text) => ({ type: 'text', text })) }, (text) => sanitizeText(text, 1_000))

test('numbers of an answer keep every digit they were sent with', () =>
  expect(read('{"a":1.10,"b":12345678901234567890,"c":7,"d":"1.10"}')?.data).toEqual({
    a: '1.10',
    b: '12345678901234567890',
    c: 7,
    d: '1.10',
  }))

test('texts keep their lines and lose invisible characters', () =>
  expect(read('One\u202e\nTwo\u0000')).toEqual({ texts: ['One\nTwo'], omittedCount: 0 }))

test('a file of text is read beside the data; pictures, sounds and links are counted', () => {
  const content = [
    { type: 'text' as const, text: '{"a":1.10}' },
    { type: 'resource' as const, resource: { uri: 'doc://a', text: 'One\u202e\nTwo' } },
    { type: 'resource' as const, resource: { uri: 'doc://b', blob: 'AAAA' } },
    { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' },
    { type: 'resource_link' as const, uri: 'https://evil.example', name: 'c' },
  ]
  const answer = readToolAnswer({ content }, (text) => sanitizeText(text, 1_000))
  expect(answer).toEqual({ data: { a: '1.10' }, texts: ['One\nTwo'], omittedCount: 3 })
})

test('an answer of more values than can be shown, or nested without end, is none', () => {
  expect(read(JSON.stringify(Array(200_001).fill(1)))).toBeUndefined()
  const deep = '['.repeat(100_000)
  expect(read(deep)?.data).toBeUndefined()
  const nested = { a: {} }
  let at: Record<string, unknown> = nested.a
  for (let n = 0; n < 5_000; n++) at = at['a'] = {}
  expect(readToolAnswer({ content: [], structuredContent: nested }, (text) => text)).toBeUndefined()
})
