import type Database from 'libsql'
import type { HistoryDatabase } from './schema'

/** The content of a cell. */
export type Cell = string | number | null

/** Runs SQL on a database. Each statement is prepared once. */
export class Statements {
  readonly #database: HistoryDatabase
  readonly #prepared = new Map<string, Database.Statement>()

  constructor(database: HistoryDatabase) {
    this.#database = database
  }

  /** Returns the number of changed rows. */
  run(sql: string, cells: readonly Cell[] = []): number {
    return this.#statement(sql).run(cells).changes
  }

  /** For SQL that returns nothing and is not worth preparing. */
  execute(sql: string): void {
    this.#database.exec(sql)
  }

  /** Rows as lists in column order. The caller states their type, which must match the schema. */
  rows<Row extends readonly Cell[]>(sql: string, cells: readonly Cell[] = []): Row[] {
    return this.#statement(sql).raw().all(cells) as Row[]
  }

  /** The number in the first cell of the first row. Undefined if there is none. */
  first(sql: string, cells: readonly Cell[] = []): number | undefined {
    return this.rows<[number | null]>(sql, cells)[0]?.[0] ?? undefined
  }

  /** Rows as objects by column name. NULL cells are left out. */
  objects<T extends object>(sql: string, cells: readonly Cell[] = []): T[] {
    const rows = this.#statement(sql).all(cells) as Record<string, Cell>[]
    return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== null)) as T)
  }

  /** Writes a row by column name. Replaces the row with the same key. */
  put(table: string, row: Readonly<Record<string, Cell>>): void {
    const names = Object.keys(row)
    const sql = `INSERT OR REPLACE INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`
    this.run(sql, Object.values(row))
  }

  /** Runs the function in a transaction: all of it is written, or nothing. */
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
        // SQLite has rolled back already, for example on a full disk.
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
