/** The command `export`: writes values from the history to a file. The app may be running. */
import { formatCount } from '../../core/decimal'
import type { IndexId } from '../../core/model'
import { nearestName } from '../../core/nearest'
import { helpText } from '../base/command-line'
import { decimalSignOf } from '../base/region'
import { readHistory } from '../history-store/history-file'
import { dirname } from 'node:path'
import { temporaryPath } from '../storage/disk'
import { UnfinishedFiles } from '../storage/unfinished-files'
import { readExportArguments } from './export-arguments'
import { exportToFile } from './export-file'

const printEveryMs = 1_000
const cancelledCode = 130

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Error message for ids without values in the history. If the history cannot be read, the export reports that. */
async function unknownIds(historyPath: string, ids: readonly IndexId[]): Promise<string | undefined> {
  const latest = await readHistory(historyPath, (history) => history.query('latest', null))
  if (!latest.ok) return undefined
  const known = latest.value.map(({ id }) => id)
  const unknown = ids.filter((id) => !known.includes(id))
  if (unknown.length === 0) return undefined
  const near = unknown.flatMap((id) => nearestName(id, known) ?? [])
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`
  return `Nothing was exported: the history has no values of ${unknown.join(', ')}.${hint}`
}

interface Start {
  /** How the command is started, such as `indexwatch export`. */
  program: string
  /** The folder that a relative path of the file starts from. */
  from: string
}

/** Runs the command with these arguments. Returns the exit code. */
export async function runExport(args: readonly string[], { program, from }: Start): Promise<number> {
  const nowMs = Date.now()
  const { env, platform } = process
  const given = readExportArguments(args, { nowMs, env, platform, from })
  if (given === 'help') {
    process.stdout.write(helpText(program, 'export'))
    return 0
  }
  if ('problem' in given) {
    say(`${given.problem} See ${program} --help.`)
    return 1
  }
  const { request, historyPath, path } = given
  const unknown = await unknownIds(historyPath, request.indexIds)
  if (unknown !== undefined) {
    say(unknown)
    return 1
  }
  say(`From ${new Date(request.fromMs).toISOString()} to ${new Date(request.toMs).toISOString()}, end not included.`)
  const cancelling = new AbortController()
  process.once('SIGINT', () => cancelling.abort())
  let printedMs = nowMs
  const decimalSign = decimalSignOf(env)
  const task = { request, historyPath, path, temporaryPath: temporaryPath(path), nowMs, decimalSign }
  const outcome = await new UnfinishedFiles(dirname(historyPath)).during(task.temporaryPath, () =>
    exportToFile(task, {
      signal: cancelling.signal,
      onProgress: ({ rowCount, fraction }) => {
        if (Date.now() - printedMs < printEveryMs) return
        printedMs = Date.now()
        say(`${Math.floor(fraction * 100)} %, ${formatCount(rowCount)} rows`)
      },
    }),
  )
  if (!outcome.ok) {
    say(outcome.problem.message)
    return 1
  }
  if (outcome.value === null) {
    say('Cancelled. No file was written.')
    return cancelledCode
  }
  process.stdout.write(`${formatCount(outcome.value.rowCount)} rows written to ${path}\n`)
  return 0
}
