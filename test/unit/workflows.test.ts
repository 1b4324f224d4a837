import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const text = readFileSync(join(root, '.github', 'workflows', 'release.yml'), 'utf8')

test('the release workflow runs scripts that there are', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  const npmScripts = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
  const files = [...text.matchAll(/node (scripts\/[\w./-]+)/g)].map(([, path = '']) => path)
  expect(npmScripts).toContain('package')
  expect(files).toContain('scripts/smoke.js')
  expect(npmScripts.filter((name) => !(name in scripts))).toEqual([])
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('the release workflow takes every action at a commit, and gives no job more than it needs', () => {
  const actions = [...text.matchAll(/uses: (\S+)/g)].map(([, action = '']) => action)
  expect(actions.length).toBeGreaterThan(5)
  expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([])
  expect(text).toMatch(/^permissions:\n {2}contents: read\n/m)
  expect(text.match(/contents: write/g)).toHaveLength(1)
})

test('the secrets that the release workflow takes are those of docs/development/releasing.md', () => {
  const taken = new Set([...text.matchAll(/secrets\.(\w+)/g)].map(([, name = '']) => name))
  const listed = readFileSync(join(root, 'docs', 'development', 'releasing.md'), 'utf8')
  expect(taken.size).toBeGreaterThan(3)
  for (const name of taken) expect(listed).toContain(`\`${name}\``)
})
