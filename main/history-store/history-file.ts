import { existsSync } from 'node:fs'
import { failure, type Outcome } from '../../core/model'
import { answered, fail, FailedStep, need } from '../base/answered'
import type { QuickQuery } from './queries'
import type { QueryName, Queries, HistoryAccess } from './contract'
import { databaseCode, databaseProblem, isDamage } from './problems'
import { checkVersion, openForReading, UnfitDatabase, type HistoryDatabase } from './schema'
import { HistoryTables } from './tables'
import { decodeValues, type EncodedValues } from './value-rows'

/**
 * A history opened read-only in the caller's thread, with or without the app running. For threads and processes that
 * may block. Everything throws `FailedStep` if it cannot be read.
 */
export class HistoryFile {
  readonly #database: HistoryDatabase
  readonly #store: HistoryTables

  constructor(path: string) {
    if (!existsSync(path)) {
      fail('noValues', `There is no history yet: ${path} does not exist.`)
    }
    this.#database = readable(() => openDatabase(path))
    this.#store = readable(() => new HistoryTables(this.#database))
  }

  query<Q extends QuickQuery>(name: Q, params: Queries[Q]['params']): Queries[Q]['result'] {
    const answer: unknown = readable(() => this.#store.query(name, params))
    if (name !== 'values') return answer as Queries[Q]['result']
    return decodeValues(answer as EncodedValues, params as Queries['values']['params'])
  }

  close(): void {
    this.#database.close()
  }
}

/** Opens a history, and closes it when it is read. The problem if it cannot be read. */
export function readHistory<T>(path: string, read: (file: HistoryFile) => Promise<T> | T): Promise<Outcome<T>> {
  return answered(async () => {
    const file = new HistoryFile(path)
    try {
      return await read(file)
    } finally {
      file.close()
    }
  })
}

const readOnly = failure('readOnly', 'This history is open read-only.')

/** Gives a history file the interface of the app's history. Writing is refused. */
export function readingHistory(file: HistoryFile): HistoryAccess {
  return {
    append: () => undefined,
    commit: () => Promise.resolve(readOnly),
    query: <Q extends QueryName>(name: Q, params: Queries[Q]['params']) =>
      answered((): Queries[Q]['result'] => {
        if (name === 'clearBefore' || name === 'setBounds') return need(readOnly)
        return file.query(name, params as never)
      }),
  }
}

function openDatabase(path: string): HistoryDatabase {
  try {
    const database = openForReading(path)
    if (checkVersion(database) === 0) {
      fail('noValues', 'There is no history yet. Start Indexwatch once.')
    }
    return database
  } catch (error) {
    // Nothing can be created beside the file, so nothing else writes to it either.
    if (['READONLY', 'CANTOPEN', 'PERM'].includes(databaseCode(error))) return openForReading(path, true)
    throw error
  }
}

function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof FailedStep) throw error
    if (error instanceof UnfitDatabase && error.reason === 'newer') {
      fail('newerVersion', 'The history was written by a newer version. Update Indexwatch.')
    }
    if (isDamage(error)) fail('unreadable', 'The history is damaged. Start Indexwatch to restore it.')
    return need({ ok: false, problem: databaseProblem(error) })
  }
}
