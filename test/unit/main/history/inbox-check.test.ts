import { join } from 'node:path'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { prepareSchema } from '../../../../main/tape/schema'
import { TapeFile } from '../../../../main/tape/tape-file'
import { temporaryFolder } from '../../../support/temporary-folder'

test('an inbox of before it was a chain is not called unbroken', () => {
  const path = join(temporaryFolder(), 'tape.db')
  const older = new Database(path)
  prepareSchema(older, () => undefined)
  older.exec('PRAGMA user_version = 2')
  older.close()
  const tape = new TapeFile(path)
  expect(() => tape.ask('eventChain', {})).toThrow('Start Indexwatch once.')
  tape.close()
})
