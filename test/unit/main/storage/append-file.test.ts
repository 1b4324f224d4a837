import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { JsonLinesFile } from '../../../../main/storage/append-file'
import { FakeClock } from '../../../support/fake-clock'
import { smallDisk } from '../../../support/small-disk'
import { temporaryFolder } from '../../../support/temporary-folder'

function fileIn(folder: string, maxBytes = 2 ** 20) {
  const path = join(folder, 'log.jsonl')
  const accepts = (entry: unknown) => typeof entry === 'object' && entry !== null && 'at' in entry
  return { path, file: new JsonLinesFile({ path, clock: new FakeClock(), maxBytes, accepts }) }
}

const entriesOf = async (file: JsonLinesFile) => {
  const read = await file.read()
  if (!read.ok) throw new Error(read.problem.message)
  return read.value
}

test('a file that is absent is empty, and is made by what is appended, for its owner alone', async () => {
  const { file, path } = fileIn(join(temporaryFolder(), 'new'))
  expect(await entriesOf(file)).toEqual({ entries: [] })
  expect(existsSync(path)).toBe(false)
  expect(await file.append([{ at: 1 }, { at: 2, note: 'two\nlines' }])).toEqual({ ok: true, value: null })
  expect(await file.append([{ at: 3 }])).toEqual({ ok: true, value: null })
  expect(await entriesOf(file)).toEqual({ entries: [{ at: 1 }, { at: 2, note: 'two\nlines' }, { at: 3 }] })
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('half a last line is passed over and cut off, so that what follows is whole', async () => {
  const { file, path } = fileIn(temporaryFolder())
  writeFileSync(path, '{"at":1}\n{"at":2,"no')
  expect(await entriesOf(file)).toEqual({ entries: [{ at: 1 }] })
  expect(readFileSync(path, 'utf8')).toBe('{"at":1}\n')
  await file.append([{ at: 3 }])
  expect(await entriesOf(file)).toEqual({ entries: [{ at: 1 }, { at: 3 }] })
})

test('a whole last line without its end, as an editor may leave it, is no half one', async () => {
  const { file, path } = fileIn(temporaryFolder())
  writeFileSync(path, '\ufeff{"at":1}\r\n{"at":2}')
  expect(await entriesOf(file)).toEqual({ entries: [{ at: 1 }, { at: 2 }] })
  await file.append([{ at: 3 }])
  expect(await entriesOf(file)).toEqual({ entries: [{ at: 1 }, { at: 2 }, { at: 3 }] })
})

test.each([
  ['nothing but NUL', '\0'.repeat(500)],
  ['NUL at its end', `{"at":1}\n${'\0'.repeat(500)}`],
  ['another encoding', Buffer.from('{"at":1}\n{"at":2}\n', 'utf16le')],
])('a file with %s is kept aside before anything of it goes', async (_, content) => {
  const { file, path } = fileIn(temporaryFolder())
  writeFileSync(path, content)
  const { entries, setAsidePath } = await entriesOf(file)
  expect(entries).toEqual(String(content).startsWith('{"at":1}\n') ? [{ at: 1 }] : [])
  expect(readFileSync(setAsidePath ?? '')).toEqual(Buffer.from(content))
  expect(await file.append([{ at: 9 }])).toEqual({ ok: true, value: null })
  expect(await entriesOf(file)).toEqual({ entries: [...entries, { at: 9 }] })
})

test('a pipe in its place is not waited for', async () => {
  const { file, path } = fileIn(temporaryFolder())
  execFileSync('mkfifo', [path])
  expect(await file.append([{ at: 1 }])).toMatchObject({ ok: false, problem: { code: 'notSaved' } })
})

describe('damage in the middle', () => {
  test.each([
    ['no JSON', 'at 2'],
    ['no such entry', '{"time":2}'],
    ['nested without end', '['.repeat(100_000)],
    ['no text', '\u0000\ufffd'],
  ])('that is %s is kept aside with the whole file, and the rest goes on', async (_, line) => {
    const folder = temporaryFolder()
    const { file, path } = fileIn(folder)
    const before = `{"at":1}\n${line}\n{"at":3}\n`
    writeFileSync(path, before)
    const { entries, setAsidePath } = await entriesOf(file)
    expect(entries).toEqual([{ at: 1 }, { at: 3 }])
    expect(setAsidePath).toBe(join(folder, 'log.corrupt-20231101-120000.jsonl'))
    expect(readFileSync(setAsidePath ?? '', 'utf8')).toBe(before)
    expect(readFileSync(path, 'utf8')).toBe('{"at":1}\n{"at":3}\n')
    expect(await entriesOf(file)).toEqual({ entries })
  })

  test('found twice in a second takes the place of no copy', async () => {
    const folder = temporaryFolder()
    const { file, path } = fileIn(folder)
    for (const line of ['first', 'second']) {
      writeFileSync(path, `${line}\n`)
      await file.read()
    }
    const copies = readdirSync(folder).filter((name) => name.includes('corrupt'))
    expect(copies.toSorted()).toEqual(['log.corrupt-20231101-120000-2.jsonl', 'log.corrupt-20231101-120000.jsonl'])
  })
})

test('of a very long file the newest whole lines are read, and the older ones stay in it', async () => {
  const { file, path } = fileIn(temporaryFolder(), 100)
  const lines = Array.from({ length: 50 }, (_, at) => ({ at: 100 + at }))
  await file.append(lines)
  const { entries } = await entriesOf(file)
  expect(entries).toEqual(lines.slice(-entries.length))
  expect(entries.length).toBeGreaterThan(5)
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(51)
})

test('something else in its place is a problem and is left alone', async () => {
  const { file, path } = fileIn(temporaryFolder())
  mkdirSync(path)
  expect(await file.read()).toMatchObject({ ok: false, problem: { code: 'unreadable' } })
  expect(await file.append([{ at: 1 }])).toMatchObject({ ok: false })
})

test('on a full disk nothing of what did not fit is left, and all is appended when there is room', async () => {
  const disk = smallDisk()
  const { file, path } = fileIn(disk.folder)
  await file.append([{ at: 1 }])
  disk.fill(4_096)
  const long = { at: 2, text: 'x'.repeat(20_000) }
  expect(await file.append([long])).toMatchObject({ ok: false, problem: { code: 'diskFull' } })
  expect(readFileSync(path, 'utf8')).toBe('{"at":1}\n')
  disk.free()
  expect(await file.append([long])).toEqual({ ok: true, value: null })
  expect(await entriesOf(file)).toEqual({ entries: [{ at: 1 }, long] })
})

test('a file that another program has written to goes on after what stands in it', async () => {
  const { file, path } = fileIn(temporaryFolder())
  await file.append([{ at: 1 }])
  appendFileSync(path, '{"at":2}\n')
  await file.append([{ at: 3 }])
  expect(await entriesOf(file)).toEqual({ entries: [{ at: 1 }, { at: 2 }, { at: 3 }] })
})
