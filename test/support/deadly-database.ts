import Database from 'libsql'
import { prepareSchema, useJournal, type HistoryDatabase } from '../../main/history-store/schema'

/**
 * Counts the statements of a history. Before statement `dieAt` it calls `die`, by default a kill of its process. 0
 * means never.
 */
export class DeadlyDatabase {
  isCounting = false
  /** Statements counted so far. */
  statements = 0
  readonly database: HistoryDatabase
  readonly #dieAt: number
  readonly #die: () => void

  constructor(path: string, dieAt: number, die = () => void process.kill(process.pid, 'SIGKILL')) {
    this.#dieAt = dieAt
    this.#die = die
    const real = new Database(path)
    useJournal(real)
    prepareSchema(real, () => undefined)
    this.database = {
      exec: (sql: string) => {
        this.#count()
        return real.exec(sql)
      },
      prepare: (sql: string) => {
        const statement = real.prepare(sql)
        const run = statement.run.bind(statement)
        statement.run = (...cells: unknown[]) => {
          this.#count()
          return run(...cells)
        }
        return statement
      },
      close: () => real.close(),
    } as HistoryDatabase
  }

  #count(): void {
    if (!this.isCounting) return
    this.statements++
    if (this.statements === this.#dieAt) this.#die()
  }
}
