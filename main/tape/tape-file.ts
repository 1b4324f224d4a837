import { existsSync } from 'node:fs'
import { ok, failure, type Outcome, type Problem } from '../../core/model'
import type { QuickQuestion } from './answers'
import type { QuestionName, Questions, TapeAccess } from './contract'
import { databaseCode, databaseProblem, isDamage } from './problems'
import { checkVersion, openForReading, UnfitDatabase, type TapeDatabase } from './schema'
import { TapeStore } from './store'
import { decodeValues, type EncodedValues } from './value-rows'

/** Why a tape cannot be read. */
export class UnreadableTape extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

/**
 * A tape for reading alone, beside the app or without it, in the thread that calls it: for threads and processes that
 * nobody waits for. Everything throws `UnreadableTape`.
 */
export class TapeFile {
  readonly #database: TapeDatabase
  readonly #store: TapeStore

  constructor(path: string) {
    if (!existsSync(path)) {
      throw new UnreadableTape({ code: 'noValues', message: `There is no history yet: ${path} does not exist.` })
    }
    this.#database = readable(() => openDatabase(path))
    this.#store = readable(() => new TapeStore(this.#database))
  }

  ask<Q extends QuickQuestion>(question: Q, asked: Questions[Q]['asked']): Questions[Q]['answer'] {
    const answer: unknown = readable(() => this.#store.answer(question, asked))
    if (question !== 'values') return answer as Questions[Q]['answer']
    return decodeValues(answer as EncodedValues, asked as Questions['values']['asked'])
  }

  close(): void {
    this.#database.close()
  }
}

const readOnly = failure('readOnly', 'This history is open read-only.')

/** A tape file as owners ask the tape of the app; nothing is written to it. */
export function readingTape(file: TapeFile): TapeAccess {
  const answer = <Q extends QuestionName>(
    question: Q,
    asked: Questions[Q]['asked'],
  ): Outcome<Questions[Q]['answer']> => {
    if (question === 'clearBefore' || question === 'setBounds') return readOnly
    try {
      return ok(file.ask(question, asked as never))
    } catch (error) {
      if (error instanceof UnreadableTape) return { ok: false, problem: error.problem }
      throw error
    }
  }
  return {
    append: () => undefined,
    commit: () => Promise.resolve(readOnly),
    ask: (question, asked) => Promise.resolve(answer(question, asked)),
  }
}

function openDatabase(path: string): TapeDatabase {
  try {
    const database = openForReading(path)
    if (checkVersion(database) === 0) {
      throw new UnreadableTape({ code: 'noValues', message: 'There is no history yet. Start Indexwatch once.' })
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
    if (error instanceof UnreadableTape) throw error
    if (error instanceof UnfitDatabase && error.reason === 'newer') {
      throw new UnreadableTape({
        code: 'newerVersion',
        message: 'The history was written by a newer version. Update Indexwatch.',
      })
    }
    if (isDamage(error)) {
      throw new UnreadableTape({
        code: 'unreadable',
        message: 'The history is damaged. Start Indexwatch to restore it.',
      })
    }
    throw new UnreadableTape(databaseProblem(error))
  }
}
