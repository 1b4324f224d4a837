import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '../../../../main/base/clock'
import { AtomicJsonFile } from '../../../../main/storage/atomic-file'
import { readSmallFile, saveProblem, writeFileAtomically } from '../../../../main/storage/disk'
import { eventually } from '../../../support/eventually'
import { FakeClock } from '../../../support/fake-clock'
import { temporaryFolder } from '../../../support/temporary-folder'

const good = { version: 1, values: ['79767.34'] }
const older = { version: 1, values: ['79767.33'] }
const clock = new FakeClock(Date.UTC(2023, 10, 1, 12, 34, 56))
let folder = ''

beforeEach(() => {
  folder = temporaryFolder()
})

const setAsideName = 'data.corrupt-20231101-123456.json'
/** A clock whose timers fire immediately. */
const hurried: Clock = Object.assign(new FakeClock(), {
  after: (_delayMs: number, run: () => void) => {
    run()
    return () => undefined
  },
})
const isUnix = process.platform !== 'win32'

function fileIn(folder: string, more: Partial<ConstructorParameters<typeof AtomicJsonFile>[0]> = {}): AtomicJsonFile {
  return new AtomicJsonFile({ path: join(folder, 'data.json'), clock, maxBytes: 4_096, keepsCopy: true, ...more })
}

async function written(folder: string, ...values: unknown[]): Promise<AtomicJsonFile> {
  const file = fileIn(folder)
  await file.read()
  for (const value of values) expect(await file.write(value)).toEqual({ ok: true, value: null })
  return file
}

describe('a good file', () => {
  test('is absent at first, then has the last written value', async () => {
    const file = fileIn(folder)
    expect(await file.read()).toEqual({ kind: 'absent' })
    await file.write(older)
    await file.write(good)
    expect(await file.read()).toEqual({ kind: 'ok', value: good })
    expect(file.name).toBe('data.json')
  })

  test('can be an array, start with a byte order mark and hold half a character', async () => {
    await written(folder, ['\ud800'])
    expect(await fileIn(folder).read()).toEqual({ kind: 'ok', value: ['\ud800'] })
    writeFileSync(join(folder, 'data.json'), `\ufeff${JSON.stringify(good)}`)
    expect(await fileIn(folder).read()).toEqual({ kind: 'ok', value: good })
  })

  test.runIf(isUnix)('and its copy are readable only by their owner', async () => {
    await written(folder, older, good)
    for (const name of ['data.json', 'data.json.bak']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  })

  test('is created with its folder', async () => {
    const folder = join(temporaryFolder(), 'deep', 'er')
    await written(folder, good)
    expect(await fileIn(folder).read()).toEqual({ kind: 'ok', value: good })
  })

  test('has only a copy beside it', async () => {
    await written(folder, older, good)
    expect(JSON.parse(readFileSync(join(folder, 'data.json.bak'), 'utf8'))).toEqual(good)
    expect(readdirSync(folder).toSorted()).toEqual(['data.json', 'data.json.bak'])
  })

  test('has no copy without `keepsCopy`', async () => {
    const file = fileIn(folder, { keepsCopy: false })
    await file.read()
    await file.write(older)
    await file.write(good)
    expect(readdirSync(folder)).toEqual(['data.json'])
  })

  test('has the last of many concurrent writes, and all are answered when it is on disk', async () => {
    const file = await written(folder)
    const outcomes = await Promise.all(Array.from({ length: 200 }, (_, count) => file.write({ count })))
    expect(outcomes.every((outcome) => outcome.ok)).toBe(true)
    expect(await fileIn(folder).read()).toEqual({ kind: 'ok', value: { count: 199 } })
  })

  test('has the value at the time of the write, not a later change', async () => {
    const file = await written(folder)
    const value = { count: 1 }
    const writing = file.write(value)
    value.count = 2
    await writing
    expect(await file.read()).toEqual({ kind: 'ok', value: { count: 1 } })
  })
})

const damages: [string, string | Buffer][] = [
  ['is empty', ''],
  ['is cut off', JSON.stringify(good).slice(0, -5)],
  ['is filled with NUL bytes', Buffer.alloc(64)],
  ['is UTF-16', Buffer.from(`\ufeff${JSON.stringify(good)}`, 'utf16le')],
  ['is UTF-16 without a mark', Buffer.from(JSON.stringify(good), 'utf16le')],
  ['has bytes that are no UTF-8', Buffer.from([...Buffer.from('{"a":"'), 0xff, ...Buffer.from('"}')])],
  ['is a number', '42'],
  ['is null', 'null'],
  ['is a text', '"x"'],
  ['nests a thousand deep', '['.repeat(1_000) + ']'.repeat(1_000)],
  ['is larger than any such file', `["${'x'.repeat(5_000)}"]`],
]

describe('a file that cannot be used', () => {
  test.each(damages)('because it %s is set aside and the copy answers', async (_, content) => {
    await written(folder, older, good)
    writeFileSync(join(folder, 'data.json'), content)
    const setAsidePath = join(folder, setAsideName)
    expect(await fileIn(folder).read()).toEqual({ kind: 'restored', value: good, setAsidePath })
    expect(readFileSync(setAsidePath)).toEqual(Buffer.from(content))
    expect(existsSync(join(folder, 'data.json'))).toBe(false)
  })

  test.each(damages)('because it %s and has no copy is set aside and lost', async (_, content) => {
    writeFileSync(join(folder, 'data.json'), content)
    expect(await fileIn(folder).read()).toEqual({ kind: 'lost', setAsidePath: join(folder, setAsideName) })
    expect(await fileIn(folder).read()).toEqual({ kind: 'absent' })
  })

  test('is set aside when its owner does not accept it', async () => {
    await written(folder, { version: 1 })
    writeFileSync(join(folder, 'data.json'), '{"version":"one"}')
    const accepts = (value: unknown) => typeof (value as { version: unknown }).version === 'number'
    const read = await fileIn(folder, { accepts }).read()
    expect(read).toMatchObject({ kind: 'restored', value: { version: 1 } })
  })

  test('set aside does not replace an earlier one of the same second', async () => {
    for (const content of ['one', 'two']) {
      writeFileSync(join(folder, 'data.json'), content)
      await fileIn(folder).read()
    }
    expect(readFileSync(join(folder, setAsideName), 'utf8')).toBe('one')
    expect(readFileSync(join(folder, setAsideName.replace('.json', '-2.json')), 'utf8')).toBe('two')
  })

  test('is lost when the copy is damaged too', async () => {
    await written(folder, older, good)
    for (const name of ['data.json', 'data.json.bak']) writeFileSync(join(folder, name), '{')
    expect(await fileIn(folder).read()).toMatchObject({ kind: 'lost' })
  })

  test('leaves the copy to answer until the next write, however often the app starts', async () => {
    await written(folder, older)
    writeFileSync(join(folder, 'data.json'), '{')
    expect(await fileIn(folder).read()).toMatchObject({ kind: 'restored', value: older })
    const file = fileIn(folder)
    expect(await file.read()).toEqual({ kind: 'ok', value: older })
    await file.write(good)
    expect(await fileIn(folder).read()).toEqual({ kind: 'ok', value: good })
  })
})

/** A path that fails with ELOOP until `mend` is called, and the real folder behind it. */
function brokenWay() {
  const base = temporaryFolder()
  const real = join(base, 'real')
  const way = join(base, 'way')
  mkdirSync(real)
  symlinkSync(way, way)
  const mend = () => {
    unlinkSync(way)
    symlinkSync(real, way)
  }
  return { real, way, mend }
}

describe.runIf(isUnix)('a file that the system does not give', () => {
  test('is tried again and answers once it is there', async () => {
    const { real, way, mend } = brokenWay()
    await written(real, older, good)
    const later = new FakeClock()
    const reading = fileIn(way, { clock: later }).read()
    await eventually(() => expect(later.pending).toBe(1))
    mend()
    later.advance(100)
    expect(await reading).toEqual({ kind: 'ok', value: good })
  })

  test('is left alone for this run, and so is its copy, though it may be read later', async () => {
    const { real, way, mend } = brokenWay()
    await written(real, older, good)
    const file = fileIn(way, { clock: hurried })
    expect(await file.read()).toEqual({ kind: 'unreadable', reason: expect.stringContaining('ELOOP') as string })
    mend()
    expect(await file.write({ version: 2 })).toMatchObject({ ok: false, problem: { code: 'unreadable' } })
    expect(readdirSync(real).toSorted()).toEqual(['data.json', 'data.json.bak'])
    expect(await fileIn(real).read()).toEqual({ kind: 'ok', value: good })
    // Control: the next run can write the file.
    const next = fileIn(way)
    await next.read()
    expect(await next.write({ version: 2 })).toEqual({ ok: true, value: null })
  })

  test('as the copy of a damaged one leaves that in its place', async () => {
    // The file's own name is just short enough for the system. That of its copy is too long.
    const path = join(folder, `${'x'.repeat(250)}.json`)
    writeFileSync(path, '{')
    const file = new AtomicJsonFile({ path, clock: hurried, maxBytes: 4_096, keepsCopy: true })
    expect(await file.read()).toMatchObject({ kind: 'unreadable' })
    expect(readFileSync(path, 'utf8')).toBe('{')
  })
})

describe('something that is no file', () => {
  test.runIf(isUnix)('such as a pipe does not block the start', async () => {
    await written(folder, older, good)
    execFileSync('rm', [join(folder, 'data.json')])
    execFileSync('mkfifo', [join(folder, 'data.json')])
    expect(await fileIn(folder).read()).toMatchObject({ kind: 'restored', value: good })
    expect(statSync(join(folder, setAsideName)).isFIFO()).toBe(true)
  })

  test('such as a folder is set aside with all it holds', async () => {
    mkdirSync(join(folder, 'data.json', 'inner'), { recursive: true })
    const file = fileIn(folder)
    expect(await file.read()).toMatchObject({ kind: 'lost' })
    expect(existsSync(join(folder, setAsideName, 'inner'))).toBe(true)
    expect(await file.write(good)).toEqual({ ok: true, value: null })
  })

  test.runIf(isUnix)('such as a link is set aside itself, not what it points at', async () => {
    writeFileSync(join(folder, 'other.json'), JSON.stringify(good))
    symlinkSync(join(folder, 'other.json'), join(folder, 'data.json'))
    expect(await fileIn(folder).read()).toMatchObject({ kind: 'lost' })
    expect(existsSync(join(folder, 'other.json'))).toBe(true)
  })

  test.runIf(isUnix)('such as an endless device is not read', async () => {
    expect(await readSmallFile('/dev/zero', 4_096)).toBeUndefined()
  })
})

describe('leftovers', () => {
  test('of killed writers are removed at the start; everything else stays', async () => {
    await written(folder, older, good)
    const leftovers = ['data.json.0123456789ab.tmp', 'data.json.bak.0123456789ab.tmp', 'data.json.tmp-1234567890abcdef']
    const others = ['data.json.tmp', 'data.json.notes.tmp', 'other.json.0123456789ab.tmp']
    for (const name of [...leftovers, ...others]) writeFileSync(join(folder, name), 'x')
    await fileIn(folder).read()
    expect(readdirSync(folder).toSorted()).toEqual(['data.json', 'data.json.bak', ...others].toSorted())
  })
})

describe('a write that fails', () => {
  test('says why, keeps the file and leaves nothing behind', async () => {
    writeFileSync(join(folder, 'plain'), 'x')
    const outcome = await writeFileAtomically(join(folder, 'plain', 'data.json'), 'new')
    expect(outcome).toMatchObject({ ok: false, problem: { code: 'notSaved' } })
    mkdirSync(join(folder, 'data.json'))
    expect(await writeFileAtomically(join(folder, 'data.json'), 'new')).toMatchObject({ ok: false })
    expect(readdirSync(folder).toSorted()).toEqual(['data.json', 'plain'])
  })

  test.each([
    ['ENOSPC', 'diskFull', /^Disk full: changes not saved\. Free/],
    ['EDQUOT', 'diskFull', /^Disk full/],
    ['EROFS', 'readOnly', /read-only: changes not saved\. Make/],
    ['EACCES', 'noPermission', /^No permission .* changes not saved\. Check/],
    ['EPERM', 'noPermission', /^No permission/],
    ['EIO', 'notSaved', /^Changes not saved: input\/output error/],
  ])('with %s says so in plain words', (code, problemCode, words) => {
    const problem = saveProblem(Object.assign(new Error('input/output error'), { code }))
    expect(problem.code).toBe(problemCode)
    expect(problem.message).toMatch(words)
  })
})
