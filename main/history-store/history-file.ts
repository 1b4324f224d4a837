import { existsSync } from 'node:fs'
import { ok, failure, type Outcome, type Problem } from '../../core/model'
import type { QuickQuestion } from './answers'
import type { QuestionName, Questions, HistoryAccess } from './contract'
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
 * A history for reading alone, beside the app or without it, in the thread that calls it: for threads and processes that
 * nobody waits for. Everything throws `UnreadableHistory`.
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

  query<Q extends QuickQuestion>(question: Q, asked: Questions[Q]['asked']): Questions[Q]['answer'] {
    const answer: unknown = readable(() => this.#store.answer(question, asked))
    if (question !== 'values') return answer as Questions[Q]['answer']
    return decodeValues(answer as EncodedValues, asked as Questions['values']['asked'])
  }

  close(): void {
    this.#database.close()
  }
}

const readOnly = failure('readOnly', 'This history is open read-only.')

/** A history file as owners ask the history of the app; nothing is written to it. */
export function readingHistory(file: HistoryFile): HistoryAccess {
  const answer = <Q extends QuestionName>(
    question: Q,
    asked: Questions[Q]['asked'],
  ): Outcome<Questions[Q]['answer']> => {
    if (question === 'clearBefore' || question === 'setBounds') return readOnly
    try {
      return ok(file.query(question, asked as never))
    } catch (error) {
      if (error instanceof UnreadableHistory) return { ok: false, problem: error.problem }
      throw error
    }
  }
  return {
    append: () => undefined,
    commit: () => Promise.resolve(readOnly),
    query: (question, asked) => Promise.resolve(answer(question, asked)),
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
    // Nothing can be written beside it, so nobody writes to it either.
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
