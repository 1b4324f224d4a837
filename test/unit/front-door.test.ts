import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const github = join(import.meta.dirname, '..', '..', '.github')

test('each label of an issue form is one of the repository', () => {
  const labels = JSON.parse(readFileSync(join(github, 'labels.json'), 'utf8')) as { name: string; color: string }[]
  expect(labels.filter(({ color }) => !/^[0-9a-f]{6}$/.test(color))).toEqual([])
  const forms = readdirSync(join(github, 'ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml')
  const used = forms.flatMap((name) => {
    const form = parse(readFileSync(join(github, 'ISSUE_TEMPLATE', name), 'utf8')) as { labels: string[] }
    return form.labels
  })
  expect(used.length).toBeGreaterThan(1)
  expect(used.filter((label) => !labels.some(({ name }) => name === label))).toEqual([])
})

test('the pull request template names scripts that there are', () => {
  const { scripts } = JSON.parse(readFileSync(join(github, '..', 'package.json'), 'utf8')) as { scripts: object }
  const template = readFileSync(join(github, 'PULL_REQUEST_TEMPLATE.md'), 'utf8')
  const names = [...template.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(3)
  expect(names.filter((name) => !(name in scripts))).toEqual([])
})
