import { createQueries, type QueryTable, type QuickQuery, type EncodedResult } from './queries'
import { defaultBounds, type Learned, type Queries, type HistoryBounds, type WriteBatch } from './contract'
import type { HistoryDatabase } from './schema'
import { Statements } from './statements'
import { clear, deletedRules, dropRuns, tidy, type Steps } from './tidying'
import { IdCache, writeBatches } from './writing'

/** The history over one open database, in the thread that calls it. Everything throws the database's own error. */
export class HistoryTables {
  readonly #database: HistoryDatabase
  readonly #statements: Statements
  readonly #idCache: IdCache
  readonly #queries: QueryTable
  #bounds: HistoryBounds = defaultBounds
  /** Deleted before this opening. Their deletion cannot be undone any more. */
  #deletedRules: readonly string[]

  /** The database has the present schema. */
  constructor(database: HistoryDatabase) {
    this.#database = database
    this.#statements = new Statements(database)
    this.#idCache = new IdCache(this.#statements)
    this.#queries = createQueries(this.#statements, this.#idCache)
    this.#deletedRules = deletedRules(this.#statements)
  }

  /**
   * Writes turns in their order, in one transaction. `isRepeat` says that they may be in the history already: then every value
   * counts as learned, since no one was notified of it.
   */
  commit(batches: readonly WriteBatch[], isRepeat = false): Learned[] {
    const context = { statements: this.#statements, idCache: this.#idCache, isRepeat }
    try {
      return this.#statements.inTransaction(() => writeBatches(batches, context))
    } catch (error) {
      // Numbers given in the transaction are gone with it.
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

  /** Brings the history within its bounds, step by step. */
  *tidy(nowMs: number): Steps {
    yield* dropRuns(this.#statements, this.#deletedRules)
    this.#deletedRules = []
    yield* tidy({ statements: this.#statements, idCache: this.#idCache }, this.#bounds, nowMs)
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
