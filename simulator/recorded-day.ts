/** A day from a database of the app, which may be running. Opened read-only (docs/development/history-database.md). */
import Database from 'libsql'
import { findIndex } from './catalogue'
import { Recording, RecordingBuilder, RecordingError } from './recording'
import { historySpanMs } from './schedule'

const dayMs = 86_400_000
/** "IWTP", and the version of the tables that are read here. */
const applicationId = 0x49_57_54_50
const knownVersion = 5

/** The day that begins at `fromMs` or ends with the last value. Includes the earlier values that `values` returns. */
export function readRecordedDay(file: string, fromMs?: number): { recording: Recording; startMs: number } {
  const database = open(file)
  try {
    const ask = <Row>(sql: string, ...cells: number[]) => database.prepare(sql).raw().all(cells) as Row[]
    const version = ask<[number]>('PRAGMA user_version')[0]?.[0] ?? 0
    if (ask<[number]>('PRAGMA application_id')[0]?.[0] !== applicationId) {
      throw new RecordingError(`${file} is no database of Indexwatch.`)
    }
    if (version > knownVersion) throw new RecordingError(`${file} is of a newer version. Update Indexwatch.`)
    const series = ask<[number, string]>('SELECT no, id FROM series')
    const edge = (which: 'min' | 'max') =>
      series.flatMap(
        ([no]) => ask<[number | null]>(`SELECT ${which}(published) FROM value WHERE series = ?`, no)[0] ?? [],
      )
    const known = (times: (number | null)[]) => times.filter((time) => time !== null)
    const [firstMs, lastMs] = [Math.min(...known(edge('min'))), Math.max(...known(edge('max')))]
    if (firstMs > lastMs) throw new RecordingError(`${file} has no values.`)
    const startMs = fromMs ?? Math.max(firstMs, lastMs - dayMs)
    const builder = new RecordingBuilder()
    for (const [no, id] of series) {
      const schedule = findIndex(id)?.schedule
      const reachMs = schedule === undefined ? 0 : historySpanMs(schedule)
      // Read row by row, so that a day of ticks is not held twice.
      const rows = database
        .prepare(
          `SELECT published, amended, text, flags & 1 FROM value WHERE series = ? AND published BETWEEN ? AND ?
             ORDER BY published, amended`,
        )
        .raw()
        .iterate([no, startMs - reachMs, startMs + dayMs]) as Iterable<[number, number, string, number]>
      for (const [timeMs, amendTimeMs, value, isRepeat] of rows) {
        builder.add({ id, timeMs, amendTimeMs, value, isRepeat: isRepeat === 1 })
      }
    }
    const recording = builder.build()
    if (recording !== undefined && recording.lastMs >= startMs) return { recording, startMs }
    const range = `${new Date(firstMs).toISOString()} to ${new Date(lastMs).toISOString()}`
    throw new RecordingError(`${file} has no values on the day from --from. It has some from ${range}.`)
  } finally {
    database.close()
  }
}

/** On a read-only disk the database cannot change, so it is opened as immutable. */
function open(file: string): Database.Database {
  const url = `file:${file.replaceAll('%', '%25').replaceAll('?', '%3f').replaceAll('#', '%23')}?mode=ro`
  try {
    const database = new Database(url)
    database.exec('PRAGMA busy_timeout = 2000')
    database.prepare('SELECT count(*) FROM sqlite_master').get()
    return database
  } catch {
    return new Database(`${url}&immutable=1`)
  }
}
