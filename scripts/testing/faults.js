// @ts-check
/**
 * @typedef {object} FaultLine one variant of a row of test/faults.jsonl
 * @property {string} row W: stream, C: connection, H: REST, L: this computer, N and M: what fell in the third audit
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

/** Whether a test that ran is the one a line names: the placeholders of a table stand for anything. @param {string} title */
function matcher(title) {
  const parts = title.split(/%(?:\.\d+)?[sdifjo]|\$\w+(?:\.\w+)*|\$\{[^}]*\}/)
  const pattern = new RegExp(`^${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*')}$`)
  return (/** @type {string} */ name) => pattern.test(name)
}

/**
 * Judges the rows by the tests that really ran.
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

const kinds = /** @type {const} */ ([
  ['W', 'What the stream sends'],
  ['C', 'How the connection fails'],
  ['H', 'What REST and the assistant tools answer'],
  ['L', 'What this computer does'],
  ['N', 'What fell when the app was attacked and used'],
  ['M', 'What fell around it: keyring, disks, updates, ends'],
])

/** What takes hours is run by hand: how it was and what it found stands in docs/soak.md. */
const figures = [
  'What takes hours, kills in the thousand and texts in the million has its own page: [soak](soak.md). In figures, of 23 and',
  '24 November 2026:',
  '',
  '| Run | Given | Found |',
  '| - | - | - |',
  '| two hours of soak, seed 20261124 | 357,150 values, 106 faults of the line, 1,190 alerts expected | missing, wrong, doubled 0; own memory after a collection −0.41 MB an hour from minute 31 |',
  '| 1,220 kills of the app, and 140 on 25 November | names of lists, keys, rules, deletions and alerts under way | answered and lost 0, corrupt 0, doubled 0; one event lost that day, mended before the 140 ([how](soak.md#kills)) |',
  '| 150 starts on a disk that fails | 78,891 calls failed; 12,584 changes answered | lost 0, taken for damage 0, doubled 0 |',
  '| 282 calls of the writers that fail | EIO, ENOSPC, EMFILE at open, write, fsync, rename | lost 0, doubled 0, set aside 0 |',
  '| ticks before the engine, 13 seeds, 25 November | 158,591 crossings over restarts, kills, outages, amendments | missed 0, doubled 0, false 0; of three seeds 13 to 71 had been missed, mended that day ([how](soak.md#crossings)) |',
  '| 30 minutes of fuzzing | 5,517,188 texts at six readers | threw 0, hung 0, polluted 0 |',
  '| a hostile page in the package | 50 ways out, and floods by the bridge | packets 0, names 0, files 0, windows 0; no host unconfirmed; main answered within 50 ms |',
]

/** docs/faults.md. @param {readonly FaultLine[]} lines */
export function faultsPage(lines) {
  const cell = (/** @type {string} */ text) => text.replaceAll('|', '\\|').replaceAll('_', '\\_').replaceAll('*', '\\*')
  const tables = kinds.map(([kind, heading]) => {
    const body = lines
      .filter(({ row }) => row.startsWith(kind))
      .map(({ row, given, enters, seen, file, title, notRun }) => {
        const test = file === undefined ? `**not run:** ${cell(notRun ?? '')}` : `\`${file}\`<br>${cell(title ?? '')}`
        return `| ${row} | ${cell(given)} | ${cell(enters)} | ${cell(seen)} | ${test} |`
      })
    return [`## ${heading}`, '', '| Row | Given | Enters by | Must be seen | Test |', '| - | - | - | - | - |', ...body]
  })
  const intro = [
    '# Faults',
    '',
    '<!-- Made by `npm run faults` from test/faults.jsonl. -->',
    '',
    `What the app is given that it should never be given, and what must be seen then: ${faultRows.length} rows, most with several`,
    'variants. For each of them all the same holds: the app lives, the last good value stays with its age, no alert is false,',
    'doubled or lost, no file of the user is harmed, there is one message for each cause, and the key appears nowhere.',
    '`npm test` counts at its end the rows whose tests passed; a row whose test did not run fails it.',
    '',
    ...figures,
  ]
  return `${[...intro, ...tables.flatMap((table) => ['', ...table])].join('\n')}\n`
}
