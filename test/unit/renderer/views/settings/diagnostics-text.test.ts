import { expect, test } from 'vitest'
import { diagnosticsText, maxCharacters, uptimeText } from '../../../../../renderer/views/settings/diagnostics-text'
import { sampleDiagnostics } from '../../../../support/sample-connections'
import { sampleNowMs } from '../../../../support/sample-window'

test('an uptime is given in its two largest units', () => {
  expect(uptimeText(-5)).toBe('0 s')
  expect(uptimeText(59_999)).toBe('59 s')
  expect(uptimeText(245_000)).toBe('4 min 5 s')
  expect(uptimeText(11_520_000)).toBe('3 h 12 min')
  expect(uptimeText(183_600_000)).toBe('2 d 3 h')
})

test('the text has all diagnostics, with times in UTC', () => {
  const text = diagnosticsText(sampleDiagnostics, sampleNowMs)
  expect(text).toContain('taken 2026-11-21T14:02:11.600Z, running for 3 h 12 min')
  expect(text).toContain('electron 40.0.0')
  expect(text).toContain('frames received 1234567')
  expect(text).toContain('London, Not authorised, 0 subscriptions, The provider refused this key. Check it.')
  expect(text).toContain('2026-11-21T14:01:11.600Z London: not authorised: HTTP 401')
  expect(text).toContain(sampleDiagnostics.problems.join('\n'))
  expect(text).not.toContain('left out')
})

test('an empty part says none', () => {
  const empty = { ...sampleDiagnostics, counters: {}, connectionLog: [], problems: [] }
  expect(diagnosticsText(empty, sampleNowMs)).toContain('Recent problems\nnone')
})

test('the oldest lines are left out first, and the text says how many', () => {
  const connectionLog = Array.from({ length: 400 }, (_, at) => ({ atMs: at, connection: 'Desk', text: `event ${at}.` }))
  const problems = Array.from({ length: 300 }, (_, at) => `problem ${at}. ${'x'.repeat(60)}`)
  const text = diagnosticsText({ ...sampleDiagnostics, connectionLog, problems }, sampleNowMs)
  expect(text.length).toBeLessThanOrEqual(maxCharacters)
  expect(text.length).toBeGreaterThan(maxCharacters - 200)
  expect(text).toContain('event 399.')
  expect(text).toContain('problem 299.')
  expect(text).not.toContain('event 0.')
  expect(text).not.toContain('problem 0.')
  expect(text).toMatch(/Connection log\n\(\d+ older lines left out\)/)
  expect(text).toMatch(/Recent problems\n\(\d+ older lines left out\)/)
})

test('a text that is still too long is cut, and says so', () => {
  const text = diagnosticsText(sampleDiagnostics, sampleNowMs, 100)
  expect(text.length).toBeLessThanOrEqual(100)
  expect(text).toContain('(cut short)')
})
