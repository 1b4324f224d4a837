import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { defaultBounds, type TapeValue, type ValueCursor } from '../../../../main/tape/contract'
import { eventually } from '../../../support/eventually'
import { FakeClock } from '../../../support/fake-clock'
import { lockDatabase } from '../../../support/lock-holder'
import { above, openAlerts, startMs } from '../../../support/open-alerts'
import { openTape } from '../../../support/open-tape'
import { startTapeThread, tapeStartMs, tapeValue } from '../../../support/tape-thread'
import { canMount, smallDisk } from '../../../support/small-disk'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'
import { temporaryFolder } from '../../../support/temporary-folder'

/** A tape that was closed in order, of so many values. */
async function writtenTape(count: number) {
  const opened = await openTape()
  const values = Array.from({ length: count }, (_, at) => tapeValue(at, `${68_000 + at}.10`))
  await opened.tape.commit({ values, rules: [{ id: 'r1', position: 1, document: '{}' }] })
  await opened.tape.close()
  return opened
}

/** Makes a tape one of the first version, which did not know what an event is about, nor had a chain of them. */
function makeVersion1(path: string): void {
  const older = new Database(path)
  older.exec(`
    DROP INDEX event_about; ALTER TABLE event DROP COLUMN about;
    PRAGMA user_version = 1`)
  older.close()
}

function flipByte(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] ?? 0) ^ 0xff
  writeFileSync(path, bytes)
}

const patience = { timeout: 30_000, interval: 100 }

/** Lets a clock pass, step by step, until something has happened. */
async function until(happened: Promise<unknown>, step: () => void): Promise<void> {
  let isOver = false
  void happened.then(() => {
    isOver = true
  })
  await vi.waitFor(() => {
    step()
    expect(isOver).toBe(true)
  }, patience)
}

const asideIn = (folder: string) => readdirSync(folder).filter((name) => /^tape\.damaged-[\d-]+\.db$/.test(name))

describe('the door', () => {
  test('answers after everything appended or committed before, and again after a restart', async () => {
    const { tape, texts, folder } = await openTape()
    tape.append([tapeValue(0, '1')])
    expect(await texts()).toEqual(['1'])
    tape.append([tapeValue(1, '2')])
    const committed = tape.commit({ values: [tapeValue(2, '3')] })
    tape.append([tapeValue(3, '4')])
    expect(await texts()).toEqual(['1', '2', '3', '4'])
    // One transaction took them all.
    expect(await committed).toEqual({ ok: true, value: [{ id: 'BRTI', count: 3, fromMs: tapeStartMs + 1_000 }] })
    tape.append([tapeValue(4, '5')])
    await tape.close()
    expect(readdirSync(folder)).not.toContain('tape.db-wal')
    const next = await openTape({ folder })
    expect(await next.texts()).toEqual(['1', '2', '3', '4', '5'])
    expect(next.notices).toEqual([])
  })

  test('a stretch of which values were dropped does not count as answered', async () => {
    const { tape, ask } = await openTape()
    const spans = ['BRTI', 'BRR'].map((id) => {
      const span = { id, fromMs: tapeStartMs, toMs: tapeStartMs + 60_000_000, askedAtMs: tapeStartMs }
      return { ...span, state: 'answered' as const }
    })
    tape.append(Array.from({ length: 50_100 }, (_, at) => tapeValue(at, '1')))
    await tape.commit({ spans, values: [tapeValue(10, '1', { id: 'BRR' })] })
    const states = async (id: string) => {
      const holes = await ask('holes', { id, fromMs: tapeStartMs, toMs: tapeStartMs + 9_000, maxGapMs: 2_000 })
      return holes.map(({ state }) => state)
    }
    expect([await states('BRTI'), await states('BRR')]).toEqual([['unasked'], ['answered']])
  })

  test('reads a long range page by page, exactly', async () => {
    const { tape, ask } = await openTape()
    const values = Array.from({ length: 12_000 }, (_, at) => tapeValue(at, `${at}.${'0'.repeat(at % 5)}1`))
    await tape.commit({ values })
    const read: TapeValue[] = []
    let page = await ask('values', { id: 'BRTI', revisions: 'all', fromMs: 0, toMs: Number.MAX_SAFE_INTEGER })
    read.push(...page.values)
    while (page.next !== undefined) {
      const after = page.next
      page = await ask('values', { id: 'BRTI', revisions: 'all', fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, after })
      read.push(...page.values)
    }
    expect(read).toEqual(values)
  })

  test('keeps the two kinds of service apart', async () => {
    const { tape, texts, folder } = await openTape()
    await tape.commit({ values: [tapeValue(0, '1')] })
    await tape.use('demo')
    expect(await texts()).toEqual([])
    await tape.use('real')
    expect(await texts()).toEqual(['1'])
    expect(readdirSync(folder)).toContain('tape-demo.db')
  })

  test('says that it is not open, before and after', async () => {
    const { tape } = await openTape()
    await tape.close()
    expect(await tape.ask('latest', null)).toMatchObject({ ok: false, problem: { code: 'notReady' } })
    expect(await tape.commit({})).toMatchObject({ ok: false, problem: { code: 'notReady' } })
  })
})

describe('a tape', () => {
  test('of version 1 learns which events were retracted and puts all into the chain, and has a backup of before', async () => {
    const { folder, path } = await writtenTape(1)
    const retracted = firedEvent(2, levelDraft(), { kind: 'retracted', aboutEventId: 'e1' })
    const older = new Database(path)
    const insert = older.prepare(
      `INSERT INTO event (id, number, kind, rule, index_id, is_read, words, document) VALUES (?, ?, ?, 'r1', 'BRTI', 0, '', ?)`,
    )
    insert.run(['e1', 1, 'fired', JSON.stringify(firedEvent(1, levelDraft()))])
    insert.run(['e2', 2, 'retracted', JSON.stringify(retracted)])
    insert.run(['e3', 3, 'retracted', '{ damaged'])
    older.close()
    makeVersion1(path)
    const { ask, texts, notices } = await openTape({ folder })
    const { events, retractions } = await ask('events', {})
    expect(events.map(({ id }) => id)).toEqual(['e2', 'e1'])
    expect(retractions).toEqual([{ ...retracted, isRead: false }])
    expect([await texts(), notices]).toEqual([['68000.10'], []])
    expect(readdirSync(folder)).toContain('tape-backup.db')
  })

  test('of a newer version is read, left unchanged, and reported', async () => {
    const { folder, path } = await writtenTape(3)
    const newer = new Database(path)
    newer.exec('PRAGMA user_version = 99')
    newer.close()
    const before = readFileSync(path)
    const { tape, texts, notices } = await openTape({ folder })
    expect(await texts()).toEqual(['68000.10', '68001.10', '68002.10'])
    expect(await tape.commit({ values: [tapeValue(9, '1')] })).toMatchObject({
      ok: false,
      problem: { code: 'newerVersion' },
    })
    expect(tape.trouble).toMatchObject({ isOpen: true, problem: { code: 'newerVersion' } })
    expect(notices).toEqual([])
    await tape.close()
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test.each([
    ['cut off', (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ['that is something else', (path: string) => writeFileSync(path, 'no database\n'.repeat(1_000))],
  ])('%s is set aside, and the backup takes its place', async (_, spoil) => {
    const { folder, path } = await writtenTape(5_000)
    copyFileSync(path, join(folder, 'tape-backup.db'))
    spoil(path)
    // As after a run that did not end in order.
    writeFileSync(`${path}-wal`, Buffer.alloc(40))
    const { tape, texts, notices } = await openTape({ folder })
    expect(await texts()).toHaveLength(5_000)
    expect(notices).toEqual([expect.stringMatching(/backup of \d{4}.*in use/)])
    expect(asideIn(folder)).toHaveLength(1)
    expect(await tape.commit({ values: [tapeValue(9_000, '1')] })).toMatchObject({ ok: true })
  })

  test.each([
    ['closed in order', false],
    ['not closed in order', true],
  ])('in a file of 64 GiB, %s, is opened as any other, and goes on', async (_, isUnclean) => {
    const { folder, path } = await writtenTape(1_000)
    // Sparse: the disk holds what was written, as after a copy that went wrong.
    truncateSync(path, 64 * 2 ** 30)
    if (isUnclean) writeFileSync(`${path}-wal`, Buffer.alloc(40))
    const { tape, ask, texts, notices } = await openTape({ folder })
    expect(await texts()).toHaveLength(1_000)
    expect(await tape.commit({ values: [tapeValue(5_000, '1')] })).toMatchObject({ ok: true })
    expect(await texts()).toHaveLength(1_001)
    expect((await ask('size', null)).bytes).toBeLessThan(2 ** 20)
    expect(notices).toEqual([])
  })

  test('of 64 GiB of nothing is set aside without being read or copied, and a new one begun', async () => {
    const { folder, path } = await writtenTape(1)
    writeFileSync(path, '')
    truncateSync(path, 64 * 2 ** 30)
    const { texts, notices } = await openTape({ folder })
    expect(await texts()).toEqual([])
    expect(notices).toEqual([expect.stringContaining('began a new history')])
    expect(asideIn(folder)).toHaveLength(1)
  })

  test('with a flipped byte in its middle is found out after an unclean end', async () => {
    const { folder, path } = await writtenTape(20_000)
    copyFileSync(path, join(folder, 'tape-backup.db'))
    // The head of a page: its kind.
    flipByte(path, 4_096 * Math.floor(statSync(path).size / 4_096 / 2))
    writeFileSync(`${path}-wal`, Buffer.alloc(40))
    const { texts, notices } = await openTape({ folder })
    expect(await texts()).toHaveLength(5_000)
    expect(notices).toHaveLength(1)
    expect(asideIn(folder)).toHaveLength(1)
  })

  test('that turns out to be damaged while it is read is set aside, and the question is answered', async () => {
    const { folder, path } = await writtenTape(20_000)
    copyFileSync(path, join(folder, 'tape-backup.db'))
    flipByte(path, 4_096 * Math.floor(statSync(path).size / 4_096 / 2))
    const { ask, notices, texts } = await openTape({ folder })
    const count = async () => {
      let found = 0
      let after: ValueCursor | undefined
      do {
        const range = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, ...(after !== undefined && { after }) }
        const page = await ask('values', { id: 'BRTI', revisions: 'all', ...range })
        found += page.values.length
        after = page.next
      } while (after !== undefined)
      return found
    }
    expect(await count()).toBe(20_000)
    expect(notices).toHaveLength(1)
    expect(await texts()).toHaveLength(5_000)
  })

  test('beyond repair without a backup begins again, with one message', async () => {
    const { folder, path } = await writtenTape(10)
    writeFileSync(path, 'nothing')
    const { tape, texts, notices, lost } = await openTape({ folder })
    expect(await texts()).toEqual([])
    expect([notices, lost]).toEqual([[expect.stringContaining('began a new history')], 1])
    await tape.commit({ values: [tapeValue(0, '1')] })
    await tape.close()
    expect((await openTape({ folder })).notices).toEqual([])
  })

  test('whose backup is damaged too begins again, and both are kept', async () => {
    const { folder, path } = await writtenTape(10)
    writeFileSync(path, 'nothing')
    writeFileSync(join(folder, 'tape-backup.db'), 'nothing either')
    const { texts } = await openTape({ folder })
    expect(await texts()).toEqual([])
    expect(asideIn(folder)).toHaveLength(2)
  })

  test('is not opened twice', async () => {
    const first = await openTape()
    await first.tape.commit({ values: [tapeValue(0, '1')] })
    const second = await openTape({ folder: first.folder })
    expect(second.tape.trouble).toMatchObject({
      isOpen: false,
      problem: {
        code: 'inUse',
        message: expect.stringContaining('Another process uses it. End that process, then try again.') as string,
      },
    })
    expect(await second.tape.ask('latest', null)).toMatchObject({ ok: false, problem: { code: 'inUse' } })
    expect(await second.tape.commit({ values: [tapeValue(1, '2')] })).toMatchObject({ ok: false })
    await first.tape.commit({ values: [tapeValue(2, '3')] })
    expect(await first.texts()).toEqual(['1', '3'])
  })
})

describe('a tape that cannot be opened at the start', () => {
  test('because another program has it is opened when it lets go, with what came in meanwhile', async () => {
    const { folder, path } = await writtenTape(1)
    const letGo = await lockDatabase(`${path}-lock`)
    const clock = new FakeClock()
    const { tape, texts } = await openTape({ folder, clock })
    expect(tape.trouble).toMatchObject({ isOpen: false, problem: { code: 'inUse' } })
    tape.append([tapeValue(1, '2')])
    expect(await tape.commit({ values: [tapeValue(2, '3')] })).toMatchObject({ problem: { code: 'inUse' } })
    // For as long as it takes: an hour, and each attempt is refused.
    for (let minute = 0; minute < 60; minute++) {
      clock.advance(60_000)
      expect(tape.trouble).toMatchObject({ problem: { code: 'inUse' } })
    }
    await letGo()
    const opened = new Promise((resolve) => {
      tape.events.on('troubleChanged', () => {
        if (tape.trouble === undefined) resolve(null)
      })
    })
    await until(opened, () => clock.advance(15_000))
    expect(await texts()).toEqual(['68000.10', '2', '3'])
  })

  test('because the disk it is on is not there yet is opened when it is', async () => {
    const { folder, path } = await writtenTape(1)
    const disk = temporaryFolder()
    const place = join(disk, 'mounted')
    mkdirSync(place)
    renameSync(path, join(place, 'tape.db'))
    symlinkSync(join(place, 'tape.db'), path)
    renameSync(place, join(disk, 'away'))
    const { tape, texts } = await openTape({ folder })
    expect(tape.trouble).toMatchObject({ isOpen: false, problem: { code: 'missing' } })
    renameSync(join(disk, 'away'), place)
    await vi.waitFor(async () => {
      expect(await texts()).toEqual(['68000.10'])
    }, patience)
    expect(tape.trouble).toBeUndefined()
  })

  test('because it is gone is restored from its backup, or else lost, which is said', async () => {
    const { folder, path } = await writtenTape(1)
    copyFileSync(path, join(folder, 'tape-backup.db'))
    rmSync(path)
    const restored = await openTape({ folder })
    expect(await restored.texts()).toEqual(['68000.10'])
    expect(restored.notices).toEqual([expect.stringMatching(/tape\.db was missing\. Its backup/)])
    expect(restored.lost).toBe(0)
    await restored.tape.close()
    rmSync(path)
    const begun = await openTape({ folder })
    expect(await begun.texts()).toEqual([])
    expect(begun.notices).toEqual([expect.stringMatching(/tape\.db was missing\. There was no good backup\./)])
    expect(begun.lost).toBe(1)
  })
})

test.skipIf(!canMount)(
  'a tape that could only be read is written to once it can be, with what came in meanwhile',
  async () => {
    const disk = smallDisk()
    const first = await openTape({ folder: disk.folder })
    await first.tape.commit({ values: [tapeValue(0, '1')] })
    await first.tape.close()
    execFileSync('mount', ['-o', 'remount,ro', disk.folder])
    const { tape, texts } = await openTape({ folder: disk.folder })
    expect(tape.trouble).toMatchObject({ isOpen: true, problem: { code: 'readOnly' } })
    tape.append([tapeValue(1, '2')])
    execFileSync('mount', ['-o', 'remount,rw', disk.folder])
    await vi.waitFor(() => expect(tape.trouble).toBeUndefined(), patience)
    expect(await texts()).toEqual(['1', '2'])
  },
)

describe('the backup', () =>
  test('is a whole tape, made beside the running one', async () => {
    const { tape, folder, path } = await openTape()
    const backupPath = join(folder, 'tape-backup.db')
    await tape.commit({ values: Array.from({ length: 3_000 }, (_, at) => tapeValue(at, `${at}`)) })
    const thread = startTapeThread({ task: 'backup', path, backupPath, bounds: defaultBounds })
    const ended = new Promise((resolve) => thread.once('exit', resolve))
    await tape.commit({ values: [tapeValue(9_000, '1')] })
    expect(await ended).toBe(0)
    const copy = new Database(backupPath)
    expect(copy.prepare('PRAGMA integrity_check').raw().get()).toEqual(['ok'])
    const [count] = copy.prepare('SELECT count(*) FROM value').raw().get() as [number]
    expect(count).toBeGreaterThanOrEqual(3_000)
    copy.close()
    expect(existsSync(`${backupPath}.part`)).toBe(false)
  }))

describe('a thread that dies', () =>
  test('is started again, and what it had not answered is asked again: nothing is lost, nothing doubled', async () => {
    const { tape, texts, ask, threads, notices } = await openTape()
    await tape.commit({ values: [tapeValue(0, '1')] })
    for (let round = 1; round <= 3; round++) {
      const answers = Array.from({ length: 5 }, (_, at) => {
        const event = firedEvent(round * 10 + at, levelDraft())
        return tape.commit({ values: [tapeValue(round * 10 + at, `${round}.${at}`)], events: [event] })
      })
      const asked = tape.ask('eventCounts', null)
      void threads.at(-1)?.worker.terminate()
      for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ ok: true })
      expect(await asked).toMatchObject({ ok: true })
    }
    expect(await texts()).toHaveLength(16)
    expect((await ask('eventCounts', null)).total).toBe(15)
    expect(threads.length).toBeGreaterThan(3)
    expect(notices).toEqual([])
  }))

describe.skipIf(!canMount)('a full disk', () => {
  test('stops recording with one message, loses no alert, and goes on when there is room', async () => {
    const disk = smallDisk()
    const { tape, texts, ask, notices } = await openTape({ folder: disk.folder })
    await tape.commit({ values: [tapeValue(0, '1')], events: [firedEvent(1, levelDraft())] })
    disk.fill(0)
    const filling = Array.from({ length: 2_000 }, (_, at) => tapeValue(100 + at, `${at}`))
    const failed = [
      await tape.commit({ values: filling, events: [firedEvent(2, levelDraft())] }),
      await tape.commit({ events: [firedEvent(3, levelDraft())], rules: [{ id: 'r1', position: 1, document: '{}' }] }),
    ]
    expect(failed).toMatchObject([
      { ok: false, problem: { code: 'diskFull' } },
      { ok: false, problem: { code: 'diskFull' } },
    ])
    // What was there can be read as before.
    expect(await texts()).toEqual(['1'])
    tape.append([tapeValue(1, '2')])
    expect(notices).toEqual([expect.stringContaining('Disk full')])
    disk.free()
    await vi.waitFor(() => expect(notices).toHaveLength(2), patience)
    expect(await texts()).toHaveLength(2_002)
    expect((await ask('eventCounts', null)).total).toBe(3)
    expect((await ask('alertStart', null)).rules).toHaveLength(1)
  })

  test('says which rules and events wait to be written, until they are', async () => {
    const disk = smallDisk()
    const { tape, ask } = await openTape({ folder: disk.folder })
    await tape.commit({ rules: [{ id: 'kept', position: 1, document: '{}' }] })
    disk.fill(0)
    const filling = Array.from({ length: 2_000 }, (_, at) => tapeValue(100 + at, `${at}`))
    expect(await tape.commit({ values: filling })).toMatchObject({ ok: false })
    expect(tape.unwritten).toBeUndefined()
    const event = firedEvent(1, levelDraft())
    await tape.commit({ events: [event], rules: [{ id: 'new', position: 2, document: '{}' }], removedRules: ['kept'] })
    expect(tape.unwritten).toMatchObject({
      problem: { code: 'diskFull' },
      rules: new Set(['new', 'kept']),
      events: new Set([event.id]),
    })
    const written = new Promise<void>((resolve) => {
      tape.events.on('unwrittenChanged', () => {
        if (tape.unwritten === undefined) resolve()
      })
    })
    disk.free()
    await written
    expect((await ask('alertStart', null)).rules).toMatchObject([{ id: 'new' }])
  })

  test('at the start is said, and recording begins by itself', async () => {
    const disk = smallDisk()
    disk.fill(0)
    const { tape, texts } = await openTape({ folder: disk.folder })
    expect(tape.trouble).toMatchObject({ isOpen: false, problem: { code: 'diskFull' } })
    expect(await tape.commit({ values: [tapeValue(0, '1')] })).toMatchObject({ ok: false })
    disk.free()
    await vi.waitFor(async () => {
      expect(await texts()).toEqual(['1'])
    }, patience)
  })
})

test.skipIf(!canMount)(
  'a history on a disk that is full at the start is opened when there is room, with all it had',
  async () => {
    const disk = smallDisk()
    const first = await openTape({ folder: disk.folder })
    await first.tape.commit({ values: [tapeValue(0, '1')] })
    await first.tape.close()
    disk.fill(0)
    const { tape, texts } = await openTape({ folder: disk.folder })
    expect(tape.trouble).toMatchObject({ isOpen: false, problem: { code: 'diskFull' } })
    tape.append([tapeValue(1, '2')])
    disk.free()
    await vi.waitFor(() => expect(tape.trouble).toBeUndefined(), patience)
    expect(await texts()).toEqual(['1', '2'])
  },
)

test.skipIf(!canMount)('a tape on a disk that cannot be written to is read, and reported', async () => {
  const disk = smallDisk()
  const first = await openTape({ folder: disk.folder })
  await first.tape.commit({ values: [tapeValue(0, '1')] })
  await first.tape.close()
  execFileSync('mount', ['-o', 'remount,ro', disk.folder])
  const { tape, texts, notices } = await openTape({ folder: disk.folder })
  expect(await texts()).toEqual(['1'])
  expect(await tape.commit({ values: [tapeValue(1, '2')] })).toMatchObject({ ok: false, problem: { code: 'readOnly' } })
  expect(notices).toEqual([expect.stringContaining('is not writable')])
})

test.skipIf(!canMount)(
  'a tape that cannot be written to says which rules wait, and its questions are answered',
  async () => {
    const disk = smallDisk()
    const first = await openTape({ folder: disk.folder })
    await first.tape.close()
    execFileSync('mount', ['-o', 'remount,ro', disk.folder])
    const { tape, ask } = await openTape({ folder: disk.folder })
    expect(await tape.commit({ rules: [{ id: 'new', position: 1, document: '{}' }] })).toMatchObject({ ok: false })
    expect(tape.unwritten).toMatchObject({ problem: { code: 'readOnly' }, rules: new Set(['new']) })
    expect((await ask('alertStart', null)).rules).toEqual([])
  },
)

test.skipIf(!canMount)('a tape of version 1 that cannot be written to is read, and its alerts are judged', async () => {
  const disk = smallDisk()
  const first = await openTape({ folder: disk.folder })
  const before = await openAlerts(first.tape)
  await before.engine.create({ ...above, repeat: { mode: 'everyCrossing' } }, 'wait', undefined)
  for (const value of ['99.00', '100.00', '99.00']) before.publish(value)
  await before.engine.flush()
  await first.tape.close()
  makeVersion1(first.path)
  const bytes = readFileSync(first.path)
  execFileSync('mount', ['-o', 'remount,ro', disk.folder])
  const copies = temporaryFolder()
  vi.stubEnv('TMPDIR', copies)
  const made = new Set<string | null>()
  const watcher = watch(copies, (_, name) => made.add(name))
  onTestFinished(() => {
    watcher.close()
    vi.unstubAllEnvs()
  })

  const { tape, notices } = await openTape({ folder: disk.folder })
  const { engine, fired, publish } = await openAlerts(tape)
  expect(engine.views()).toMatchObject([{ phase: 'armed', indexId: 'BRTI' }])
  expect(engine.inbox()).toHaveLength(1)
  publish('101.00', { publishedAtMs: startMs + 60_000 })
  await eventually(() => expect(fired).toMatchObject([{ kind: 'fired', inputs: { value: '101.00' } }]))
  expect(notices).toEqual([expect.stringContaining('is not writable, so nothing is recorded')])
  await eventually(() => expect([...made]).toEqual([expect.stringMatching(/^indexwatch-history-/)]))
  expect(readdirSync(copies)).toEqual([])
  expect(readFileSync(first.path).equals(bytes)).toBe(true)
})

test.skipIf(!canMount)('what cannot be copied where that is needed is refused, and why is said', async () => {
  const disk = smallDisk()
  const first = await openTape({ folder: disk.folder })
  await first.tape.commit({ values: [tapeValue(0, '1')] })
  await first.tape.close()
  makeVersion1(first.path)
  execFileSync('mount', ['-o', 'remount,ro', disk.folder])
  const full = smallDisk()
  full.fill(4_096)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  for (const [place, why] of [
    [full.folder, '4096 are free there'],
    [join(full.folder, 'none'), 'ENOENT'],
  ] as const) {
    vi.stubEnv('TMPDIR', place)
    const { tape } = await openTape({ folder: disk.folder })
    expect(tape.trouble?.problem.message).toMatch(new RegExp(`nor copied to ${place}: .*${why}`))
  }
  expect(readdirSync(full.folder)).toEqual(['ballast'])
})

test.skipIf(!canMount)('what a run that was killed had written is read where nothing can be written', async () => {
  const { tape, path } = await openTape()
  await tape.commit({ values: [tapeValue(0, '1')] })
  const disk = smallDisk()
  for (const end of ['', '-wal']) copyFileSync(path + end, join(disk.folder, `tape.db${end}`))
  execFileSync('mount', ['-o', 'remount,ro', disk.folder])
  const { texts, notices } = await openTape({ folder: disk.folder })
  expect(await texts()).toEqual(['1'])
  expect(notices).toEqual([expect.stringContaining('is not writable')])
})
