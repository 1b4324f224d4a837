// @ts-check
import { appendFileSync } from 'node:fs'

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} skipped the tests' names
 */

/** Adds one line of JSON to the file that `npm test` reads; does nothing when the tests are run by themselves. @param {Counts} counts */
export function writeCounts(counts) {
  const file = process.env['INDEXWATCH_TEST_COUNTS']
  if (file) appendFileSync(file, `${JSON.stringify(counts)}\n`)
}
