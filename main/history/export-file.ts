/** Writes an export from the history file to the user's file. The user's file is complete or absent. */
import { basename } from 'node:path'
import type { ExportProgress, ExportRequest } from '../../protocol/history'
import { done, ok, failure, type Outcome } from '../../core/model'
import { FailedStep } from '../base/answered'
import { maxSheetRows } from '../base/workbook'
import type { DecimalSign } from '../base/region'
import type { JobTools } from '../base/thread-job'
import { replaceFile } from '../storage/disk'
import { notSaved, userFileMode } from '../storage/user-file'
import { HistoryFile } from '../history-store/history-file'
import { constituentTable, eventTable } from './export-context'
import { encodedRows, type ExportSheet } from './export-formats'
import { exportRows, fullDays } from './export-rows'

export interface ExportTask {
  historyPath: string
  request: ExportRequest
  /** Path chosen by the user. */
  path: string
  /** Path beside it, for the incomplete file. */
  temporaryPath: string
  nowMs: number
  /** For CSV for Excel. */
  decimalSign: DecimalSign
}

/** Number of rows written, or `null` if it was cancelled and nothing was written. */
export type ExportOutcome = Outcome<{ rowCount: number } | null>

/** Ends an export without a file. */
class NoFile extends Error {
  readonly outcome: ExportOutcome

  constructor(outcome: ExportOutcome) {
    super('no file')
    this.outcome = outcome
  }
}

/**
 * Writes the file page by page, in memory independent of the range. An existing file is replaced only when the new one is
 * complete. The signal cancels between two pages. A workbook with more values than `rowsInSheet` has a sheet for each day,
 * or several.
 */
export async function exportToFile(
  { historyPath, request, path, temporaryPath: temporary, nowMs, decimalSign }: ExportTask,
  { signal, onProgress }: JobTools<ExportProgress>,
  rowsInSheet = maxSheetRows,
): Promise<ExportOutcome> {
  let history: HistoryFile | undefined
  try {
    const opened = (history = new HistoryFile(historyPath))
    let rowCount = 0
    const days = request.format === 'xlsx' ? fullDays(opened, request, { nowMs, rowsInSheet, signal }) : []
    const parts = days.length === 0 ? [{ ...request, name: 'Values' }] : days.map((day) => ({ ...request, ...day }))
    const pages = function* (part: ExportRequest, at: number) {
      for (const { rows, fraction } of exportRows(opened, part, nowMs)) {
        yield rows
        rowCount += rows.length
        onProgress({ rowCount, fraction: (at + fraction) / parts.length })
        if (signal.aborted) throw new NoFile(done)
      }
      if (rowCount === 0) throw new NoFile(noValuesIn(opened, request))
    }
    const [first, ...further] = parts.map((part, at): ExportSheet => ({ name: part.name, pages: pages(part, at) }))
    if (first === undefined || signal.aborted) return done
    const others = [eventTable(opened, request), constituentTable(opened, request)]
    const content = encodedRows(request, [first, ...further], { others, nowMs, decimalSign })
    await replaceFile(path, content, { mode: userFileMode, temporary })
    return ok({ rowCount })
  } catch (error) {
    if (error instanceof NoFile) return error.outcome
    if (error instanceof FailedStep) return error.failure
    return { ok: false, problem: notSaved(basename(path), error) }
  } finally {
    history?.close()
  }
}

/** The failure also says from when the history has values. */
function noValuesIn(history: HistoryFile, { indexIds }: ExportRequest): Outcome<never> {
  const what = indexIds.length === 1 ? (indexIds[0] ?? '') : `these ${indexIds.length} indices`
  const oldest = indexIds.flatMap((id) => {
    const everything = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }
    const { values } = history.query('values', { id, revisions: 'all', limit: 1, ...everything })
    return values.map(({ publishedAtMs }) => publishedAtMs)
  })
  if (oldest.length === 0) return failure('noValues', `Nothing was exported: the history has no values of ${what}.`)
  const since = `${new Date(Math.min(...oldest)).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return failure(
    'noValues',
    `Nothing was exported: the history has no values of ${what} in this range. The oldest value is from ${since}.`,
  )
}
