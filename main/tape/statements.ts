import type Database from 'libsql'
import type { TapeDatabase } from './schema'

/** What a column holds here. */
export type Cell = string | number | null

/** The statements of a database: each is prepared once, and rows are answered as lists in the order of its columns. */
export class Statements {
  readonly #database: TapeDatabase
  readonly #prepared = new Map<string, Database.Statement>()

  constructor(database: TapeDatabase) {
    this.#database = database
  }

  /** Answers how many rows it changed. */
  run(sql: string, cells: readonly Cell[] = []): number {
    return this.#statement(sql).run(cells).changes
  }

  /** For what answers nothing and is not worth keeping. */
  execute(sql: string): void {
    this.#database.exec(sql)
  }

  /** The type says what the columns hold, as the schema has it. */
  rows<Row extends readonly Cell[]>(sql: string, cells: readonly Cell[] = []): Row[] {
    return this.#statement(sql).raw().all(cells) as Row[]
  }

  /** Runs it in a transaction of its own: all or nothing. */
  inTransaction<T>(run: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const result = run()
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      try {
        this.#database.exec('ROLLBACK')
      } catch {
        // The database has rolled back by itself, as it does on a full disk.
      }
      throw error
    }
  }

  #statement(sql: string): Database.Statement {
    const known = this.#prepared.get(sql)
    if (known !== undefined) return known
    const prepared = this.#database.prepare(sql)
    this.#prepared.set(sql, prepared)
    return prepared
  }
}
