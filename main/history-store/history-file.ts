import { existsSync } from 'node:fs'
import { ok, failure, type Outcome, type Problem } from '../../core/model'
import type { QuickQuery } from './queries'
import type { QueryName, Queries, HistoryAccess } from './contract'
import { databaseCode, databaseProblem, isDamage } from './problems'
import { checkVersion, openForReading, UnfitDatabase, type HistoryDatabase } from './schema'
import { HistoryTables } from './tables'
import { decodeValues, type EncodedValues } from './value-rows'

/** Why a history cannot be read. */
export class UnreadableHistory extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

/**
 * A history opened read-only in the caller's thread, with or without the app running. For threads and processes that
 * may block. Everything throws `UnreadableHistory`.
 */
export class HistoryFile {
  readonly #database: HistoryDatabase
  readonly #store: HistoryTables

  constructor(path: string) {
    if (!existsSync(path)) {
      throw new UnreadableHistory({ code: 'noValues', message: `There is no history yet: ${path} does not exist.` })
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

const readOnly = failure('readOnly', 'This history is open read-only.')

/** Gives a history file the interface of the app's history. Writing is refused. */
export function readingHistory(file: HistoryFile): HistoryAccess {
  const answer = <Q extends QueryName>(name: Q, params: Queries[Q]['params']): Outcome<Queries[Q]['result']> => {
    if (name === 'clearBefore' || name === 'setBounds') return readOnly
    try {
      return ok(file.query(name, params as never))
    } catch (error) {
      if (error instanceof UnreadableHistory) return { ok: false, problem: error.problem }
      throw error
    }
  }
  return {
    append: () => undefined,
    commit: () => Promise.resolve(readOnly),
    query: (name, params) => Promise.resolve(answer(name, params)),
  }
}

function openDatabase(path: string): HistoryDatabase {
  try {
    const database = openForReading(path)
    if (checkVersion(database) === 0) {
      throw new UnreadableHistory({ code: 'noValues', message: 'There is no history yet. Start Indexwatch once.' })
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
    if (error instanceof UnreadableHistory) throw error
    if (error instanceof UnfitDatabase && error.reason === 'newer') {
      throw new UnreadableHistory({
        code: 'newerVersion',
        message: 'The history was written by a newer version. Update Indexwatch.',
      })
    }
    if (isDamage(error)) {
      throw new UnreadableHistory({
        code: 'unreadable',
        message: 'The history is damaged. Start Indexwatch to restore it.',
      })
    }
    throw new UnreadableHistory(databaseProblem(error))
  }
}
