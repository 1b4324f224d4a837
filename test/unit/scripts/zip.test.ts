import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { extractZip, readZipDirectory } from '../../../scripts/setup/zip.js'

interface Member {
  name: string
  content?: string
  method?: number
  mode?: number
  flags?: number
  checksum?: number
}

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'indexwatch-zip-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function fields(length: number, values: [offset: number, bytes: 2 | 4, value: number][]): Buffer {
  const buffer = Buffer.alloc(length)
  for (const [offset, bytes, value] of values) buffer.writeUIntLE(value, offset, bytes)
  return buffer
}

/** Writes an archive from the format's description, independently of the reader. */
function zip(members: Member[], { comment = '', before = '', count = members.length } = {}): string {
  const parts = [Buffer.from(before)]
  const directory: Buffer[] = []
  let offset = before.length
  for (const { name, content = '', method = 8, mode = 0o100644, flags = 0, checksum = crc32(content) } of members) {
    const packed = method === 8 ? deflateRawSync(content) : Buffer.from(content)
    const local = fields(30, [
      [0, 4, 0x04034b50],
      [8, 2, method],
      [26, 2, name.length],
      [28, 2, 3],
    ])
    // The local header's extra field need not be as long as the directory's.
    const member = Buffer.concat([local, Buffer.from(name), Buffer.from('abc'), packed])
    directory.push(
      fields(46, [
        [0, 4, 0x02014b50],
        [8, 2, flags],
        [10, 2, method],
        [16, 4, checksum],
        [20, 4, packed.length],
        [24, 4, content.length],
        [28, 2, name.length],
        [40, 2, mode],
        [42, 4, offset],
      ]),
      Buffer.from(name),
    )
    parts.push(member)
    offset += member.length
  }
  const size = Buffer.concat(directory).length
  const end = fields(22, [
    [0, 4, 0x06054b50],
    [8, 2, count],
    [10, 2, count],
    [12, 4, size],
    [16, 4, offset],
    [20, 2, comment.length],
  ])
  const file = join(folder, 'archive.zip')
  writeFileSync(file, Buffer.concat([...parts, ...directory, end, Buffer.from(comment, 'latin1')]))
  return file
}

async function unpackAll(file: string) {
  await extractZip(file, join(folder, 'to'), (name) => name)
}

function unpacked(name: string): string {
  return readFileSync(join(folder, 'to', name), 'utf8')
}

test('unpacks deflated, stored and empty files with their permissions', async () => {
  const long = 'value '.repeat(200_000)
  const file = zip([
    { name: 'bin/', mode: 0o40755, method: 0 },
    { name: 'bin/run', content: long, mode: 0o100755 },
    { name: 'plain', content: 'as it is', method: 0 },
    { name: 'empty' },
    { name: 'empty-stored', method: 0 },
  ])
  await unpackAll(file)
  expect(unpacked('bin/run')).toBe(long)
  expect(statSync(join(folder, 'to', 'bin/run')).mode & 0o777).toBe(0o755)
  expect(unpacked('plain')).toBe('as it is')
  expect(statSync(join(folder, 'to', 'plain')).mode & 0o777).toBe(0o644)
  expect([unpacked('empty'), unpacked('empty-stored')]).toEqual(['', ''])
})

test('unpacks only what is wanted, under the wanted name, and tells the bytes written', async () => {
  const file = zip([
    { name: 'app/a', content: '12345' },
    { name: 'other/b', content: '678' },
  ])
  const progress: number[] = []
  await extractZip(
    file,
    join(folder, 'to'),
    (name) => (name.startsWith('app/') ? `renamed-${name.slice(4)}` : undefined),
    (bytes) => progress.push(bytes),
  )
  expect(unpacked('renamed-a')).toBe('12345')
  expect(() => unpacked('b')).toThrow()
  expect(progress).toEqual([5])
})

test('finds the directory behind a comment that looks like one', async () => {
  const file = zip([{ name: 'a', content: 'x' }], { comment: `PK\u0005\u0006${'z'.repeat(300)}` })
  expect((await readZipDirectory(file)).map(({ name }) => name)).toEqual(['a'])
})

test.for([
  ['an encrypted file', { name: 'a', flags: 1 }, 'encrypted'],
  ['an unknown method', { name: 'a', method: 12 }, 'unknown method (12)'],
  ['a symbolic link', { name: 'a', mode: 0o120777 }, 'symbolic link'],
  ['a path that climbs out', { name: 'x/../../a' }, 'outside itself'],
  ['an absolute path', { name: '/etc/a' }, 'outside itself'],
  ['a Windows path', { name: 'x\\a' }, 'outside itself'],
] satisfies [string, Member, string][])('refuses %s', async ([, member, message]) => {
  await expect(readZipDirectory(zip([{ name: 'a..b/c' }, member]))).rejects.toThrow(message)
  // The same archive without that member is fine.
  expect(await readZipDirectory(zip([{ name: 'a..b/c' }]))).toHaveLength(1)
})

test('refuses zip64, which says so by a full count', async () => {
  await expect(readZipDirectory(zip([{ name: 'a' }], { count: 0xffff }))).rejects.toThrow('zip64')
})

test('refuses a file that is not what its checksum was made of', async () => {
  await expect(unpackAll(zip([{ name: 'a', content: 'x', checksum: 1 }]))).rejects.toThrow('a is damaged')
  await unpackAll(zip([{ name: 'a', content: 'x' }]))
  expect(unpacked('a')).toBe('x')
})

test('refuses a file that is no archive, one cut short and one with a damaged directory', async () => {
  const file = zip([{ name: 'a', content: 'content' }])
  const whole = readFileSync(file)
  writeFileSync(file, whole.subarray(0, -5))
  await expect(readZipDirectory(file)).rejects.toThrow('not a zip archive')
  writeFileSync(file, 'no')
  await expect(readZipDirectory(file)).rejects.toThrow('not a zip archive')
  await expect(readZipDirectory(zip([{ name: 'a' }], { count: 2 }))).rejects.toThrow('damaged directory')
})
