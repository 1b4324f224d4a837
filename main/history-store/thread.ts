/** Messages and paths shared by the main thread and the database thread. The main thread never loads SQLite. */
import { join } from 'node:path'
import type { Outcome, Problem, ServiceKind } from '../../core/model'
import type { QueryName, HistoryBounds } from './contract'
import type { QueuedBatch } from './packed-values'

/** How a thread is started: to serve the history, or to make its backup and end. */
export type ThreadTask = { task: 'serve'; path: string; bounds: HistoryBounds; isToBeChecked: boolean } | BackupTask

export interface BackupTask {
  task: 'backup'
  path: string
  backupPath: string
  bounds: HistoryBounds
}

/** `isRepeat`: an earlier thread received the same batches and ended without an answer. */
export type ThreadRequest =
  | { do: 'commit'; batches: readonly QueuedBatch[]; isRepeat: boolean }
  | { do: 'query'; name: QueryName; params: unknown }
  | { do: 'close' }

/** `damaged` replaces an answer: the database must be repaired first. */
export type ThreadReply =
  | { kind: 'opened'; access: HistoryAccessMode }
  | { kind: 'refused'; reason: 'damaged' | 'inUse' | 'disk'; problem: Problem }
  | { kind: 'answer'; number: number; outcome: Outcome<unknown> }
  | { kind: 'damaged'; number: number; message: string }
  | { kind: 'tidyingFailed'; message: string }
  /** False if an existing backup with more than twice the values was kept instead. */
  | { kind: 'backup'; outcome: Outcome<boolean> }

/** Whether the database can be written to, and if not, why. */
export type HistoryAccessMode = 'readWrite' | 'newer' | 'readOnly'

/** Path of the history for a kind of service, in the profile's folder. */
export function historyPath(folder: string, kind: ServiceKind): string {
  return join(folder, kind === 'demo' ? 'tape-demo.db' : 'tape.db')
}

/** Path of the backup of a history. */
export function backupPathOf(path: string): string {
  return path.replace(/\.db$/, '-backup.db')
}

/** Path of the lock file of a history. Each process that opens the history takes the lock. */
export function lockPathOf(path: string): string {
  return `${path}-lock`
}
