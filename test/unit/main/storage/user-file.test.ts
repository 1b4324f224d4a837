import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SheetFull } from '../../../../main/base/workbook'
import { saveUserFile } from '../../../../main/storage/user-file'
import { UnfinishedFiles } from '../../../../main/storage/unfinished-files'
import { temporaryFolder } from '../../../support/temporary-folder'

const unfinished = () => new UnfinishedFiles(temporaryFolder())

async function* pieces(texts: readonly string[], fault?: Error) {
  for (const text of texts) yield Promise.resolve(text)
  if (fault !== undefined) throw fault
}

test('a text that comes in pieces is saved whole, to its last character', async () => {
  const path = join(temporaryFolder(), 'inbox.csv')
  const texts = Array.from({ length: 500 }, (_, at) => `${at};Größe\r\n`)
  expect(await saveUserFile(path, pieces(texts), unfinished())).toEqual({ ok: true, value: null })
  expect(readFileSync(path, 'utf8')).toBe(texts.join(''))
})

test.each([
  [
    new Error('The history is closed.'),
    'notSaved',
    'inbox.csv was not saved: The history is closed. Try again or choose another place.',
  ],
  [
    new SheetFull('a sheet is full'),
    'tooManyRows',
    'inbox.csv was not saved: a sheet is full. Choose CSV or Parquet, a shorter range or fewer rows.',
  ],
])('after the fault %s the file that is there stays, and nothing is left beside it', async (fault, code, message) => {
  const folder = temporaryFolder()
  const path = join(folder, 'inbox.csv')
  writeFileSync(path, 'before')
  expect(await saveUserFile(path, pieces(['one', 'two'], fault), unfinished())).toEqual({
    ok: false,
    problem: { code, message },
  })
  expect(readFileSync(path, 'utf8')).toBe('before')
  expect(readdirSync(folder)).toEqual(['inbox.csv'])
})

test('a file in a folder that does not exist is refused with that reason', async () => {
  const path = join(temporaryFolder(), 'gone', 'inbox.csv')
  const saved = await saveUserFile(path, pieces(['one']), unfinished())
  expect(saved).toMatchObject({
    problem: { message: 'inbox.csv was not saved: its folder does not exist. Choose another.' },
  })
})
