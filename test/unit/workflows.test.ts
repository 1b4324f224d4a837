import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, '.github', 'workflows')
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')

describe.each(readdirSync(folder))('the workflow %s', (name) => {
  const text = textOf(name)

  test('runs scripts and unit tests that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
    const npmScripts = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script)
    const paths = [...text.matchAll(/ ((?:scripts|test)\/[\w./-]+\w)/g)].map(([, path = '']) => path)
    expect(npmScripts.filter((script) => !(script in scripts))).toEqual([])
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('takes every action at a commit, and writes only where a job says so', () => {
    const actions = [...text.matchAll(/uses: (\S+)(.*)/g)]
    expect(actions.length).toBeGreaterThan(2)
    expect(actions.filter(([, action = '']) => !/@[0-9a-f]{40}$/.test(action))).toEqual([])
    expect(actions.filter(([, , version = '']) => !/^ # v\d+\.\d+\.\d+$/.test(version))).toEqual([])
    expect(text).toMatch(/^permissions:\n {2}contents: read\n/m)
    expect(text.match(/contents: write/g) ?? []).toHaveLength(name === 'release.yml' ? 1 : 0)
  })
})

test('all workflows take an action at the same commit', () => {
  const commits = new Map<string, Set<string>>()
  for (const name of readdirSync(folder))
    for (const [, action = '', commit = ''] of textOf(name).matchAll(/uses: ([^\s@]+)@(\w+)/g))
      commits.set(action, (commits.get(action) ?? new Set()).add(commit))
  expect([...commits].filter(([, each]) => each.size > 1)).toEqual([])
})

test('the secrets that the release workflow takes are those of docs/development/releasing.md', () => {
  const taken = new Set([...textOf('release.yml').matchAll(/secrets\.(\w+)/g)].map(([, name = '']) => name))
  const listed = readFileSync(join(root, 'docs', 'development', 'releasing.md'), 'utf8')
  expect(taken.size).toBeGreaterThan(3)
  for (const name of taken) expect(listed).toContain(`\`${name}\``)
})
