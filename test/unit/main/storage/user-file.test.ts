import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { saveUserFile } from '../../../../main/storage/user-file'
import { UnfinishedFiles } from '../../../../main/storage/unfinished-files'
import { temporaryFolder } from '../../../support/temporary-folder'

const unfinished = () => new UnfinishedFiles(temporaryFolder())

async function* pieces(texts: readonly string[], fault?: string) {
  for (const text of texts) yield Promise.resolve(text)
  if (fault !== undefined) throw new Error(fault)
}

test('a text that comes in pieces is saved whole, to its last character', async () => {
  const path = join(temporaryFolder(), 'inbox.csv')
  const texts = Array.from({ length: 500 }, (_, at) => `${at};Größe\r\n`)
  expect(await saveUserFile(path, pieces(texts), unfinished())).toEqual({ ok: true, value: null })
  expect(readFileSync(path, 'utf8')).toBe(texts.join(''))
})

test('where a piece cannot be had, the file that is there stays, and nothing is left beside it', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'inbox.csv')
  writeFileSync(path, 'before')
  expect(await saveUserFile(path, pieces(['one', 'two'], 'The history is closed.'), unfinished())).toEqual({
    ok: false,
    problem: {
      code: 'notSaved',
      message: 'inbox.csv was not saved: The history is closed. Try again or choose another place.',
    },
  })
  expect(readFileSync(path, 'utf8')).toBe('before')
  expect(readdirSync(folder)).toEqual(['inbox.csv'])
})
