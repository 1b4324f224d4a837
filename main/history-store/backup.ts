/** The backup of a history. */
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { statFile } from '../base/own-file'
import { syncFile, syncFolder } from '../base/sync-file'
import type { HistoryBounds } from './contract'
import { isDamage } from './problems'
import { openDatabase, openForReading } from './schema'
import { Statements } from './statements'
import type { BackupTask } from './thread'
import { clearedBeforeMs, newestMs } from './tidying'

const dayMs = 86_400_000

/** Returns whether the previous backup was replaced. One with more than twice the values is kept. */
export function makeBackup({ path, backupPath, bounds }: Omit<BackupTask, 'task'>): boolean {
  const part = `${backupPath}.part`
  for (const each of [part, backupPath]) statFile(each)
  rmSync(part, { force: true })
  try {
    // Readable only by its owner. SQLite fills an empty file.
    closeSync(openSync(part, 'wx', 0o600))
    const database = openDatabase(path)
    try {
      database.prepare('VACUUM INTO ?').run([part])
    } finally {
      database.close()
    }
    if (existsSync(backupPath) && hasLostMost(part, backupPath, bounds)) return false
    syncFile(part)
    renameSync(part, backupPath)
    syncFolder(dirname(backupPath))
    return true
  } finally {
    rmSync(part, { force: true })
  }
}

/**
 * True if a history has less than half of the backup's values, in the time that the bounds and the user have not
 * cleared.
 */
function hasLostMost(path: string, backupPath: string, { keepDays, maxBytes }: HistoryBounds): boolean {
  // The size bound may have dropped values.
  if (statSync(path).size > maxBytes / 2) return false
  const { count, sinceMs } = readDatabase(path, (statements) => {
    const keptMs = (newestMs(statements) ?? 0) - keepDays * dayMs
    const since = Math.max(keptMs, clearedBeforeMs(statements))
    return { count: countValues(statements, since), sinceMs: since }
  })
  try {
    return 2 * count < readDatabase(backupPath, (statements) => countValues(statements, sinceMs))
  } catch (error) {
    // A backup that cannot be read is replaced.
    if (isDamage(error)) return false
    throw error
  }
}

function readDatabase<T>(path: string, read: (statements: Statements) => T): T {
  const database = openForReading(path, true)
  try {
    return read(new Statements(database))
  } finally {
    database.close()
  }
}

/** Counts whole seconds only, because sub-second values are thinned. */
function countValues(statements: Statements, sinceMs: number): number {
  const count = 'SELECT count(*) FROM value WHERE published >= ? AND published % 1000 = 0'
  return statements.first(count, [sinceMs]) ?? 0
}
