import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeAsar } from '../../../scripts/setup/asar.js'

interface Header {
  files: Record<string, { size: number; offset: string }>
}

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'indexwatch-asar-'))
  mkdirSync(join(folder, 'from'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function write(files: Record<string, string>): Buffer {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, 'from', name), content)
  const file = join(folder, 'to.asar')
  writeAsar(join(folder, 'from'), file)
  return readFileSync(file)
}

/** Reads an archive as Electron does: a word with the length 4, the header's length, then the header. */
function read(archive: Buffer): Record<string, string> {
  expect(archive.readUInt32LE(0)).toBe(4)
  const headerLength = archive.readUInt32LE(4)
  expect(archive.readUInt32LE(8)).toBe(headerLength - 4)
  const header = JSON.parse(archive.toString('utf8', 16, 16 + archive.readUInt32LE(12))) as Header
  const base = 8 + headerLength
  const entries = Object.entries(header.files).map(([name, { size, offset }]) => {
    const start = base + Number(offset)
    return [name, archive.toString('utf8', start, start + size)] as const
  })
  return Object.fromEntries(entries)
}

test('holds every file of the folder', () => {
  const files = { 'main.js': 'console.log("näher")\n', 'package.json': '{}', 'empty.txt': '' }
  expect(read(write(files))).toEqual(files)
})

// The header is padded to whole words, so each remainder is a case of its own.
test.for(['a', 'ab', 'abc', 'abcd'])('places the files right behind a header with the name %s', (name) => {
  const archive = write({ [name]: 'content' })
  expect(archive.readUInt32LE(4) % 4).toBe(0)
  expect(read(archive)).toEqual({ [name]: 'content' })
})
