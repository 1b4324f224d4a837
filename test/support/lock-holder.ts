import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { join } from 'node:path'

const program = `
  const Database = require('libsql')
  const database = new Database(process.argv[1])
  database.exec('BEGIN EXCLUSIVE')
  process.stdout.write('locked\\n')
  process.stdin.on('end', () => process.exit())
  process.stdin.resume()`

/** Lets another process lock a database, as a backup or file sync may. Returns a function that releases it. */
export async function lockDatabase(path: string): Promise<() => Promise<void>> {
  // The database library is found in the checkout.
  const cwd = join(import.meta.dirname, '..', '..')
  const holder = spawn(process.execPath, ['-e', program, path], { cwd, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(holder, 'exit')
  const [line] = (await Promise.race([once(createInterface(holder.stdout), 'line'), ended])) as unknown[]
  if (line !== 'locked') throw new Error('the database could not be locked')
  return async () => {
    holder.stdin.end()
    await ended
  }
}
