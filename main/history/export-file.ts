/** An export as a whole: from the history's file to the user's, which is there when it is complete, or not at all. */
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
  /** Where the user wants the file. */
  path: string
  /** Beside it, for what is being written. */
  temporaryPath: string
  nowMs: number
}

/** How many rows were written; `null`: it was cancelled, and nothing is left of it. */
export type ExportOutcome = Outcome<{ rowCount: number } | null>

/**
 * Writes the file page by page, in memory that does not grow with the range. A file that is there already stays as it is
 * until the new one is whole. Cancelled by the signal between two pages.
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

/** Says what there is instead. */
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
