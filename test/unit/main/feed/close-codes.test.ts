import { describe, expect, test } from 'vitest'
import type { AttemptEnd } from '../../../../main/feed/attempt-end'
import { verdictOn } from '../../../../main/feed/close-codes'
import type { Retry } from '../../../../main/feed/close-codes'

const ordinary: Retry = { kind: 'backoff', atLeastMs: 0 }
const busy: Retry = { kind: 'backoff', atLeastMs: 1_000 }
const patient: Retry = { kind: 'backoff', atLeastMs: 10_000 }
const soon: Retry = { kind: 'soon', withinMs: 3_000 }
const stop: Retry = { kind: 'stop' }

const closeCodes: [number, Retry][] = [
  [1000, ordinary],
  [1001, ordinary],
  [1005, ordinary],
  [1006, ordinary],
  [1002, patient],
  [1003, patient],
  [1007, patient],
  [1009, patient],
  [1010, patient],
  [1008, stop],
  [4000, stop],
  [4099, stop],
  [4401, stop],
  [4403, stop],
  [1011, busy],
  [1013, busy],
  [4100, busy],
  [4199, busy],
  [1012, soon],
  [4200, soon],
  [4299, soon],
  [3999, ordinary],
  [4300, ordinary],
  [4400, ordinary],
  [4402, ordinary],
]

test.each(closeCodes)('close code %i', (code, retry) => {
  expect(verdictOn({ kind: 'closed', code }).retry).toEqual(retry)
})

const statuses: [number, Retry][] = [
  [401, stop],
  [403, stop],
  [429, busy],
  [500, ordinary],
  [503, ordinary],
  [301, patient],
  [308, patient],
  [200, patient],
  [400, patient],
  [404, patient],
]

test.each(statuses)('handshake answered with %i', (status, retry) => {
  expect(verdictOn({ kind: 'handshake', status }).retry).toEqual(retry)
})

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

test.each(others)('an end of kind %j', (end, retry) => {
  expect(verdictOn(end).retry).toEqual(retry)
})

describe('what the user reads', () => {
  test('differs for a wrong key and for a key without access', () => {
    const refused = verdictOn({ kind: 'handshake', status: 401 }).problem
    const noAccess = verdictOn({ kind: 'handshake', status: 403 }).problem
    expect(refused).toBe('Not authorised: the service refused this key. Check it in Settings.')
    expect(noAccess).not.toBe(refused)
    expect(verdictOn({ kind: 'closed', code: 4401 }).problem).toBe(refused)
    expect(verdictOn({ kind: 'closed', code: 4403 }).problem).toBe(noAccess)
  })

  test('points to the clock when a certificate is out of date, and to the address when it is not theirs', () => {
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
