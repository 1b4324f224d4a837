import { expect, test } from 'vitest'
import { readCommandLine } from '../../../simulator/command-line'

test('port and seed are read; without them nothing is assumed', () => {
  expect(readCommandLine(['--port', '18000', '--seed=7'])).toEqual({ port: 18_000, seed: 7 })
  expect(readCommandLine(['--port=0'])).toEqual({ port: 0 })
  expect(readCommandLine([])).toEqual({})
})

test.each([
  ['--port=65536'],
  ['--port='],
  ['--port=1e3'],
  ['--port=-1'],
  ['--seed=x'],
  ['--seed=4294967296'],
  ['--sed=1'],
])('%s is answered with what is wrong and how to call it', (argument) => {
  const message = readCommandLine([argument])
  expect(message).toContain(argument.split('=')[0])
  expect(message).toContain('Usage: npm run simulator -- [--port N] [--seed N]')
})

test('a word without a flag, or a flag without its number, is not let pass', () => {
  expect(readCommandLine(['17600'])).toContain('17600')
  expect(readCommandLine(['--port'])).toContain('--port')
})
