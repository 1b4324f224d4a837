// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError, projectRoot } from '../setup/processes.js'

/**
 * @param {string} version
 * @returns {string} the section of the changelog about this version
 * @throws {SetupError} when the changelog has no such section
 */
export function notesOf(version) {
  const parts = readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8').split(/^## /m)
  const part = parts.find((each) => each.startsWith(`[${version}]`))
  if (part === undefined) throw new SetupError(`CHANGELOG.md has no part "## [${version}]": add it`)
  return part.slice(part.indexOf('\n') + 1).trim()
}
