// @ts-check
// npm run bench:planted [-- NAME…]: whether the benchmark detects the faults of scripts/tools/bench/sins.ts, each in a copy of
// the project.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runnerImport } from 'vite'
import { ensureDependencies } from '../../setup/dependencies.js'
import { ended, projectRoot, runCommand, SetupError, startChild, throwIfEnding } from '../../setup/processes.js'

/** @typedef {import('./report').Result} Result */

/** Copies the working tree, including uncommitted files. @param {string} folder */
function copyProject(folder) {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = execFileSync('git', listed, { cwd: projectRoot, encoding: 'utf8' }).split('\0')
  for (const path of paths) {
    // A removed file is listed until the removal is committed.
    if (path === '' || !existsSync(join(projectRoot, path))) continue
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    copyFileSync(join(projectRoot, path), join(folder, path))
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
}

/**
 * Runs the benchmark of the project in this folder.
 * @param {string} folder
 * @param {readonly string[]} rows
 * @returns {Promise<Result[]>}
 */
async function measure(folder, rows) {
  const args = [join('scripts', 'tool.js'), 'bench', '--json', ...rows]
  const child = startChild('node', args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text) => (output += text))
  const code = await ended(child)
  throwIfEnding()
  if (code !== 0) throw new SetupError(`${rows.join(', ')} could not be measured`)
  return JSON.parse(output).rows
}

/**
 * Errors here are mistakes in the command or a sin, so they are shown without a stack.
 * @template T
 * @param {() => T} work
 * @returns {T}
 */
function orSay(work) {
  try {
    return work()
  } catch (error) {
    throw new SetupError(error instanceof Error ? error.message : String(error))
  }
}

runCommand(async () => {
  await ensureDependencies()
  const { module: sins } = await runnerImport('./scripts/tools/bench/sins.ts')
  const { module: report } = await runnerImport('./scripts/tools/bench/report.ts')
  const { plant, selectSins, verdictOn } = /** @type {typeof import('./sins')} */ (sins)
  const { table } = /** @type {typeof import('./report')} */ (report)
  const chosen = orSay(() => selectSins(process.argv.slice(2)))
  const scratch = mkdtempSync(join(tmpdir(), 'indexwatch-planted-'))
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
  for (const sin of chosen) {
    const folder = join(scratch, sin.name)
    copyProject(folder)
    const text = readFileSync(join(folder, sin.file), 'utf8')
    writeFileSync(
      join(folder, sin.file),
      orSay(() => plant(text, sin)),
    )
  }
  const control = await measure(
    projectRoot,
    chosen.map(({ row }) => row),
  )
  const shown = [...control]
  const verdicts = []
  for (const sin of chosen) {
    const planted = (await measure(join(scratch, sin.name), [sin.row]))[0]
    const without = control.find(({ name }) => name === sin.row)
    if (planted === undefined || without === undefined) throw new SetupError(`${sin.row} was not measured`)
    shown.push({ ...planted, what: `with ${sin.name}` })
    verdicts.push(verdictOn(sin, { without, planted }))
  }
  process.stdout.write(`${table(shown)}\n\n${verdicts.map(({ line }) => line).join('\n')}\n`)
  return verdicts.every(({ isFound }) => isFound) ? 0 : 1
})
