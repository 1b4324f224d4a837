import { expect, test } from 'vitest'
import type { ConnectionStatus } from '../../../../core/model'
import { problemText, retryText } from '../../../../renderer/format/connection-words'

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
