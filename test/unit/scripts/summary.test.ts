import { expect, test } from 'vitest'
import { readCounts, summarize } from '../../../scripts/testing/summary.js'

function stage(name: string, passed: number, failed: number, skipped: string[] = [], needsTests = true) {
  return { stage: name, counts: { passed, failed, skipped }, needsTests }
}

test('ends with the sum of all stages', () => {
  const good = summarize([stage('check', 1, 0), stage('test:unit', 40, 0), stage('build', 0, 0, [], false)])
  expect(good).toEqual({ lines: ['41 passed, 0 failed'], isGood: true })
  const bad = summarize([stage('check', 0, 1), stage('test:unit', 38, 2)])
  expect(bad.lines.at(-1)).toBe('38 passed, 3 failed')
  expect(bad.isGood).toBe(false)
})

test('counts a skipped test as failed and names it', () => {
  const { lines, isGood } = summarize([stage('test:e2e', 3, 0, ['shows the tray'])])
  expect(lines).toEqual(['test:e2e: skipped, which counts as failed: shows the tray', '3 passed, 1 failed'])
  expect(isGood).toBe(false)
})

test('counts a stage that ran no test as failed', () => {
  const { lines, isGood } = summarize([stage('test:unit', 5, 0), stage('test:e2e', 0, 0)])
  expect(lines).toEqual(['test:e2e: no test ran, which counts as failed', '5 passed, 1 failed'])
  expect(isGood).toBe(false)
})

test('adds up what the reporters wrote', () => {
  const text = '{"passed":2,"failed":1,"skipped":["a"]}\n{"passed":3,"failed":0,"skipped":[]}\n'
  expect(readCounts(text, 1)).toEqual({ counts: { passed: 5, failed: 1, skipped: ['a'] } })
  expect(readCounts(text.split('\n')[1] ?? '', 0)).toEqual({ counts: { passed: 3, failed: 0, skipped: [] } })
})

test('counts a runner that broke down as failed, whatever passed before', () => {
  expect(readCounts('', 1).counts).toEqual({ passed: 0, failed: 1, skipped: [] })
  const crashed = readCounts('{"passed":3,"failed":0,"skipped":[]}', 134)
  expect(crashed.counts).toEqual({ passed: 3, failed: 1, skipped: [] })
  expect(crashed.complaint).toContain('134')
})
