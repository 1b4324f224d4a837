// @ts-check
/**
 * @typedef {object} FaultLine One variant of a row of test/faults.jsonl.
 * @property {string} row The id. Its letter is W for stream, C for connection, H for REST, L for this computer, and N or M
 *   for a fault found by an audit.
 * @property {string} given The input or fault.
 * @property {string} enters The place where it enters.
 * @property {string} seen What must be seen.
 * @property {string} [file] The file of the test that covers it.
 * @property {string} [title] The title of that test as in its source, with the placeholders of a table.
 * @property {string} [notRun] Why there is no such test.
 *
 * @typedef {import('../reporters/counts.js').RanTest} RanTest
 *
 * @typedef {object} Verdict
 * @property {string[]} held Rows whose variants all have a test that passed.
 * @property {{ row: string, reason: string }[]} notRun Rows with a variant that has no test.
 * @property {string[]} broken Rows with a test that failed or did not run.
 */

/** Number of rows of each kind. */
const counts = { W: 39, C: 24, H: 15, L: 28, N: 20, M: 12 }

/** The ids of all rows, in order. */
export const faultRows = Object.entries(counts).flatMap(([kind, count]) =>
  Array.from({ length: count }, (_, at) => `${kind}${at + 1}`),
)

/**
 * @param {string} text of test/faults.jsonl
 * @returns {FaultLine[]}
 */
export function readFaults(text) {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** Returns a function that is true for titles of this test. Placeholders of a table match anything. @param {string} title */
function matcher(title) {
  const parts = title.split(/%(?:\.\d+)?[sdifjo]|\$\w+(?:\.\w+)*|\$\{[^}]*\}/)
  const pattern = new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*')}$`)
  return (/** @type {string} */ name) => pattern.test(name)
}

/**
 * Checks the rows against the tests that ran.
 * @param {readonly FaultLine[]} lines
 * @param {readonly RanTest[]} ran
 * @returns {Verdict}
 */
export function judgeFaults(lines, ran) {
  /** @type {Verdict} */
  const verdict = { held: [], notRun: [], broken: [] }
  const byFile = groupByFile(ran)
  for (const row of faultRows) {
    const variants = lines.filter((line) => line.row === row)
    const isHeld = ({ file = '', title = '' }) => {
      const isMeant = matcher(title)
      const meant = (byFile.get(file) ?? []).filter(({ name }) => isMeant(name))
      return meant.length > 0 && meant.every(({ passed }) => passed)
    }
    const missing = variants.find(({ notRun }) => notRun !== undefined)
    if (variants.length === 0 || !variants.every((line) => line.notRun !== undefined || isHeld(line)))
      verdict.broken.push(row)
    else if (missing?.notRun !== undefined) verdict.notRun.push({ row, reason: missing.notRun })
    else verdict.held.push(row)
  }
  return verdict
}

/** @param {readonly RanTest[]} ran */
function groupByFile(ran) {
  /** @type {Map<string, RanTest[]>} */
  const byFile = new Map()
  for (const test of ran) byFile.set(test.file, [...(byFile.get(test.file) ?? []), test])
  return byFile
}

/** Lines about the rows without a passed test, and a last line with the counts. @param {Verdict} verdict */
export function faultSummary({ held, notRun, broken }) {
  const reasons = notRun.map(({ row, reason }) => `${row} ${reason}`).join('; ')
  const missing = `${notRun.length} not run${reasons && ` (${reasons})`}`
  const lines = broken.length === 0 ? [] : [`fault rows that no passed test holds: ${broken.join(', ')}`]
  return [...lines, `fault rows: ${held.length} held, ${missing}, of ${faultRows.length}`]
}
