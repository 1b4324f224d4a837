import { expect, test } from 'vitest'
import type { ConnectionStatus } from '../../../../core/model'
import { hasSignedIn, problemText, retryText, testSummary } from '../../../../renderer/format/connection-words'

const status: ConnectionStatus = { state: 'live', name: 'Demo', isDemo: true, streamCount: 3 }

test('there is no problem while live or connecting for the first time', () => {
  expect(problemText(status)).toBeUndefined()
  expect(problemText({ ...status, state: 'connecting' })).toBeUndefined()
})

test('a problem has its own text or a general one', () => {
  expect(problemText({ ...status, state: 'offline', problem: 'No network.' })).toBe('No network.')
  expect(problemText({ ...status, state: 'notAuthorised' })).toContain('Check it in Settings')
})

test('the next attempt is counted down', () => {
  expect(retryText(3_000, 0)).toBe('next try in 3 s')
  expect(retryText(3_000, 2_100)).toBe('next try in 1 s')
  expect(retryText(3_000, 3_000)).toBe('trying now')
  expect(retryText(undefined, 0)).toBeUndefined()
})

test('a test is one sentence with its remedy: the first failure, or what works', () => {
  const passed = { step: 'handshake', outcome: 'passed', message: 'The provider accepts this key.', tookMs: 1 } as const
  const failed = { step: 'handshake', outcome: 'failed', message: 'The provider refused this key.', tookMs: 1 } as const
  const info = {
    step: 'info',
    outcome: 'passed',
    message: '9 indices are available with this key.',
    tookMs: 1,
  } as const
  const rest = { step: 'rest', outcome: 'failed', message: 'The provider cannot be reached.', tookMs: 1 } as const
  expect(testSummary({ steps: [failed, rest] })).toBe('The provider refused this key.')
  expect(testSummary({ steps: [passed, info, rest] })).toBe(
    'Live values work. REST address: The provider cannot be reached.',
  )
  expect(testSummary({ steps: [passed, info] })).toBe('Signed in. 9 indices are available with this key.')
  expect([failed, passed].map((step) => hasSignedIn({ steps: [step] }))).toEqual([false, true])
})
