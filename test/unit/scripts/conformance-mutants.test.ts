import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verdictOn } from '../../../scripts/conformance-mutants.js'
import { sections } from '../../../scripts/conformance-table.js'
import { mutantNamed, mutants } from '../../service/mutants/mutants'

const suite = join(import.meta.dirname, '../../service/conformance')

function report(...tests: [status: 'passed' | 'failed' | 'skipped', title: string][]) {
  const assertionResults = tests.map(([status, title]) => ({ status, title }))
  return { testResults: [{ name: 'a.test.ts', message: 'could not be loaded', assertionResults }] }
}

test('a mutant is killed by a failed test of the section it violates', () => {
  const seen = report(['failed', '2.4 a value'], ['failed', '2.1 a tick'], ['passed', '2.4 another'])
  expect(verdictOn({ section: '2.4' }, seen)).toEqual({ isKilled: true, details: ['2.4 a value'] })
})

test('it survives when nothing fails, when only another section fails, and when no test ran', () => {
  expect(verdictOn({ section: '2' }, report(['passed', '2 a value'], ['failed', '2.1 a tick']))).toEqual({
    isKilled: false,
    details: ['only failed elsewhere: 2.1 a tick'],
  })
  expect(verdictOn({ section: '2.4' }, report(['passed', '2.4 a value'])).isKilled).toBe(false)
  expect(verdictOn({ section: '2.4' }, report(['skipped', '2.4 a value'])).isKilled).toBe(false)
  expect(verdictOn({ section: '2.4' }, report())).toEqual({
    isKilled: false,
    details: ['no test ran', 'could not be loaded'],
  })
})

test('every mutant has its own name, a section of the protocol and a file of the suite', () => {
  const names = mutants.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(mutants.length).toBeGreaterThanOrEqual(10)
  for (const { section, file } of mutants) {
    expect(Object.keys(sections)).toContain(section)
    expect([file, existsSync(join(suite, `${file}.test.ts`))]).toEqual([file, true])
  }
  for (const mutant of mutants) expect(mutantNamed(mutant.name)).toBe(mutant)
  expect(() => mutantNamed('none such')).toThrow(RangeError)
})
