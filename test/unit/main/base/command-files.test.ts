import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { commandFiles } from '../../../../main/base/command-files'
import { appFlags, commands, flagsOf, type CommandName, type Flags } from '../../../../main/base/command-line'

const names = Object.keys(commands) as CommandName[]
const files = commandFiles()
const file = (name: string) => files[name] ?? ''
const keys = (flags: Flags) => Object.keys(flags).toSorted()

/** Every flag in a text, once. */
const flagsIn = (text: string) =>
  [...new Set([...text.matchAll(/--([a-z][a-z-]*)/g)].map(([, name = '']) => name))].toSorted()

describe('the man page', () => {
  const page = file('indexwatch.1').replaceAll(String.raw`\-`, '-')
  const [before = '', after = ''] = page.split('.SH COMMANDS\n')

  test('has each flag of the app', () =>
    expect(flagsIn(before.split('.SH OPTIONS\n')[1] ?? '')).toEqual(keys(appFlags)))

  test.each(names)('has the flags of %s', (name) => {
    const part = after.split(`.SS indexwatch ${name}\n`)[1]?.split(/^\.S[SH]/m)[0] ?? ''
    expect(flagsIn(part)).toEqual(keys(commands[name].flags))
  })
})

describe('the completion of zsh', () => {
  test.each(names)('has the flags of %s', (name) => {
    const part = file('completion.zsh').split(`\n  ${name}) _arguments`)[1]?.split(';;')[0] ?? ''
    expect(flagsIn(part)).toEqual(keys(flagsOf(name)))
  })
})

describe('the completion of fish', () => {
  const lines = file('completion.fish').split('\n')
  const offered = (condition: string) =>
    lines
      .filter((line) => line.includes(` -n '${condition}' `))
      .map((line) => / -l ([a-z-]+)| -a --([a-z-]+)=/.exec(line)?.slice(1).join('') ?? line)
      .toSorted()

  test.each(names)('has the flags of %s', (name) =>
    expect(offered(`__fish_seen_subcommand_from ${name}`)).toEqual(keys(commands[name].flags)),
  )

  test('has the flags of the app, but not beside export', () =>
    expect(offered('not __fish_seen_subcommand_from export')).toEqual(keys(appFlags)))
})

describe.runIf(process.platform === 'linux')('the completion of bash', () => {
  const lines = [
    [''],
    ...names.map((name) => ['--demo', name, '--']),
    ['export', '--resolution', 'm'],
    ['watch', '--list', ''],
  ]
  const offers = new Map<string, string[]>()

  // One process for all lines, because each copies the memory of the tests.
  beforeAll(() => {
    const asked = lines.map((words) => {
      const quoted = ['indexwatch', ...words].map((word) => `'${word}'`)
      return `COMP_WORDS=(${quoted.join(' ')}); COMP_CWORD=${words.length}; _indexwatch; echo "\${COMPREPLY[*]}"`
    })
    const input = [file('completion.bash'), ...asked].join('\n')
    const answers = execFileSync('bash', ['-s'], { input }).toString().split('\n')
    for (const [at, words] of lines.entries())
      offers.set(words.join(' '), answers[at]?.split(' ').filter((word) => word !== '') ?? [])
  })

  /** What bash offers for the last word. */
  const offered = (...words: string[]) => offers.get(words.join(' '))
  const flags = (found: string[] = []) => found.map((word) => word.replace(/^--|=$/g, '')).toSorted()

  test('offers commands and flags of the app first', () =>
    expect(flags(offered('')?.map((word) => word.replace(/=$/, '')))).toEqual(
      [...names, ...Object.keys(appFlags)].toSorted(),
    ))

  test.each(names)('offers the flags of %s after it', (name) =>
    expect(flags(offered('--demo', name, '--'))).toEqual(keys(flagsOf(name))),
  )

  test('offers the resolutions, and nothing where only the user knows the value', () => {
    expect(offered('export', '--resolution', 'm')).toEqual(['minute'])
    expect(offered('watch', '--list', '')).toEqual([])
  })
})
