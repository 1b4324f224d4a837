import { expect, test } from 'vitest'
import { helpText, readCommandLine } from '../../../simulator/command-line'
import { scenarioNames } from '../../../simulator/faults/scenarios'

/** The message instead of a start. */
function problemWith(...args: string[]): string {
  const read = readCommandLine(args)
  return typeof read === 'object' && 'problem' in read ? read.problem : ''
}

test('port and seed are read, and undefined by default', () => {
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
  ['--speed=2'],
  ['--from=2026-11-20T14:00:00Z'],
])('%s is answered with the mistake and the usage', (argument) => {
  const message = problemWith(argument)
  expect(message).toContain(argument.split('=')[0])
  expect(message).toContain('Usage: npm run simulator -- [--port N] [--seed N] [--scenario NAME]')
})

test('a word without a flag, or a flag without its number, is refused', () => {
  expect(problemWith('17600')).toContain('17600')
  expect(problemWith('--port')).toContain('--port')
})

test('a scenario is read by its name, and help lists them all', () => {
  expect(readCommandLine(['--scenario', 'half-open'])).toEqual({ scenario: 'half-open' })
  expect(readCommandLine(['--help'])).toBe('help')
  for (const name of scenarioNames) expect(helpText()).toContain(`\n  ${name} `)
})

test('a recording is read with its start and speed', () => {
  expect(readCommandLine(['--tape', 'day.csv'])).toEqual({ replay: { file: 'day.csv', speed: 1 } })
  const fromMs = Date.UTC(2026, 10, 20, 14)
  expect(readCommandLine(['--tape=day.csv', '--from', '2026-11-20T14:00:00Z', '--speed', '2.5'])).toEqual({
    replay: { file: 'day.csv', speed: 2.5, fromMs },
  })
  for (const speed of ['0', '-1', 'fast', '1001']) {
    expect(problemWith('--tape=day.csv', `--speed=${speed}`)).toContain('--speed is a number up to 1000')
  }
  expect(problemWith('--tape=day.csv', '--from=noon')).toContain('--from is a time such as')
})
