// @ts-check
import { appendFileSync } from 'node:fs'
import { relative, sep } from 'node:path'

/**
 * @typedef {object} RanTest
 * @property {string} file path relative to the project's root, with slashes
 * @property {string} name without the names of its groups
 * @property {boolean} passed
 *
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} skipped the tests' names
 * @property {RanTest[]} ran
 */

/** A file as `RanTest` names it. @param {string} path */
export function fileName(path) {
  return relative(process.cwd(), path).split(sep).join('/')
}

/** Adds one line of JSON to the file that `npm test` reads. Does nothing outside `npm test`. @param {Counts} counts */
export function writeCounts(counts) {
  const file = process.env['INDEXWATCH_TEST_COUNTS']
  if (file) appendFileSync(file, `${JSON.stringify(counts)}\n`)
}
