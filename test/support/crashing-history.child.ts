/**
 * The history store over a real file, in a process that kills itself before a given statement. Prints what was
 * committed before, so that the test knows what must be there.
 */
import { writeSync } from 'node:fs'
import { HistoryTables } from '../../main/history-store/tables'
import { crashTurn } from './crash-turn'
import { DeadlyDatabase } from './deadly-database'

const [path = '', dieAt = '0'] = process.argv.slice(2)
const deadly = new DeadlyDatabase(path, Number(dieAt))
const store = new HistoryTables(deadly.database)
store.commit([crashTurn(1)])
deadly.isCounting = true
store.commit([crashTurn(2)])
writeSync(1, `${deadly.statements}`)
