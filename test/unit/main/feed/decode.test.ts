import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeFrame } from '../../../../main/feed/decode'
import { streams } from '../../../../core/model'
import { examples } from '../../../support/examples'

const time = 1_698_840_000_000
const value = (fields: object) => JSON.stringify({ type: 'value', time, id: 'BRTI', value: '79767.34', ...fields })
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

describe('value messages (protocol, 2.4)', () => {
  test('are read exactly, in the key order of production', () =>
    expect(decodeFrame('{"type":"value","time":1788717461800,"id":"BRTI","value":"79767.340"}')).toEqual({
      kind: 'value',
      id: 'BRTI',
      publication: { value: '79767.340', publishedAtMs: 1_788_717_461_800 },
    }))

  test('ignore unknown fields, and use the last of duplicate ones', () => {
    const text = '{"type":"value","id":"BRTI","value":"1","value":"2","time":1698840000000,"new":{"a":[1]}}'
    expect(decodeFrame(text)).toMatchObject({ kind: 'value', publication: { value: '2' } })
  })

  test.each([{ amendTime: null }, { repeatOfPreviousValue: false }, { amendTime: null, repeatOfPreviousValue: null }])(
    'are read without fields that are null or false: %j',
    (fields) =>
      expect(decodeFrame(value(fields))).toEqual({
        kind: 'value',
        id: 'BRTI',
        publication: { value: '79767.34', publishedAtMs: time },
      }),
  )

  test('are read if only one of the two fields is null or false', () => {
    expect(decodeFrame(value({ amendTime: time, repeatOfPreviousValue: false }))).toMatchObject({
      publication: { amendedAtMs: time },
    })
    expect(decodeFrame(value({ amendTime: null, repeatOfPreviousValue: true }))).toMatchObject({
      publication: { isRepeatOfPrevious: true },
    })
  })
})

/** Rows W1–W30 of test/faults.jsonl: the message and the fault that is counted. */
const unreadable: [string, string, string][] = [
  ['W1 broken JSON', '{bad json', 'notJson'],
  ['W1 nothing', '', 'notJson'],
  ['W1 spaces', '  \n', 'notJson'],
  ['W2 null', 'null', 'notAnObject'],
  ['W2 a number', '42', 'notAnObject'],
  ['W2 a string', '"x"', 'notAnObject'],
  ['W2 a list', '[]', 'notAnObject'],
  ['W2 lists in a list', '[[]]', 'notAnObject'],
  ['W3 no type', '{"id":"BRTI"}', 'type'],
  ['W3 no id', '{"type":"value","time":1698840000000,"value":"1"}', 'id'],
  ['W3 no value', '{"type":"value","time":1698840000000,"id":"BRTI"}', 'value'],
  ['W3 no time', '{"type":"value","id":"BRTI","value":"1"}', 'time'],
  ['W4 type a number', value({ type: 1 }), 'type'],
  ['W4 id a number', value({ id: 7 }), 'id'],
  ['W4 value an object', value({ value: {} }), 'value'],
  ['W4 time a boolean', value({ time: true }), 'time'],
  ['W7 id __proto__', '{"type":"value","time":1698840000000,"id":"__proto__","value":"1"}', 'id'],
  ['W7 fields only under __proto__', `{"type":"value","__proto__":${value({})}}`, 'id'],
  ['W8 NaN', value({ value: 'NaN' }), 'value'],
  ['W9 a number beyond floats', '{"type":"value","time":1698840000000,"id":"BRTI","value":1e400}', 'value'],
  ['W9 an exponent beyond bounds', value({ value: '1e400' }), 'value'],
  ['W11 blanks around', value({ value: ' 1 ' }), 'value'],
  ['W12 true', value({ value: true }), 'value'],
  ['W12 null', value({ value: null }), 'value'],
  ['W12 a list', value({ value: [1] }), 'value'],
  ['W15 seconds', value({ time: 1_698_840_000 }), 'time'],
  ['W15 an ISO time', value({ time: '2023-11-01T12:00:00+01:00' }), 'time'],
  ['W16 year 9999', value({ time: 253_402_300_799_000 }), 'time'],
  ['W16 negative', value({ time: -time }), 'time'],
  ['amendTime as text', value({ amendTime: String(time) }), 'amendTime'],
  ['repeatOfPreviousValue as text', value({ repeatOfPreviousValue: 'true' }), 'repeatOfPreviousValue'],
  ['W26 a name instead of an id', value({ id: '<b>BRTI</b>' }), 'id'],
  ['W26 an endless id', value({ id: 'X'.repeat(65) }), 'id'],
  ['W29 seventeen levels', value({ extra: nested(16) }), 'tooDeep'],
  ['W29 a million levels', '['.repeat(1_000_000), 'tooDeep'],
  ['a subscribe echo without success', '{"type":"subscribe","id":"BRTI"}', 'success'],
  ['a refusal without a reason', '{"type":"subscribe","id":"BRTI","success":false}', 'reason'],
  ['a refusal without an id', '{"type":"subscribe","success":false,"reason":"no"}', 'id'],
  ['an info without streams', '{"type":"info"}', 'streams'],
  ['an info with streams by name', '{"type":"info","streams":{"BRTI":1}}', 'streams'],
]

test.each([17, 1_000])('constituents are read if an unknown field has %d levels', (levels) => {
  const constituents = [{ constituent: 'BTC', value: '1', weightPercent: '100' }]
  const text = value({ type: 'constituents', constituents, extra: nested(levels) })
  expect(decodeFrame(text)).toMatchObject({ kind: 'constituents', publication: { constituents } })
})

describe('unreadable frames', () => {
  test.each(unreadable)('%s', (_name, text, fault) => expect(decodeFrame(text)).toEqual({ kind: 'unreadable', fault }))

  test('W30 a binary one', () => expect(decodeFrame(undefined)).toEqual({ kind: 'unreadable', fault: 'binary' }))

  test('twin: the untouched message behind these rows is read', () => {
    expect(decodeFrame(value({}))).toMatchObject({ kind: 'value', id: 'BRTI' })
    expect(decodeFrame(value({ extra: nested(15) }))).toMatchObject({ kind: 'value' })
  })
})

test.each(['toString', 'constructor', 'hasOwnProperty'])('W7 an index may be called %s', (id) => {
  expect(decodeFrame(value({ id }))).toMatchObject({ kind: 'value', id })
  expect(({} as { value?: unknown }).value).toBeUndefined()
})

describe('refusals (protocol, 2.6)', () => {
  test('have the id and the reason', () => {
    const text =
      '{"type":"subscribe","success":false,"reason":"Unrecognised id","id":"DOES_NOT_EXIST","stream":"value"}'
    expect(decodeFrame(text)).toEqual({
      kind: 'refused',
      stream: 'value',
      id: 'DOES_NOT_EXIST',
      reason: 'Unrecognised id',
    })
  })

  test('of a server that omits the channel are read too', () => {
    const text = '{"type":"subscribe","success":false,"reason":"no","id":"BRTI"}'
    expect(decodeFrame(text)).toEqual({ kind: 'refused', stream: 'value', id: 'BRTI', reason: 'no' })
  })

  test.each([
    ['subscribe', 'chat'],
    ['unsubscribe', 'value'],
    ['info', undefined],
  ])('of %s %s do not refuse a known stream', (type, stream) => {
    const text = JSON.stringify({ type, stream, id: 'BRTI', success: false, reason: 'no' })
    expect(decodeFrame(text)).toEqual({ kind: 'failedCommand', command: type, reason: 'no' })
  })

  test.each(['subscribe', 'unsubscribe'])('a %s that succeeded is only acknowledged', (type) =>
    expect(decodeFrame(JSON.stringify({ type, success: true, id: 'BRTI' }))).toEqual({ kind: 'acknowledged' }),
  )
})

test.each(['curve', 'Constituents', 'VALUE', ''])('W5 type %j is unknown, not unreadable', (type) =>
  expect(decodeFrame(JSON.stringify({ type, id: 7, constituents: [] }))).toEqual({ kind: 'unknownType', type }),
)

test('reads the stream list entry by entry, also from older and newer servers', () => {
  const listed = [
    { id: 'BRTI', maxResolution: 'PER_200MS' },
    { id: 'BRR', maxResolution: 'BUSINESS_DAYS' },
    { id: 'OLD', isSubSecond: false },
    { id: 'LATER', maxResolution: 'PER_MICROSECOND' },
    { id: 7 },
    'BRTI',
    null,
  ]
  expect(decodeFrame(JSON.stringify({ type: 'info', streams: listed }))).toEqual({
    kind: 'streams',
    streams: [
      { id: 'BRTI', maxResolution: 'PER_200MS' },
      { id: 'BRR', maxResolution: 'BUSINESS_DAYS' },
      { id: 'OLD', maxResolution: 'PER_SECOND' },
      { id: 'LATER', maxResolution: 'PER_SECOND' },
    ],
    unreadable: 3,
  })
})

test('no text makes it throw or pollutes a prototype', () => {
  const names = fc.constantFrom(
    ...['type', 'id', 'value', 'time', 'streams', 'success', 'reason', '__proto__', 'x'],
    ...['constituents', 'divisor', 'weights', 'action', 'stream'],
  )
  const message = fc.dictionary(
    names,
    fc.oneof(fc.constantFrom('BRTI', '1', 'info', 'subscribe', ...streams), fc.jsonValue()),
  )
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    message.map((fields) => JSON.stringify(fields)),
  )
  fc.assert(
    fc.property(text, (frame) => {
      expect(decodeFrame(frame).kind).toMatch(/^[a-zA-Z]+$/)
    }),
    { numRuns: examples(20_000) },
  )
  expect(Object.keys(Object.prototype)).toEqual([])
})

test('the order of the fields does not matter', () => {
  const fields: [string, unknown][] = [
    ['type', 'value'],
    ['time', time],
    ['id', 'BRTI'],
    ['value', '1.350'],
    ['amendTime', time + 9],
    ['repeatOfPreviousValue', true],
  ]
  const expected = decodeFrame(JSON.stringify(Object.fromEntries(fields)))
  expect(expected.kind).toBe('value')
  fc.assert(
    fc.property(fc.shuffledSubarray(fields, { minLength: fields.length }), (shuffled) => {
      expect(decodeFrame(JSON.stringify(Object.fromEntries(shuffled)))).toEqual(expected)
    }),
  )
})

describe('the fast path answers like JSON.parse and the checks', () => {
  const original = '{"type":"value","time":1791180714000,"id":"ETHUSD_RTI","value":"-8.0"}'
  const pieces = [
    ...['', '0'.repeat(61), '"type":"value",', ',"amendTime":1791180714001', ',"value":"7"'],
    ...'019-.+eE"\\{}[],:_ \n/é',
  ]
  const changed = (text: string, at: number, removed: number, piece: string) =>
    text.slice(0, at) + piece + text.slice(at + removed)
  /** A leading space keeps the message from the fast path. */
  const agrees = (text: string) => isDeepStrictEqual(decodeFrame(text), decodeFrame(` ${text}`))

  test('for each single change of a value message', () => {
    const texts = Array.from(original, (_, at) => {
      return pieces.flatMap((piece) => [0, 1].map((removed) => changed(original, at, removed, piece)))
    })
    expect(texts.flat().filter((text) => !agrees(text))).toEqual([])
  })

  test('for several changes of a value message', () => {
    const change = fc.tuple(fc.nat(original.length), fc.nat(1), fc.constantFrom(...pieces))
    const texts = fc
      .array(change, { minLength: 2, maxLength: 4 })
      .map((all) => all.reduce((text, each) => changed(text, ...each), original))
    const numRuns = process.env['INDEXWATCH_PROPERTY_RUNS'] === undefined ? 2_000 : 1_000_000
    fc.assert(fc.property(texts, agrees), { numRuns })
  })
})
