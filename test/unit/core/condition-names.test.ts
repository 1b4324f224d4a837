/** The sources name a condition only in its own file and in the list of conditions. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { alertConditions } from '../../../core/conditions/list'

const root = join(import.meta.dirname, '..', '..', '..')
const folders = ['core', 'main', 'preload', 'protocol', 'renderer', 'simulator', 'scripts']
const list = 'core/conditions/list.ts'
/** They create alerts, as tests do. */
const tools = 'scripts/tools/'

/**
 * Also words for values, flags and settings. They name a condition only in a comparison with something called
 * condition.
 */
const otherWords = ['amended', 'carriedOver', 'corporateAction', 'fixed']
const plain = alertConditions.filter((name) => !otherWords.includes(name)).join('|')
const any = alertConditions.join('|')

/** The conditions that a source names, with repetitions. */
function namedIn(source: string): string[] {
  const text = source.replace(/^\s*(?:\/\*[^]*?\*\/|\/\/.*)/gm, '')
  const quoted = (names: string) => `(['"\`])(?<name>${names})\\1`
  const patterns = [
    quoted(plain),
    `(?:^|[{,])\\s*(?<name>${plain})\\??:`,
    `condition['"]?\\??\\s*(?::|[!=]==?)\\s*${quoted(any)}`,
    `${quoted(any)}\\s*[!=]==?\\s*[\\w.]*condition\\b`,
    `switch \\([\\w.]*condition\\)[^]*?case ${quoted(any)}`,
    `\\[[^\\]]*?${quoted(any)}[^\\]]*\\]\\.includes\\([\\w.]*condition\\)`,
  ]
  return patterns.flatMap((each) =>
    [...text.matchAll(new RegExp(each, 'gm'))].map(({ groups }) => groups?.['name'] ?? ''),
  )
}

const fileOf = (condition: string) => {
  return `core/conditions/${condition.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`
}

test.each([
  ["if (terms.condition === 'moves') return", ['moves', 'moves']],
  ["const terms = { condition: 'fixed', graceMs }", ['fixed']],
  ["if ('amended' !== rule.terms.condition) return", ['amended']],
  ["switch (terms.condition) {\n  case 'carriedOver':", ['carriedOver']],
  ["['fixed', 'pac'].includes(typed.condition)", ['fixed']],
  ["rules.ofCondition('noUpdate')", ['noUpdate']],
  ["const units = { moves: '%', amended: '' }", ['moves']],
  ["switch (proxy) {\n  case 'fixed':", []],
  ["marks.push({ at, kind: 'amended' })", []],
  ['/** As `moves` does. */\n  // Or `crosses`.', []],
])('the source %j names the conditions %j', (source, names) => expect(namedIn(source)).toEqual(names))

describe.each(folders)('%s', (folder) => {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.(ts|js|svelte)$/.test(path) && path !== list && !path.startsWith(tools))

  test('names each condition only in its own file', () => {
    expect(paths.length).toBeGreaterThan(0)
    const found = paths.flatMap((path) => {
      const names = namedIn(readFileSync(join(root, path), 'utf8')).filter((name) => fileOf(name) !== path)
      return names.map((name) => `${path}: ${name}`)
    })
    expect(found).toEqual([])
  })
})

test('each condition has a file, and each file of conditions is in the list', () => {
  const files = readdirSync(join(root, 'core/conditions')).map((name) => `core/conditions/${name}`)
  expect(files.sort()).toEqual([...alertConditions.map(fileOf), 'core/conditions/fields.ts', list].sort())
})
