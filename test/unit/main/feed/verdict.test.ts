import { describe, expect, test } from 'vitest'
import { verdictOn, type AttemptEnd, type Retry } from '../../../../main/feed/verdict'

const ordinary: Retry = { kind: 'backoff', atLeastMs: 0 }
const busy: Retry = { kind: 'backoff', atLeastMs: 1_000 }
const patient: Retry = { kind: 'backoff', atLeastMs: 10_000 }
const soon: Retry = { kind: 'soon', withinMs: 3_000 }
const stop: Retry = { kind: 'stop' }

function eachCode(table: readonly [Retry, number[]][]): [number, Retry][] {
  return table.flatMap(([retry, codes]) => codes.map((code): [number, Retry] => [code, retry]))
}

const closeCodes = eachCode([
  [ordinary, [1000, 1001, 1005, 1006, 3999, 4300, 4400, 4402]],
  [patient, [1002, 1003, 1007, 1009, 1010]],
  [stop, [1008, 4000, 4099, 4401, 4403]],
  [busy, [1011, 1013, 4100, 4199]],
  [soon, [1012, 4200, 4299]],
])

test.each(closeCodes)('close code %i', (code, retry) =>
  expect(verdictOn({ kind: 'closed', code }).retry).toEqual(retry),
)

const statuses = eachCode([
  [stop, [401, 403]],
  [busy, [429]],
  [ordinary, [500, 503]],
  [patient, [200, 301, 308, 400, 404]],
])

test.each(statuses)('handshake answered with %i', (status, retry) =>
  expect(verdictOn({ kind: 'handshake', status }).retry).toEqual(retry),
)

const others: [AttemptEnd, Retry][] = [
  [{ kind: 'unanswered', code: 'ECONNREFUSED' }, { kind: 'unanswered' }],
  [{ kind: 'badHandshake', code: 'HPE_INVALID_CONSTANT' }, patient],
  [{ kind: 'handshakeTimedOut' }, ordinary],
  [{ kind: 'certificate', code: 'CERT_HAS_EXPIRED' }, patient],
  [{ kind: 'tooLarge' }, patient],
  [{ kind: 'protocol', code: 'WS_ERR_INVALID_UTF8' }, patient],
  [{ kind: 'silent' }, ordinary],
  [{ kind: 'badAddress' }, patient],
  [{ kind: 'noSubprotocol' }, patient],
  [{ kind: 'unfitKey' }, stop],
]

test.each(others)('an end of kind %j', (end, retry) => expect(verdictOn(end).retry).toEqual(retry))

describe('the message for the user', () => {
  test('differs for a wrong key and for a key without access', () => {
    const refused = verdictOn({ kind: 'handshake', status: 401 }).problem
    const noAccess = verdictOn({ kind: 'handshake', status: 403 }).problem
    expect(refused).toBe('Not authorised: the provider refused this key. Check it in Settings.')
    expect(noAccess).not.toBe(refused)
    expect(verdictOn({ kind: 'closed', code: 4401 }).problem).toBe(refused)
    expect(verdictOn({ kind: 'closed', code: 4403 }).problem).toBe(noAccess)
  })

  test('mentions the clock for an expired certificate, and the address for a foreign one', () => {
    expect(verdictOn({ kind: 'certificate', code: 'CERT_HAS_EXPIRED' }).problem).toContain('clock')
    expect(verdictOn({ kind: 'certificate', code: 'ERR_TLS_CERT_ALTNAME_INVALID' }).problem).toContain('address')
  })

  test('is a sentence for every end', () => {
    const ends = [
      ...closeCodes.map(([code]): AttemptEnd => ({ kind: 'closed', code })),
      ...statuses.map(([status]): AttemptEnd => ({ kind: 'handshake', status })),
      ...others.map(([end]) => end),
      ...['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH'].map((code): AttemptEnd => ({ kind: 'unanswered', code })),
    ]
    for (const end of ends) expect(verdictOn(end).problem).toMatch(/^[A-Z].{15,}[.?]$/)
  })
})
