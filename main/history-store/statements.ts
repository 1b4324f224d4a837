import type Database from 'libsql'
import type { HistoryDatabase } from './schema'

/** What a column holds here. */
export type Cell = string | number | null

/** The statements of a database: each is prepared once, and rows are answered as lists in the order of its columns. */
export class Statements {
  readonly #database: HistoryDatabase
  readonly #prepared = new Map<string, Database.Statement>()

  constructor(database: HistoryDatabase) {
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

  /** The number in the first cell of the first row; `undefined` where there is none. */
  first(sql: string, cells: readonly Cell[] = []): number | undefined {
    return this.rows<[number | null]>(sql, cells)[0]?.[0] ?? undefined
  }

  /** Rows as objects, by the names of the columns; what is NULL is absent. */
  objects<T extends object>(sql: string, cells: readonly Cell[] = []): T[] {
    const rows = this.#statement(sql).all(cells) as Record<string, Cell>[]
    return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== null)) as T)
  }

  /** Writes a row by the names of its columns, in the place of the one of the same key. */
  put(table: string, row: Readonly<Record<string, Cell>>): void {
    const names = Object.keys(row)
    const sql = `INSERT OR REPLACE INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`
    this.run(sql, Object.values(row))
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
