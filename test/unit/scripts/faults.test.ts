import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultRows, faultSummary, judgeFaults, readFaults, type FaultLine } from '../../../scripts/testing/faults.js'

const root = join(import.meta.dirname, '..', '..', '..')
const text = (path: string) => readFileSync(join(root, path), 'utf8')
const lines = readFaults(text('test/faults.jsonl'))

describe('the rows of test/faults.jsonl', () => {
  test('are 138, each with its variants in order', () => {
    expect(faultRows).toHaveLength(138)
    expect([...new Set(lines.map(({ row }) => row))]).toEqual(faultRows)
    const known = new Set(['row', 'given', 'enters', 'seen', 'file', 'title', 'notRun'])
    for (const line of lines) expect(Object.keys(line).filter((key) => !known.has(key))).toEqual([])
  })

  test('name existing tests, or state why there is none', () => {
    const sources = new Map<string, string>()
    const faults = lines.filter(({ file, title, notRun }) => {
      if (file === undefined || title === undefined) return notRun === undefined || notRun === ''
      const source = sources.get(file) ?? text(file)
      sources.set(file, source)
      const written = [title, title.replaceAll("'", "\\'")]
      return (
        notRun !== undefined ||
        !written.some((each) => ["'", '"', '`'].some((mark) => source.includes(mark + each + mark)))
      )
    })
    expect(faults).toEqual([])
  })
})

describe('a row', () => {
  const held = { row: 'W1', given: 'a', enters: 'b', seen: 'c', file: 'x.test.ts', title: '%s is %j' }
  const ran = (name: string, passed = true) => ({ file: 'x.test.ts', name, passed })
  const others = faultRows.slice(1).map((row) => ({ ...held, row, title: 'other' }))
  const standing = (line: FaultLine[], ...names: ReturnType<typeof ran>[]) => {
    const { held: rows, notRun, broken } = judgeFaults([...line, ...others], [...names, ran('other')])
    return { isHeld: rows.includes('W1'), notRun: notRun.map(({ row }) => row), broken }
  }

  test('is held by tests that ran and all passed', () =>
    expect(standing([held], ran('one is "1"'), ran('two\nlines is 2'))).toEqual({
      isHeld: true,
      notRun: [],
      broken: [],
    }))

  test('is broken by a test that failed, did not run, ran in another file, or by having no variant', () => {
    const broken = { isHeld: false, notRun: [], broken: ['W1'] }
    expect(standing([held], ran('one is 1'), ran('two is 2', false))).toEqual(broken)
    expect(standing([held], ran('something else'))).toEqual(broken)
    expect(standing([held], { ...ran('one is 1'), file: 'y.test.ts' })).toEqual(broken)
    expect(standing([])).toEqual(broken)
  })

  test('counts as not run if a variant has no test, unless another of its tests failed', () => {
    const missing = { row: 'W1', given: 'a', enters: 'b', seen: 'c', notRun: 'no such device' }
    expect(standing([held, missing], ran('one is 1'))).toEqual({ isHeld: false, notRun: ['W1'], broken: [] })
    expect(standing([held, missing], ran('one is 1', false)).broken).toEqual(['W1'])
  })
})

test('the last line counts the rows with reasons, and untested rows come before', () => {
  const notRun = [{ row: 'L26', reason: 'needs an installed package' }]
  expect(faultSummary({ held: ['W1'], notRun, broken: [] })).toEqual([
    'fault rows: 1 held, 1 not run (L26 needs an installed package), of 138',
  ])
  expect(faultSummary({ held: [], notRun: [], broken: ['W1', 'W2'] })).toEqual([
    'fault rows that no passed test holds: W1, W2',
    'fault rows: 0 held, 0 not run, of 138',
  ])
})
