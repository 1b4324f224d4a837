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

/** Whose histories were given back; to make one costs more than what most tests write. */
const unused: HistoryDatabase[] = []

function empty(database: HistoryDatabase): void {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").raw().all() as [string][]
  for (const [name] of tables) database.prepare(`DELETE FROM ${name}`).run([])
}

const locked: Problem = { code: 'inUse', message: 'Another process uses it.' }

/** The history's own store in the thread of the test: without a worker and a disk, and answering as late as the real one. */
export class MemoryHistory implements HistoryAccess {
  readonly store: HistoryTables
  /** While set, no turn is written. The next successful turn writes the waiting ones too. */
  problem: Problem | undefined
  /** While set, nothing can be read nor written, as of a file that another program has. */
  isLocked = false
  /** The turns that were written and hold more than values. */
  readonly written: WriteBatch[] = []
  #waiting: WriteBatch[] = []
  /** The outcome of the next write, shared by all waiting turns. */
  #outcome: Promise<Outcome<Learned[]>> | undefined
  #gate: Promise<undefined> = Promise.resolve(undefined)
  #isGone = false
  readonly #database: HistoryDatabase | undefined

  constructor(store?: HistoryTables) {
    this.#database = store === undefined ? (unused.pop() ?? emptyDatabase()) : undefined
    this.store = store ?? new HistoryTables(this.#database ?? emptyDatabase())
  }

  /** Its database becomes another's: call it where thousands are made one after the other, and ask this one no more. */
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
    // After everything committed before it, as the history has it.
    do await (this.#outcome ?? this.#gate)
    while (this.#outcome !== undefined)
    if (this.#isGone) return new Promise(() => undefined)
    if (this.isLocked) return { ok: false, problem: locked }
    return { ok: true, value: this.#answer(name, params) as Queries[Q]['result'] }
  }

  /** Nothing is written or answered until the answer is called. */
  holdWrites(): () => void {
    let open: () => void = () => undefined
    this.#gate = new Promise((resolve) => {
      open = () => resolve(undefined)
    })
    return () => open()
  }

  /** The history after the process was killed: what has not been written is lost, and the one before is written to no more. */
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

/** A history that holds these already. */
export async function historyWith(turn: WriteBatch): Promise<MemoryHistory> {
  const history = new MemoryHistory()
  await history.commit(turn)
  history.written.length = 0
  return history
}
