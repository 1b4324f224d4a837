import { createAnswers, type Answers, type QuickQuestion, type StoredAnswer } from './answers'
import { defaultBounds, type Learned, type Questions, type TapeBounds, type Turn } from './contract'
import type { TapeDatabase } from './schema'
import { Statements } from './statements'
import { clear, deletedRules, dropRuns, tidy, type Steps } from './tidying'
import { Interned, writeTurns } from './writing'

/** The tape over one open database, in the thread that calls it. Everything throws the database's own error. */
export class TapeStore {
  readonly #database: TapeDatabase
  readonly #statements: Statements
  readonly #interned: Interned
  readonly #answers: Answers
  #bounds: TapeBounds = defaultBounds
  /** Deleted before this opening. Their deletion cannot be undone any more. */
  #deletedRules: readonly string[]

  /** The database has the present schema. */
  constructor(database: TapeDatabase) {
    this.#database = database
    this.#statements = new Statements(database)
    this.#interned = new Interned(this.#statements)
    this.#answers = createAnswers(this.#statements, this.#interned)
    this.#deletedRules = deletedRules(this.#statements)
  }

  /**
   * Writes turns in their order, in one transaction. `isRepeat` says that they may be on the tape already: then every value
   * counts as learned, since no one was notified of it.
   */
  commit(turns: readonly Turn[], isRepeat = false): Learned[] {
    const context = { statements: this.#statements, interned: this.#interned, isRepeat }
    try {
      return this.#statements.inTransaction(() => writeTurns(turns, context))
    } catch (error) {
      // Numbers given in the transaction are gone with it.
      this.#interned.forget()
      throw error
    }
  }

  answer<Q extends QuickQuestion>(question: Q, asked: Questions[Q]['asked']): StoredAnswer<Q> {
    return this.#answers[question](asked)
  }

  setBounds(bounds: TapeBounds): void {
    this.#bounds = bounds
  }

  /** Brings the tape within its bounds, step by step. */
  *tidy(nowMs: number): Steps {
    yield* dropRuns(this.#statements, this.#deletedRules)
    this.#deletedRules = []
    yield* tidy({ statements: this.#statements, interned: this.#interned }, this.#bounds, nowMs)
  }

  clear(beforeMs: number): Steps {
    return clear(this.#statements, beforeMs)
  }

  /** Everything goes into the file itself: the next opening sees that this one ended in order. */
  close(): void {
    this.#statements.rows('PRAGMA wal_checkpoint(TRUNCATE)')
    this.#database.close()
  }
}
