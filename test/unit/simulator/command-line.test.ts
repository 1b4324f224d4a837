import { expect, test } from 'vitest'
import { helpText, readCommandLine } from '../../../simulator/command-line'
import { scenarioNames } from '../../../simulator/faults/scenarios'

/** What is said in the place of starting. */
function problemWith(...args: string[]): string {
  const read = readCommandLine(args)
  return typeof read === 'object' && 'problem' in read ? read.problem : ''
}

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
  ['--scenario=weather'],
  ['--scenario='],
])('%s is answered with what is wrong and how to call it', (argument) => {
  const message = problemWith(argument)
  expect(message).toContain(argument.split('=')[0])
  expect(message).toContain('Usage: npm run simulator -- [--port N] [--seed N] [--scenario NAME] [--help]')
})

test('a word without a flag, or a flag without its number, is not let pass', () => {
  expect(problemWith('17600')).toContain('17600')
  expect(problemWith('--port')).toContain('--port')
})

test('a scenario is read by its name, and help names them all', () => {
  expect(readCommandLine(['--scenario', 'half-open'])).toEqual({ scenario: 'half-open' })
  expect(readCommandLine(['--help'])).toBe('help')
  for (const name of scenarioNames) expect(helpText()).toContain(`\n  ${name} `)
})
