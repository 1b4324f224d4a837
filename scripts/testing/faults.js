// @ts-check
/**
 * @typedef {object} FaultLine one variant of a row of test/faults.jsonl
 * @property {string} row W: stream, C: connection, H: REST, L: this computer, N and M: found by an audit
 * @property {string} given the input or fault
 * @property {string} enters where it comes in
 * @property {string} seen what must be seen
 * @property {string} [file] the test that holds it
 * @property {string} [title] as in its source, with the placeholders of a table
 * @property {string} [notRun] why there is no such test
 *
 * @typedef {import('../reporters/counts.js').RanTest} RanTest
 *
 * @typedef {object} Verdict
 * @property {string[]} held rows of which every variant has a test, and every one passed
 * @property {{ row: string, reason: string }[]} notRun rows with a variant that has none
 * @property {string[]} broken rows with a test that failed or did not run
 */

/** How many rows of each kind there are. */
const counts = { W: 39, C: 24, H: 15, L: 28, N: 20, M: 12 }

/** Every row, in its order. */
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

/** The lines that say how the rows stand; the last one counts them. @param {Verdict} verdict */
export function faultSummary({ held, notRun, broken }) {
  const reasons = notRun.map(({ row, reason }) => `${row} ${reason}`).join('; ')
  const missing = `${notRun.length} not run${reasons && ` (${reasons})`}`
  const lines = broken.length === 0 ? [] : [`fault rows that no passed test holds: ${broken.join(', ')}`]
  return [...lines, `fault rows: ${held.length} held, ${missing}, of ${faultRows.length}`]
}
