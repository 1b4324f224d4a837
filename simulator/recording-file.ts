/** The files a recording is read from: exports of the app as CSV or Parquet, and a database of the app. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { Recording, RecordingBuilder, RecordingError, type RecordedRow } from './recording'

const columns = ['id', 'published', 'amended', 'value'] as const
const carriedForward = 'isCarriedForward'
const maxProblemText = 60
const valuePattern = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/
const rowsAtOnce = 20_000

/** A recording, and the start of its day in epoch milliseconds. */
export interface OpenedRecording {
  readonly recording: Recording
  readonly startMs: number
}

/**
 * Reads a recording. Of an export it reads everything, whatever its length. Of a database it reads the day that begins at
 * `fromMs`, with the earlier values that `values` returns. By default an export begins with its first value, and a
 * database a day before its last. Rejects with a `RecordingError` that names the file and the line.
 */
export async function readRecording(file: string, fromMs?: number): Promise<OpenedRecording> {
  try {
    const kind = await kindOf(file)
    const opened = kind === 'database' ? await readDatabase(file, fromMs) : await readExport(file, kind, fromMs)
    const { lastMs } = opened.recording
    if (opened.startMs <= lastMs) return opened
    throw new RecordingError(`${file} ends at ${new Date(lastMs).toISOString()}, before --from.`)
  } catch (error) {
    if (error instanceof RecordingError) throw error
    throw new RecordingError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Detects the kind from the first bytes of the file. */
async function kindOf(file: string): Promise<'csv' | 'parquet' | 'database'> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0)
    const beginning = buffer.toString('latin1', 0, bytesRead)
    if (beginning === 'SQLite format 3\0') return 'database'
    return beginning.startsWith('PAR1') ? 'parquet' : 'csv'
  } finally {
    await handle.close()
  }
}

/** Loaded on demand, because the driver is native code, which exports do not need. */
async function readDatabase(file: string, fromMs: number | undefined): Promise<OpenedRecording> {
  const { readRecordedDay } = await import('./recorded-day')
  return readRecordedDay(file, fromMs)
}

async function readExport(file: string, kind: 'csv' | 'parquet', fromMs: number | undefined): Promise<OpenedRecording> {
  const builder = new RecordingBuilder()
  await (kind === 'csv' ? readCsv(file, builder) : readParquet(file, builder))
  const recording = builder.build()
  if (recording === undefined) throw new RecordingError(`${file} has no values.`)
  return { recording, startMs: fromMs ?? recording.firstMs }
}

/**
 * Reads line by line. Times are ISO 8601. Columns may have any order and others may be present. `isCarriedForward` is
 * optional.
 */
async function readCsv(file: string, builder: RecordingBuilder): Promise<void> {
  let places: Record<string, number> | undefined
  let line = 0
  for await (const text of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
    line++
    if (text === '') continue
    const fields = fieldsOf(text.replace(/^\ufeff/, ''))
    if (places === undefined) {
      if (text.includes('publishedMs')) throw new RecordingError(`${file} is CSV for Excel. Export the values as CSV.`)
      places = placesOf(fields, file)
      continue
    }
    const known = places
    const field = (name: string) => fields[known[name.toLowerCase()] ?? -1] ?? ''
    builder.add(
      checked(
        {
          id: field('id'),
          timeMs: Date.parse(field('published')),
          amendTimeMs: field('amended') === '' ? 0 : Date.parse(field('amended')),
          value: field('value'),
          isRepeat: field(carriedForward) === 'yes',
        },
        `${file}, line ${line}`,
        fields,
      ),
    )
  }
}

/** Reads the row groups in turn, so that memory holds the values and not the file. */
async function readParquet(path: string, builder: RecordingBuilder): Promise<void> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const names = metadata.schema.map(({ name }) => name)
  placesOf(names, path)
  const wanted = [...columns, ...(names.includes(carriedForward) ? [carriedForward] : [])]
  const rowCount = Number(metadata.num_rows)
  for (let rowStart = 0; rowStart < rowCount; rowStart += rowsAtOnce) {
    const rowEnd = Math.min(rowCount, rowStart + rowsAtOnce)
    const rows = await parquetReadObjects({ file, metadata, columns: wanted, rowStart, rowEnd })
    for (const [at, row] of (rows as Record<string, unknown>[]).entries()) {
      const { id, value } = row
      const amended = row['amended'] ?? undefined
      builder.add(
        checked(
          {
            id: typeof id === 'string' ? id : '',
            timeMs: row['published'] instanceof Date ? row['published'].getTime() : NaN,
            amendTimeMs: amended === undefined ? 0 : amended instanceof Date ? amended.getTime() : NaN,
            // A number has lost its digits.
            value: typeof value === 'string' ? value : '',
            isRepeat: row[carriedForward] === true,
          },
          `${path}, row ${rowStart + at + 1}`,
          Object.values(row),
        ),
      )
    }
  }
}

function placesOf(header: readonly string[], file: string): Record<string, number> {
  const names = header.map((name) => name.trim().toLowerCase())
  const missing = columns.filter((name) => !names.includes(name))
  if (missing.length > 0) throw new RecordingError(`${file} has no column ${missing.join(', ')}.`)
  return Object.fromEntries(names.map((name, at) => [name, at]))
}

/** Returns the row if it is valid, and throws otherwise. */
function checked(row: RecordedRow, where: string, shown: readonly unknown[]): RecordedRow {
  const { id, timeMs, amendTimeMs, value } = row
  if (id !== '' && !Number.isNaN(timeMs) && !Number.isNaN(amendTimeMs) && valuePattern.test(value)) return row
  throw new RecordingError(`${where} is no value: ${shown.map(String).join(',').slice(0, maxProblemText)}`)
}

/** The fields of a line (RFC 4180). None of them has a line break. */
function fieldsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',')
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => {
    return quoted?.replaceAll('""', '"') ?? plain ?? ''
  })
}
