import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeEnvelope,
  decodeIndex,
  decodeIndices,
  decodeLatestValues,
  decodeValues,
} from '../../../../main/rest/decode'
import { parseJson } from '../../../../main/base/sanitize'
import { failureBody, successBody } from '../../../support/scripted-service'
import { examples } from '../../../support/examples'

const envelopeOf = (body: string) => decodeEnvelope(parseJson(body))
const time = 1_698_840_000_000

describe('the envelope', () => {
  test('distinguishes success from failure', () => {
    expect(envelopeOf(successBody([1]))).toEqual({
      kind: 'success',
      payload: [1],
      serverTimeMs: Date.UTC(2023, 10, 1, 12),
    })
    expect(envelopeOf(failureBody('Unknown id'))).toEqual({ kind: 'failure', error: 'Unknown id' })
    expect(envelopeOf('{"serverTime":"x","payload":{},"error":null}')).toEqual({ kind: 'success', payload: {} })
    expect(envelopeOf('{"serverTime":"x","error":"","payload":{}}')).toEqual({ kind: 'success', payload: {} })
    expect(envelopeOf('{"error":"Unknown id","payload":{}}')).toEqual({ kind: 'failure', error: 'Unknown id' })
  })

  const unreadable = [
    '',
    '<html><body>Sign in</body></html>',
    'null',
    '[]',
    '{}',
    '{"payload":null}',
    '{"error":""}',
    '{"serverTime":"2023-11-01T12:00:00.000Z"',
    `{"payload":${'['.repeat(20)}${']'.repeat(20)}}`,
  ]
  test.each(unreadable)('%j is neither', (body) => expect(envelopeOf(body)).toEqual({ kind: 'unreadable' }))
})

describe('index summaries (protocol, 2.7)', () => {
  const brti = { id: 'BRTI', name: 'CME CF Bitcoin Real Time Index', decimals: 2, base: 'BTC', quote: 'USD' }

  test('are read with what they have', () =>
    expect(decodeIndex({ ...brti, demiseDateTime: null, maxResolution: 'PER_200MS', more: 1 })).toEqual({
      ...brti,
      maxResolution: 'PER_200MS',
    }))

  test('with empty, missing or odd attributes are read without these', () => {
    const expected = { id: 'SOL_SRR', name: 'Reward rate', maxResolution: 'DAILY' }
    const summary = { id: 'SOL_SRR', name: 'Reward rate', maxResolution: 'DAILY' }
    expect(decodeIndex(summary)).toEqual(expected)
    expect(decodeIndex({ ...summary, base: '', quote: '' })).toEqual(expected)
    expect(decodeIndex({ ...summary, base: null, quote: 5, decimals: '6' })).toEqual(expected)
    expect(decodeIndex({ ...summary, decimals: -1 })).toEqual(expected)
  })

  test('without a resolution, or with one of a later version, publish once a second', () => {
    expect(decodeIndex({ id: 'OLD', name: 'Old' })?.maxResolution).toBe('PER_SECOND')
    expect(decodeIndex({ id: 'NEW', name: 'New', maxResolution: 'PER_NANOSECOND' })?.maxResolution).toBe('PER_SECOND')
  })

  test('have names that are fit to show', () =>
    expect(decodeIndex({ id: 'X', name: 'A\u202eB\n<b>' })?.name).toBe('AB <b>'))

  test('that cannot be used are counted and left out; of doubles the last one counts', () => {
    const payload = [brti, null, 'BRTI', { id: '__proto__', name: 'x' }, { id: 'X' }, { ...brti, name: 'Newer' }]
    expect(decodeIndices(payload)).toEqual({
      rows: [{ ...brti, name: 'Newer', maxResolution: 'PER_SECOND' }],
      unreadable: 4,
    })
    expect(decodeIndices({ rows: [] })).toBeUndefined()
  })
})

describe('values', () => {
  test('come out ascending, amendments after what they amend, bad rows counted', () => {
    const payload = [
      { value: '2', time: time + 1_000 },
      { value: '1.5', time, amendTime: time + 5_000 },
      { value: '1', time: String(time) },
      { value: 3, time },
      { value: '3' },
      null,
    ]
    expect(decodeValues(payload)).toEqual({
      rows: [
        { value: '1', publishedAtMs: time },
        { value: '1.5', publishedAtMs: time, amendedAtMs: time + 5_000 },
        { value: '2', publishedAtMs: time + 1_000 },
      ],
      unreadable: 3,
    })
    expect(decodeValues({})).toBeUndefined()
  })

  test('come out the same in whatever order they came in', () => {
    const payload = Array.from({ length: 30 }, (_, i) => ({ value: String(i), time: time + i * 200 }))
    fc.assert(
      fc.property(fc.shuffledSubarray(payload, { minLength: payload.length }), (shuffled) => {
        expect(decodeValues(shuffled)).toEqual(decodeValues(payload))
      }),
    )
  })
})

describe('latest values', () => {
  test('come with their ids; bad ones are counted and left out', () => {
    const payload: unknown = JSON.parse(
      `{"latest_values":{"BRTI":{"time":${time},"value":"79767.34"},"__proto__":{"time":${time},"value":"1"},"BRR":{}}}`,
    )
    expect(decodeLatestValues(payload)).toEqual({
      rows: [['BRTI', { value: '79767.34', publishedAtMs: time }]],
      unreadable: 2,
    })
  })

  test.each([[[]], ['x'], [{}], [{ latest_values: [] }], [{ latest_values: null }]])(
    '%j is not a valid response',
    (payload) => expect(decodeLatestValues(payload)).toBeUndefined(),
  )
})

test('no payload makes a decoder throw', () =>
  fc.assert(
    fc.property(fc.json(), fc.jsonValue(), (body, payload) => {
      envelopeOf(body)
      decodeIndex(payload)
      decodeIndices([payload])
      decodeValues([payload])
      decodeLatestValues({ latest_values: payload })
    }),
    { numRuns: examples(5_000) },
  ))
