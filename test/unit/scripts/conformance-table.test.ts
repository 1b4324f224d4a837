import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conformanceTable, conformanceTests, sections, testsIn } from '../../../scripts/conformance-table.js'

const root = join(import.meta.dirname, '../../..')

test('the committed table is up to date; npm run test:service -- --write-table writes it', async () => {
  expect(readFileSync(join(root, 'docs/reports/conformance.md'), 'utf8')).toBe(await conformanceTable(root))
})

test('every section of the protocol has a valid case and a refusal', () => {
  const tests = conformanceTests(root)
  const wanted = ['2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '2.7', '4.1', '4.2', '4.3', '5', '6', '7', '9', 'beyond']
  expect(Object.keys(sections)).toEqual(expect.arrayContaining(wanted))
  const covered = new Set(tests.map(({ section, kind }) => `${section} ${kind}`))
  expect(
    wanted.flatMap((section) => [`${section} holds`, `${section} refuses`]).filter((each) => !covered.has(each)),
  ).toEqual([])
})

test('no two tests have the same name', () => {
  const names = conformanceTests(root).map(({ section, name }) => `${section} ${name}`)
  expect(new Set(names).size).toBe(names.length)
})

test('reads section, kind and name of each test', () => {
  const text = "holds('2.1 rule 1: a thing', async () => {})\nrefuses(`beyond weight: none`, body)\nother('x')\n"
  expect(testsIn('a.test.ts', text)).toEqual([
    { section: '2.1', kind: 'holds', name: 'rule 1: a thing', file: 'a.test.ts' },
    { section: 'beyond', kind: 'refuses', name: 'weight: none', file: 'a.test.ts' },
  ])
})

test('a test whose name is not a section and a sentence, or is built at run time, is an error', () => {
  for (const text of ["holds('nothing', body)", 'holds(`2.1 of ${kind}`, body)', 'refuses()']) {
    expect(() => testsIn('a.test.ts', text)).toThrow('a.test.ts: a test without a section')
  }
})
