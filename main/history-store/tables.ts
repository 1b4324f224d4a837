import { createQueries, type QueryTable, type QuickQuery, type EncodedResult } from './queries'
import { defaultBounds, type Learned, type Queries, type HistoryBounds } from './contract'
import type { QueuedBatch } from './packed-values'
import type { HistoryDatabase } from './schema'
import { Statements } from './statements'
import { clear, deletedRules, dropRuns, tidy, type Steps } from './tidying'
import { IdCache, writeBatches } from './writing'

/** The history over an open database. It runs in the caller's thread and throws the database's own errors. */
export class HistoryTables {
  readonly #database: HistoryDatabase
  readonly #statements: Statements
  readonly #idCache: IdCache
  readonly #queries: QueryTable
  #bounds: HistoryBounds = defaultBounds
  /** Rules deleted before this opening. Their deletion can no longer be undone. */
  #deletedRules: readonly string[]

  /** The database must have the current schema. */
  constructor(database: HistoryDatabase) {
    this.#database = database
    this.#statements = new Statements(database)
    this.#idCache = new IdCache(this.#statements)
    this.#queries = createQueries(this.#statements, this.#idCache)
    this.#deletedRules = deletedRules(this.#statements)
  }

  /**
   * Writes batches in order, in one transaction. `isRepeat`: they may have been written already. Then every value
   * counts as new, because the caller was never told.
   */
  commit(batches: readonly QueuedBatch[], isRepeat = false): Learned[] {
    const context = { statements: this.#statements, idCache: this.#idCache, isRepeat }
    try {
      return this.#statements.inTransaction(() => writeBatches(batches, context))
    } catch (error) {
      // Numbers assigned in the transaction were rolled back.
      this.#idCache.forget()
      throw error
    }
  }

  query<Q extends QuickQuery>(name: Q, params: Queries[Q]['params']): EncodedResult<Q> {
    return this.#queries[name](params)
  }

  setBounds(bounds: HistoryBounds): void {
    this.#bounds = bounds
  }

  /** Enforces the bounds in steps. */
  *tidy(nowMs: number): Steps {
    yield* dropRuns(this.#statements, this.#deletedRules)
    this.#deletedRules = []
    yield* tidy({ statements: this.#statements, idCache: this.#idCache }, this.#bounds, nowMs)
  }

  clear(beforeMs: number): Steps {
    return clear(this.#statements, beforeMs)
  }

  /** Moves the journal into the file, so that the next opening sees a clean close. */
  close(): void {
    this.#statements.rows('PRAGMA wal_checkpoint(TRUNCATE)')
    this.#database.close()
  }
}
