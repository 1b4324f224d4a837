import Database from 'libsql'
import type { QuickQuery } from '../../main/history-store/queries'
import type {
  Learned,
  QueryName,
  Queries,
  HistoryAccess,
  StoredValue,
  WriteBatch,
} from '../../main/history-store/contract'
import { prepareSchema, type HistoryDatabase } from '../../main/history-store/schema'
import { HistoryTables } from '../../main/history-store/tables'
import { decodeValues, type EncodedValues } from '../../main/history-store/value-rows'
import type { Outcome, Problem } from '../../core/model'

/** An empty history in memory. All stores that open it share its prepared statements. */
function emptyDatabase(): HistoryDatabase {
  const database = new Database(':memory:')
  prepareSchema(database, () => undefined)
  const prepared = new Map<string, Database.Statement>()
  return {
    exec: (sql: string) => database.exec(sql),
    close: () => database.close(),
    prepare: (sql: string) => {
      const statement = prepared.get(sql) ?? database.prepare(sql)
      prepared.set(sql, statement)
      return statement
    },
  } as HistoryDatabase
}

/** Databases given back by `giveBack`. Creating one takes longer than most tests' writes. */
const unused: HistoryDatabase[] = []

function empty(database: HistoryDatabase): void {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").raw().all() as [string][]
  for (const [name] of tables) database.prepare(`DELETE FROM ${name}`).run([])
}

const locked: Problem = { code: 'inUse', message: 'Another process uses it.' }

/** The history store in the test's thread, without a worker or a disk. Answers asynchronously like the real one. */
export class MemoryHistory implements HistoryAccess {
  readonly store: HistoryTables
  /** While set, no batch is written. The next successful write includes the waiting batches. */
  problem: Problem | undefined
  /** While true, nothing can be read or written, like a file locked by another program. */
  isLocked = false
  /** The written batches that have more than values. */
  readonly written: WriteBatch[] = []
  #waiting: WriteBatch[] = []
  /** The outcome of the next write, shared by all waiting batches. */
  #outcome: Promise<Outcome<Learned[]>> | undefined
  #gate: Promise<undefined> = Promise.resolve(undefined)
  #isGone = false
  readonly #database: HistoryDatabase | undefined

  constructor(store?: HistoryTables) {
    this.#database = store === undefined ? (unused.pop() ?? emptyDatabase()) : undefined
    this.store = store ?? new HistoryTables(this.#database ?? emptyDatabase())
  }

  /**
   * Gives the database to the next history and makes this one unusable. Call it where thousands are created in turn.
   */
  giveBack(): void {
    this.#isGone = true
    if (this.#database === undefined) return
    empty(this.#database)
    unused.push(this.#database)
  }

  append(values: readonly StoredValue[]): void {
    void this.commit({ values })
  }

  commit(turn: WriteBatch): Promise<Outcome<Learned[]>> {
    this.#waiting.push(turn)
    this.#outcome ??= this.#gate.then(() => this.#write())
    return this.#outcome
  }

  async query<Q extends QueryName>(name: Q, params: Queries[Q]['params']): Promise<Outcome<Queries[Q]['result']>> {
    // Waits for everything committed before, like the history.
    do await (this.#outcome ?? this.#gate)
    while (this.#outcome !== undefined)
    if (this.#isGone) return new Promise(() => undefined)
    if (this.isLocked) return { ok: false, problem: locked }
    return { ok: true, value: this.#answer(name, params) as Queries[Q]['result'] }
  }

  /** Blocks all writes and answers until the returned function is called. */
  holdWrites(): () => void {
    let open: () => void = () => undefined
    this.#gate = new Promise((resolve) => {
      open = () => resolve(undefined)
    })
    return () => open()
  }

  /** The history after a kill: unwritten batches are lost, and the old instance no longer writes. */
  reopened(): MemoryHistory {
    this.#isGone = true
    return new MemoryHistory(this.store)
  }

  #write(): Outcome<Learned[]> {
    this.#outcome = undefined
    if (this.#isGone) return { ok: false, problem: { code: 'notReady', message: 'The process is gone.' } }
    const problem = this.isLocked ? locked : this.problem
    if (problem !== undefined) return { ok: false, problem }
    const turns = this.#waiting
    this.#waiting = []
    this.written.push(...turns.filter(isMoreThanValues))
    return { ok: true, value: turns.length === 0 ? [] : this.store.commit(turns) }
  }

  #answer(name: QueryName, params: unknown): unknown {
    if (name === 'clearBefore') {
      const steps = this.store.clear((params as Queries['clearBefore']['params']).beforeMs)
      while (steps.next().done !== true);
      return this.store.query('size', null)
    }
    if (name === 'setBounds') {
      this.store.setBounds(params as Queries['setBounds']['params'])
      return null
    }
    const answer: unknown = this.store.query(name, params as Queries[QuickQuery]['params'])
    if (name !== 'values') return answer
    return decodeValues(answer as EncodedValues, params as Queries['values']['params'])
  }
}

function isMoreThanValues(turn: WriteBatch): boolean {
  return Object.entries(turn).some(([name, list]) => name !== 'values' && (!Array.isArray(list) || list.length > 0))
}

/** A history that already contains this batch. */
export async function historyWith(turn: WriteBatch): Promise<MemoryHistory> {
  const history = new MemoryHistory()
  await history.commit(turn)
  history.written.length = 0
  return history
}
