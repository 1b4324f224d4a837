import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  commandIn,
  commands,
  flagsOf,
  flagWithBlank,
  helpText,
  type CommandName,
} from '../../../../main/base/command-line'

const names = Object.keys(commands) as CommandName[]
const reference = readFileSync(join(import.meta.dirname, '../../../../docs/reference/commands.md'), 'utf8')

/** The flags in the table below this heading of the reference. */
function documented(heading: string): string[] {
  const part = reference.split(`### ${heading}\n`)[1]?.split('\n### ')[0] ?? ''
  const cells = part.split('\n').flatMap((line) => /^\| (`--[^|]+)/.exec(line)?.[1] ?? [])
  return cells.flatMap((cell) => [...cell.matchAll(/--([a-z-]+)/g)].map(([, name = '']) => name)).toSorted()
}

describe('the help', () => {
  test.each([undefined, ...names])('of %s names each flag, in lines of at most 110 columns', (name) => {
    const lines = helpText('indexwatch', name).split('\n')
    const flags = name === undefined ? flagsOf() : commands[name].flags
    const listed = lines.flatMap((line) => /^ {2}--([a-z-]+)/.exec(line)?.[1] ?? [])
    expect(listed).toEqual(Object.keys(flags))
    expect(lines.filter((line) => line.length > 110)).toEqual([])
  })

  test('of the app names each command', () => {
    for (const name of names) expect(helpText('indexwatch')).toContain(`\n  ${name} `)
  })
})

describe('the reference', () => {
  test('has each flag of the app', () =>
    expect(documented('Flags of the app')).toEqual(['report', ...Object.keys(flagsOf())].toSorted()))

  test.each([
    ['watch', 'Watch'],
    ['export', 'Export'],
  ] as const)('has each flag of %s', (name, heading) =>
    expect(documented(heading)).toEqual(Object.keys(commands[name].flags).toSorted()),
  )
})

test('the first command in the arguments counts, whatever comes before and after it', () => {
  expect(commandIn(['indexwatch', '--demo', 'export', '--out', 'watch'])).toEqual({ name: 'export', at: 2 })
  expect(commandIn(['indexwatch', '--list=watch', 'indexwatch://list/export'])).toBeUndefined()
})

test('a flag of Chromium with a blank before its value is refused, and one with = is not', () => {
  expect(flagWithBlank(['indexwatch', '--user-data-dir', '/tmp/x'])).toBe(
    '--user-data-dir: write the value after =, as in --user-data-dir=DIR.',
  )
  expect(flagWithBlank(['indexwatch', '--demo', '--user-data-dir=/tmp/x', '--proxy-server=h:1'])).toBeUndefined()
})
