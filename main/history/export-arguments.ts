/** The arguments of the command `export`. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { exportFormats, exportResolutions, type ExportFormat, type ExportRequest } from '../../protocol/history'
import { splitIds } from '../../core/formula-id'
import { isIndexId } from '../../core/shapes'
import { findZone } from '../../core/time-zones'
import { readTypedRange } from '../../core/typed-time'
import { commands } from '../base/command-line'
import { profileFolder } from '../base/profile-folder'
import { historyPath } from '../history-store/thread'

export interface ExportArguments {
  request: ExportRequest
  historyPath: string
  path: string
}

interface Surroundings {
  nowMs: number
  env: Record<string, string | undefined>
  platform: NodeJS.Platform
  /** The folder that a relative path of the file starts from. */
  from: string
}

/** Parses the arguments. `problem` is an error message for the user. */
export function readExportArguments(
  args: readonly string[],
  { nowMs, env, platform, from: startFolder }: Surroundings,
): ExportArguments | 'help' | { problem: string } {
  const given = parse(args)
  if (typeof given === 'string') return { problem: given }
  if (given.help === true) return 'help'
  const { ids, from, to = 'now', out, zone = 'UTC', resolution: wanted = 'every' } = given
  if (ids === undefined || from === undefined || out === undefined) {
    return { problem: '--ids, --from and --out are required.' }
  }
  const indexIds = [...new Set(splitIds(ids))]
  const unfit = indexIds.find((id): boolean => !isIndexId(id))
  if (unfit !== undefined) return { problem: `--ids: "${unfit}" is not an index id.` }
  const format = formatOf(out, given.format)
  if (typeof format === 'object') return format
  const resolution = exportResolutions.find((each) => each === wanted)
  if (resolution === undefined) return { problem: `--resolution must be one of ${exportResolutions.join(', ')}.` }
  const named = findZone(zone)
  if (named === undefined) return { problem: `--zone: "${zone}" is not a time zone such as Europe/London.` }
  const range = readTypedRange({ from, to }, { nowMs, zone: named })
  if (!range.ok) return { problem: range.problem.message }
  const folder = given['user-data-dir'] ?? profileFolder(env, platform)
  return {
    request: { indexIds, ...range.value, resolution, format },
    historyPath: historyPath(folder, given.demo === true ? 'demo' : 'real'),
    path: resolve(startFolder, out),
  }
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({ args: [...args], options: commands.export.flags })
    return values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const endings: Record<ExportFormat, string> = { csv: '.csv', 'csv-excel': '.csv', xlsx: '.xlsx', parquet: '.parquet' }

/** The format that was named, or the first one whose files have this ending. */
function formatOf(path: string, named: string | undefined): ExportFormat | { problem: string } {
  const isFile = (format: ExportFormat) => path.toLowerCase().endsWith(endings[format])
  if (named === undefined) {
    return exportFormats.find(isFile) ?? { problem: `--out must end in .csv, .xlsx or .parquet, not "${path}".` }
  }
  const format = exportFormats.find((each) => each === named)
  if (format === undefined) return { problem: `--format must be one of ${exportFormats.join(', ')}.` }
  return isFile(format) ? format : { problem: `--out must end in ${endings[format]} for ${format}, not "${path}".` }
}
