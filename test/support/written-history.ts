import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WriteBatch } from '../../main/history-store/contract'
import { openDatabase, prepareSchema, useJournal } from '../../main/history-store/schema'
import { HistoryTables } from '../../main/history-store/tables'
import { temporaryFolder } from './temporary-folder'

/** A properly closed history with this batch. Writes it in this thread, because starting the app's costs far more. */
export function writtenHistory(batch: WriteBatch): { folder: string; path: string } {
  const draft = join(temporaryFolder(), 'tape.db')
  const database = openDatabase(draft)
  useJournal(database)
  prepareSchema(database, () => undefined)
  const tables = new HistoryTables(database)
  tables.commit([batch])
  tables.close()
  // SQLite lets go of the files only when the statements are collected as garbage.
  const folder = temporaryFolder()
  const path = join(folder, 'tape.db')
  copyFileSync(draft, path)
  return { folder, path }
}
