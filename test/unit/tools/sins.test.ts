import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judge, type Row } from '../../../scripts/tools/bench/report'
import { plant, selectSins, sins, verdictOn, type Sin } from '../../../scripts/tools/bench/sins'

const projectRoot = join(import.meta.dirname, '..', '..', '..')
const sin: Sin = { name: 'shout', row: 'B4-batch', file: 'main/words.ts', from: 'quiet', to: '$& and loud' }
const cost: Row = { name: 'B4-batch', what: 'an update', unit: 'µs CPU', budget: { kind: 'times', max: 1.5 } }

function result(ours: number) {
  return judge(cost, { ours: Array<number>(5).fill(ours), limit: Array<number>(5).fill(1) })
}

test.each(sins)('$name has exactly one place in the sources', (each) => {
  const text = readFileSync(join(projectRoot, each.file), 'utf8')
  expect(plant(text, each)).not.toBe(text)
})

test('a fault replaces its text, whatever its content', () =>
  expect(plant('be quiet here', sin)).toBe('be $& and loud here'))

test('a fault without a place, or with two, is not planted', () => {
  expect(() => plant('be loud', sin)).toThrow('shout cannot be planted: main/words.ts has 0 times, not once: quiet')
  expect(() => plant('quiet, quiet', sin)).toThrow('has 2 times')
})

test('a fault is detected if its row passes without it and fails with it', () =>
  expect(verdictOn(sin, { without: result(1.46), planted: result(11.7) })).toEqual({
    isFound: true,
    line: 'found: shout: B4-batch 11.7 × (≤ 1.5 ×); without it B4-batch 1.46 × (≤ 1.5 ×)',
  }))

test('a row that passes with the fault has not detected it', () => {
  const { isFound, line } = verdictOn(sin, { without: result(1.2), planted: result(1.5) })
  expect([isFound, line]).toEqual([false, expect.stringMatching(/^NOT FOUND: shout: B4-batch 1.50 ×/)])
})

test('a row that fails anyway proves nothing', () => {
  const { isFound, line } = verdictOn(sin, { without: result(1.6), planted: result(11.7) })
  expect([isFound, line]).toEqual([false, 'NOTHING PROVEN: shout: not held without it: B4-batch 1.60 × (≤ 1.5 ×)'])
})

test('faults are selected by name, all without a name, and an unknown name is reported', () => {
  expect(selectSins(['one-send']).map(({ name }) => name)).toEqual(['one-send'])
  expect(selectSins([])).toBe(sins)
  expect(() => selectSins(['loud'])).toThrow('no such sin: loud; there are compression, one-send')
})
