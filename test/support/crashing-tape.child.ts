/**
 * The store of the tape over a real file, in a process that kills itself before a numbered statement. Says what was
 * committed before that, so that the test knows what must be there.
 */
import { writeSync } from 'node:fs'
import Database from 'libsql'
import { prepareSchema, useJournal, type TapeDatabase } from '../../main/tape/schema'
import { TapeStore } from '../../main/tape/store'
import { crashTurn } from './crash-turn'

const [path = '', dieAt = '0'] = process.argv.slice(2)
let statements = 0
let isCounting = false

function count(): void {
  if (!isCounting) return
  statements++
  if (statements === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
}

const database = new Database(path)
const counted: TapeDatabase = {
  exec: (sql) => {
    count()
    return database.exec(sql)
  },
  prepare: (sql: string) => {
    const statement = database.prepare(sql)
    const run = statement.run.bind(statement)
    statement.run = (...cells: unknown[]) => {
      count()
      return run(...cells)
    }
    return statement
  },
  close: () => database.close(),
} as TapeDatabase
useJournal(database)
prepareSchema(database, () => undefined)
const store = new TapeStore(counted)
store.commit([crashTurn(1)])
isCounting = true
store.commit([crashTurn(2)])
isCounting = false
writeSync(1, `${statements}`)
