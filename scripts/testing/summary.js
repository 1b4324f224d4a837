// @ts-check
import { faultSummary, judgeFaults } from './faults.js'

/**
 * @typedef {import('../reporters/counts.js').Counts} Counts
 * @typedef {object} StageResult
 * @property {string} stage
 * @property {Counts} counts
 * @property {boolean} needsTests whether a run without a single test is a failure
 */

/**
 * Reads the report of a test runner and checks it against its exit code.
 * @param {string} text lines of JSON from the reporters. Empty if the runner ended before it reported.
 * @param {number} exitCode
 * @returns {{ counts: Counts, complaint?: string }}
 */
export function readCounts(text, exitCode) {
  /** @type {Counts} */
  const counts = { passed: 0, failed: 0, skipped: [], ran: [] }
  for (const line of text.split('\n').filter(Boolean)) {
    /** @type {Counts} */
    const part = JSON.parse(line)
    counts.passed += part.passed
    counts.failed += part.failed
    counts.skipped.push(...part.skipped)
    counts.ran.push(...part.ran)
  }
  if (exitCode === 0 || counts.failed > 0) return { counts }
  return { counts: { ...counts, failed: 1 }, complaint: `ended with exit code ${exitCode} and no failed test` }
}

/**
 * Sums up the stages. Everything that makes the run fail counts as failed, so that the last line is right.
 * @param {readonly StageResult[]} results
 * @param {readonly import('./faults.js').FaultLine[]} faults The rows. A row without a passed test is a failure too.
 * @returns {{ lines: string[], isGood: boolean }} The last lines to print, ending with "N passed, N failed".
 */
export function summarize(results, faults) {
  const lines = []
  let passed = 0
  let failed = 0
  for (const { stage, counts, needsTests } of results) {
    passed += counts.passed
    failed += counts.failed + counts.skipped.length
    if (counts.failed > 0) lines.push(`${stage}: ${counts.failed} failed`)
    for (const name of counts.skipped) lines.push(`${stage}: skipped, which counts as failed: ${name}`)
    if (needsTests && counts.passed + counts.failed + counts.skipped.length === 0) {
      lines.push(`${stage}: no test ran, which counts as failed`)
      failed++
    }
  }
  const verdict = judgeFaults(
    faults,
    results.flatMap(({ counts }) => counts.ran),
  )
  failed += verdict.broken.length
  lines.push(...faultSummary(verdict))
  return { lines: [...lines, `${passed} passed, ${failed} failed`], isGood: failed === 0 }
}
