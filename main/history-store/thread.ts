/** What the main thread, which never loads the database's library, has in common with the thread of the database. */
import { join } from 'node:path'
import type { Outcome, Problem, ServiceKind } from '../../core/model'
import type { QueryName, HistoryBounds, WriteBatch } from './contract'

/** What a thread is started with: one that serves the history, or one that makes its backup and ends. */
export type ThreadTask = { task: 'serve'; path: string; bounds: HistoryBounds; isToBeChecked: boolean } | BackupTask

export interface BackupTask {
  task: 'backup'
  path: string
  backupPath: string
  bounds: HistoryBounds
}

/** `isRepeat`: another thread was asked the same and ended without an answer. */
export type ThreadRequest =
  | { do: 'commit'; batches: readonly WriteBatch[]; isRepeat: boolean }
  | { do: 'query'; name: QueryName; params: unknown }
  | { do: 'close' }

/** `damaged` instead of an outcome: the database cannot go on as it is. */
export type ThreadReply =
  | { kind: 'opened'; access: HistoryAccessMode }
  | { kind: 'refused'; reason: 'damaged' | 'inUse' | 'disk'; problem: Problem }
  | { kind: 'answer'; number: number; outcome: Outcome<unknown> }
  | { kind: 'damaged'; number: number; message: string }
  | { kind: 'tidyingFailed'; message: string }
  /** Whether it was made: one with more than twice the values stays. */
  | { kind: 'backup'; outcome: Outcome<boolean> }

/** Why nothing is recorded, where it is not. */
export type HistoryAccessMode = 'readWrite' | 'newer' | 'readOnly'

/** Where a profile has the history of a kind of service. */
export function historyPath(folder: string, kind: ServiceKind): string {
  return join(folder, kind === 'demo' ? 'tape-demo.db' : 'tape.db')
}

/** Where the backup of a history is. */
export function backupPathOf(path: string): string {
  return path.replace(/\.db$/, '-backup.db')
}

/** Where the lock of a history is, which whoever opens it takes. */
export function lockPathOf(path: string): string {
  return `${path}-lock`
}
