// @ts-check
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { writeCounts } from './reporters/counts.js'
import { startSuite } from './service-run.js'
import { ended, throwIfEnding, twoAtATime } from './setup/processes.js'

/**
 * @typedef {import('../test/service/mutants/mutant').Mutant} Mutant
 * @typedef {{ status: 'passed' | 'failed' | 'skipped' | 'pending' | 'todo' | 'disabled', title: string }} TestReport
 * @typedef {{ testResults: { name: string, message: string, assertionResults: TestReport[] }[] }} Report Vitest's
 */

/**
 * The result of a mutant: killed when tests of the section it violates fail.
 * @param {Pick<Mutant, 'section'>} mutant
 * @param {Report} report
 * @returns {{ isKilled: boolean, details: string[] }} the names of the tests, or what went wrong instead
 */
export function verdictOn({ section }, { testResults }) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  if (tests.length === 0)
    return { isKilled: false, details: ['no test ran', ...testResults.map(({ message }) => message)] }
  const failed = tests.filter(({ status }) => status === 'failed').map(({ title }) => title)
  const killers = failed.filter((title) => title.startsWith(`${section} `))
  if (killers.length > 0) return { isKilled: true, details: killers }
  return { isKilled: false, details: failed.map((title) => `only failed elsewhere: ${title}`) }
}

/**
 * @param {string} name the name of the mutant
 * @param {string[]} files the test files to run
 * @param {string} folder
 * @returns {Promise<Report>}
 */
async function reportOn(name, files, folder) {
  const output = join(folder, `${[name.replace(/\W+/g, '-'), ...files].join('-')}.json`)
  const env = { INDEXWATCH_MUTANT: name, INDEXWATCH_SERVICE_UNDER_TEST: undefined, INDEXWATCH_TEST_COUNTS: undefined }
  const args = ['--reporter=json', `--outputFile=${output}`, ...files.map((file) => `conformance/${file}.test.ts`)]
  await ended(startSuite(args, env, 'ignore'))
  throwIfEnding()
  return JSON.parse(readFileSync(output, 'utf8'))
}

/**
 * The control run: the suite passes with the fault injector installed but no mutant planted.
 * @param {string[]} files the test files that must detect the mutants
 * @param {string} folder
 */
async function passesUnchanged(files, folder) {
  const report = await reportOn('nothing', files, folder)
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const bad = tests.filter(({ status }) => status !== 'passed').map(({ title }) => title)
  const isGood = tests.length > 0 && bad.length === 0
  print(isGood ? `passes   unchanged (${tests.length} tests)` : 'FAILS    unchanged', bad)
  return isGood
}

/** @param {string} line @param {string[]} details */
function print(line, details) {
  process.stdout.write(`${[line, ...details.map((detail) => `           ${detail}`)].join('\n')}\n`)
}

/**
 * Plants the violations of the protocol one by one in the simulator and checks that the suite fails. Prints the list.
 * @returns {Promise<number>} exit code 1 when a mutant survives, or when the suite fails without a mutant
 */
export async function runMutants() {
  const { module } = await runnerImport('./test/service/mutants/mutants.ts')
  const { mutants } = /** @type {typeof import('../test/service/mutants/mutants')} */ (module)
  const folder = mkdtempSync(join(tmpdir(), 'indexwatch-mutants-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  let survivors = 0
  const isGood = await passesUnchanged([...new Set(mutants.map(({ file }) => file))], folder)
  await twoAtATime(mutants, async (mutant) => {
    const { isKilled, details } = verdictOn(mutant, await reportOn(mutant.name, [mutant.file], folder))
    if (!isKilled) survivors++
    print(`${isKilled ? 'killed  ' : 'SURVIVES'} ${mutant.name}`, details)
  })
  print(`${mutants.length - survivors} of ${mutants.length} killed`, [])
  writeCounts({
    passed: mutants.length - survivors + (isGood ? 1 : 0),
    failed: survivors + (isGood ? 0 : 1),
    skipped: [],
    ran: [],
  })
  return isGood && survivors === 0 ? 0 : 1
}
