import { expect, test } from 'vitest'
import { faultRows } from '../../../scripts/testing/faults.js'
import { readCounts, summarize } from '../../../scripts/testing/summary.js'

/** All fault rows, each with a passing test. */
const faults = faultRows.map((row) => ({ row, given: '', enters: '', seen: '', file: 'a.test.ts', title: 'holds' }))
const allRan = [{ file: 'a.test.ts', name: 'holds', passed: true }]
const faultLine = 'fault rows: 138 held, 0 not run, of 138'

function stage(name: string, passed: number, failed: number, skipped: string[] = [], needsTests = true) {
  return { stage: name, counts: { passed, failed, skipped, ran: allRan }, needsTests }
}

test('ends with the sum of all stages', () => {
  const good = summarize([stage('check', 1, 0), stage('test:unit', 40, 0), stage('build', 0, 0, [], false)], faults)
  expect(good).toEqual({ lines: [faultLine, '41 passed, 0 failed'], isGood: true })
  const bad = summarize([stage('check', 0, 1), stage('test:unit', 38, 2)], faults)
  expect(bad.lines.at(-1)).toBe('38 passed, 3 failed')
  expect(bad.isGood).toBe(false)
})

test('counts a skipped test as failed and names it', () => {
  const { lines, isGood } = summarize([stage('test:e2e', 3, 0, ['shows the tray'])], faults)
  expect(lines).toEqual(['test:e2e: skipped, which counts as failed: shows the tray', faultLine, '3 passed, 1 failed'])
  expect(isGood).toBe(false)
})

test('counts a stage that ran no test as failed', () => {
  const { lines, isGood } = summarize([stage('test:unit', 5, 0), stage('test:e2e', 0, 0)], faults)
  expect(lines).toEqual(['test:e2e: no test ran, which counts as failed', faultLine, '5 passed, 1 failed'])
  expect(isGood).toBe(false)
})

test('adds up what the reporters wrote', () => {
  const text = '{"passed":2,"failed":1,"skipped":["a"],"ran":[]}\n{"passed":3,"failed":0,"skipped":[],"ran":[]}\n'
  expect(readCounts(text, 1)).toEqual({ counts: { passed: 5, failed: 1, skipped: ['a'], ran: [] } })
  expect(readCounts(text.split('\n')[1] ?? '', 0)).toEqual({ counts: { passed: 3, failed: 0, skipped: [], ran: [] } })
})

test('counts a runner that broke down as failed, whatever passed before', () => {
  expect(readCounts('', 1).counts).toEqual({ passed: 0, failed: 1, skipped: [], ran: [] })
  const crashed = readCounts('{"passed":3,"failed":0,"skipped":[],"ran":[]}', 134)
  expect(crashed.counts).toEqual({ passed: 3, failed: 1, skipped: [], ran: [] })
  expect(crashed.complaint).toContain('134')
})

test('counts a row of faults that no passed test holds as failed', () => {
  const { lines, isGood } = summarize(
    [stage('test:unit', 1, 0)],
    faults.map((line) => (line.row === 'W1' ? { ...line, title: 'gone' } : line)),
  )
  expect(lines).toEqual([
    'fault rows that no passed test holds: W1',
    'fault rows: 137 held, 0 not run, of 138',
    '1 passed, 1 failed',
  ])
  expect(isGood).toBe(false)
})
