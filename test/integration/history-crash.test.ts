import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { checkIntegrity, prepareSchema, useJournal } from '../../main/history-store/schema'
import { HistoryTables } from '../../main/history-store/tables'
import { childProgram } from '../support/child-programs'
import { crashTurn } from '../support/crash-turn'
import { DeadlyDatabase } from '../support/deadly-database'
import { temporaryFolder } from '../support/temporary-folder'

/**
 * Writes two batches. The process kills itself during the second, at statement `dieAt` (0 for never). Returns the
 * number of statements.
 */
function write(path: string, dieAt: number): { signal: string | null; statements: number } {
  const args = [childProgram('crashing-history'), path, `${dieAt}`]
  const { signal, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { signal, statements: Number(stdout) }
}

/** Writes like the other program, without being killed. */
function writeAgain(path: string): void {
  const store = new HistoryTables(openedHistory(path))
  store.commit([crashTurn(1)])
  store.commit([crashTurn(2)])
  store.close()
}

function openedHistory(path: string) {
  const database = new Database(path)
  useJournal(database)
  prepareSchema(database, () => undefined)
  return database
}

/** Whether each table has the data of a batch, by its number. */
function held(path: string, number: number) {
  const database = openedHistory(path)
  checkIntegrity(database)
  const store = new HistoryTables(database)
  const { values: [value] = [] } = crashTurn(number)
  const atMs = value?.publishedAtMs ?? 0
  const found = {
    value: store.query('valueAt', { id: 'BRTI', atMs }).revisions[0]?.publishedAtMs === atMs,
    catchUp: store.query('latest', null).some(({ id }) => id === `NEW${number}`),
    span: store.query('spans', { id: 'BRTI', fromMs: 0, toMs: atMs }).some(({ toMs }) => toMs === atMs),
    rule: Number(store.query('alertStart', null).rules[0]?.document) >= number,
    run: store.query('runs', { ruleId: 'r0' }).some(({ run }) => run === number),
    firing: store.query('firings', { ruleId: 'r0', run: number, fromMs: 0 }).length === 1,
    checkpoint: store.query('checkpointBefore', { ruleId: 'r0', run: number, publishedAtMs: atMs + 1 }) !== null,
    event: store.query('event', { id: `e${number}` }) !== null,
    document: Number(store.query('documents', { keys: ['alerts:policy'] })[0]?.document) >= number,
    snapshot: store.query('snapshotAt', { kind: 'constituents', id: 'BRTI', atMs })?.publishedAtMs === atMs,
  }
  store.close()
  return [...new Set(Object.values(found))]
}

test('a kill before any statement of a batch leaves nothing of that batch', () => {
  const whole = join(temporaryFolder(), 'tape.db')
  const { signal, statements } = write(whole, 0)
  expect(signal).toBeNull()
  expect(statements).toBeGreaterThan(14)
  expect([held(whole, 1), held(whole, 2)]).toEqual([[true], [true]])
  for (let dieAt = 1; dieAt <= statements; dieAt++) {
    const path = join(temporaryFolder(), 'tape.db')
    expect(write(path, dieAt).signal).toBe('SIGKILL')
    expect([dieAt, held(path, 1), held(path, 2)]).toEqual([dieAt, [true], [false]])
    // The same batch again, as after a restart: it is complete and nothing is duplicated.
    writeAgain(path)
    expect([dieAt, held(path, 2)]).toEqual([dieAt, [true]])
  }
  console.log(`HistoryStore: killed at ${statements} statement boundaries of a turn, 0 halves`)
})

/** Throws like SQLite on a full disk. */
function diskFull(): never {
  throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
}

test('a batch is written completely or, on a full disk, not at all until there is room', () => {
  const statements = countStatements()
  for (let fullAt = 1; fullAt <= statements; fullAt++) {
    const path = join(temporaryFolder(), 'tape.db')
    const deadly = new DeadlyDatabase(path, fullAt, diskFull)
    const store = new HistoryTables(deadly.database)
    store.commit([crashTurn(1)])
    deadly.isCounting = true
    expect(() => store.commit([crashTurn(2)])).toThrow('disk is full')
    expect([fullAt, held(path, 1), held(path, 2)]).toEqual([fullAt, [true], [false]])
    deadly.statements = 0
    // The batch that failed is written with the next one.
    deadly.isCounting = false
    store.commit([crashTurn(2), crashTurn(3)])
    expect([fullAt, held(path, 2), held(path, 3)]).toEqual([fullAt, [true], [true]])
    store.close()
  }
  console.log(`HistoryStore: full before ${statements} statements of a turn, 0 halves`)
  expect(statements).toBeGreaterThan(14)
})

function countStatements(): number {
  const deadly = new DeadlyDatabase(join(temporaryFolder(), 'tape.db'), 0)
  const store = new HistoryTables(deadly.database)
  store.commit([crashTurn(1)])
  deadly.isCounting = true
  store.commit([crashTurn(2)])
  store.close()
  return deadly.statements
}
