/** Writes an export from the history file to the user's file. The user's file is complete or absent. */
import { open, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ExportProgress, ExportRequest } from '../../protocol/history'
import { done, ok, failure, type Outcome } from '../../core/model'
import type { JobTools } from '../base/thread-job'
import { putInPlace } from '../storage/disk'
import { notSaved } from '../storage/user-file'
import { HistoryFile, UnreadableHistory } from '../history-store/history-file'
import { createWriter } from './export-formats'
import { exportRows } from './export-rows'

export interface ExportTask {
  historyPath: string
  request: ExportRequest
  /** Path chosen by the user. */
  path: string
  /** Path beside it, for the incomplete file. */
  temporaryPath: string
  nowMs: number
}

/** Number of rows written, or `null` if it was cancelled and nothing was written. */
export type ExportOutcome = Outcome<{ rowCount: number } | null>

/**
 * Writes the file page by page, in memory independent of the range. An existing file is replaced only when the new one
 * is complete. The signal cancels between two pages.
 */
export async function exportToFile(
  task: ExportTask,
  { signal, onProgress }: JobTools<ExportProgress>,
): Promise<ExportOutcome> {
  let history: HistoryFile | undefined
  try {
    history = new HistoryFile(task.historyPath)
    const rowCount = await writeTemporary(history, task, signal, onProgress)
    if (signal.aborted) return done
    if (rowCount === 0) return nothingIn(history, task.request)
    await putInPlace(task.temporaryPath, task.path)
    return ok({ rowCount })
  } catch (error) {
    if (error instanceof UnreadableHistory) return { ok: false, problem: error.problem }
    return { ok: false, problem: notSaved(basename(task.path), error) }
  } finally {
    history?.close()
    await rm(task.temporaryPath, { force: true })
  }
}

async function writeTemporary(
  history: HistoryFile,
  { request, temporaryPath, nowMs }: ExportTask,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
): Promise<number> {
  const file = await open(temporaryPath, 'wx', 0o666)
  try {
    const writer = createWriter(request.format, file, request.resolution !== 'every')
    let rowCount = 0
    for (const { rows, fraction } of exportRows(history, request, nowMs)) {
      await writer.write(rows)
      rowCount += rows.length
      onProgress({ rowCount, fraction })
      if (signal.aborted) return rowCount
    }
    await writer.finish()
    await file.sync()
    return rowCount
  } finally {
    await file.close()
  }
}

/** The failure also says from when the history has values. */
function nothingIn(history: HistoryFile, { indexIds }: ExportRequest): Outcome<never> {
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
