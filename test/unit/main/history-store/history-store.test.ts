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
import { defaultBounds, type StoredValue, type ValueCursor } from '../../../../main/history-store/contract'
import { eventually } from '../../../support/eventually'
import { FakeClock } from '../../../support/fake-clock'
import { lockDatabase } from '../../../support/lock-holder'
import { above, openAlerts, startMs } from '../../../support/open-alerts'
import { openHistory } from '../../../support/open-history'
import { startHistoryThread, historyStartMs, storedValue } from '../../../support/history-thread'
import { canMount, smallDisk } from '../../../support/small-disk'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'
import { temporaryFolder } from '../../../support/temporary-folder'
import { writtenHistory } from '../../../support/written-history'

/** A properly closed history with this many values. */
function historyOf(count: number) {
  const values = Array.from({ length: count }, (_, at) => storedValue(at, `${68_000 + at}.10`))
  return writtenHistory({ values, rules: [{ id: 'r1', position: 1, document: '{}' }] })
}

/** Turns a history into one of schema version 1. */
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

const patience = { timeout: 100_000, interval: 100 }

/** Advances a clock step by step until something has happened. */
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
    const { history, texts, folder } = await openHistory()
    history.append([storedValue(0, '1')])
    expect(await texts()).toEqual(['1'])
    history.append([storedValue(1, '2')])
    const committed = history.commit({ values: [storedValue(2, '3')] })
    history.append([storedValue(3, '4')])
    expect(await texts()).toEqual(['1', '2', '3', '4'])
    // All were written in one transaction.
    expect(await committed).toEqual({ ok: true, value: [{ id: 'BRTI', fromMs: historyStartMs + 1_000 }] })
    history.append([storedValue(4, '5')])
    await history.close()
    expect(readdirSync(folder)).not.toContain('tape.db-wal')
    const next = await openHistory({ folder })
    expect(await next.texts()).toEqual(['1', '2', '3', '4', '5'])
    expect(next.notices).toEqual([])
  })

  test('a stretch of which values were dropped does not count as answered', async () => {
    const { history, query } = await openHistory()
    const spans = ['BRTI', 'BRR'].map((id) => {
      const span = { id, fromMs: historyStartMs, toMs: historyStartMs + 60_000_000, askedAtMs: historyStartMs }
      return { ...span, state: 'answered' as const }
    })
    history.append(Array.from({ length: 50_100 }, (_, at) => storedValue(at, '1')))
    await history.commit({ spans, values: [storedValue(10, '1', { id: 'BRR' })] })
    const states = async (id: string) => {
      const gaps = await query('gaps', { id, fromMs: historyStartMs, toMs: historyStartMs + 9_000, maxGapMs: 2_000 })
      return gaps.map(({ state }) => state)
    }
    expect([await states('BRTI'), await states('BRR')]).toEqual([['unasked'], ['answered']])
  })

  test('reads a long range page by page, exactly', async () => {
    const { history, query } = await openHistory()
    const values = Array.from({ length: 12_000 }, (_, at) => storedValue(at, `${at}.${'0'.repeat(at % 5)}1`))
    await history.commit({ values })
    const read: StoredValue[] = []
    let page = await query('values', { id: 'BRTI', revisions: 'all', fromMs: 0, toMs: Number.MAX_SAFE_INTEGER })
    read.push(...page.values)
    while (page.next !== undefined) {
      const after = page.next
      page = await query('values', { id: 'BRTI', revisions: 'all', fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, after })
      read.push(...page.values)
    }
    expect(read).toEqual(values)
  })

  test('returns appended values of several connections and kinds exactly', async () => {
    const { history, query } = await openHistory()
    const more = [{}, { amendedAtMs: historyStartMs + 1 }, { isRepeatOfPrevious: true }, { missing: 3_599 }] as const
    const values = Array.from({ length: 2_500 }, (_, at) => storedValue(at, `-${at}.50`, more[at % more.length]))
    for (const value of values) history.append([value])
    const range = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }
    const page = await query('values', { id: 'BRTI', revisions: 'all', ...range })
    expect(page.values).toEqual(values)
  })

  test('keeps the two kinds of service apart', async () => {
    const { history, texts, folder } = await openHistory()
    await history.commit({ values: [storedValue(0, '1')] })
    await history.use('demo')
    expect(await texts()).toEqual([])
    await history.use('real')
    expect(await texts()).toEqual(['1'])
    expect(readdirSync(folder)).toContain('tape-demo.db')
  })

  test('says that it is not open, before and after', async () => {
    const { history } = await openHistory()
    await history.close()
    expect(await history.query('latest', null)).toMatchObject({ ok: false, problem: { code: 'notReady' } })
    expect(await history.commit({})).toMatchObject({ ok: false, problem: { code: 'notReady' } })
  })
})

describe('a history', () => {
  test('of version 1 is migrated after a backup, and its retractions are linked to their events', async () => {
    const { folder, path } = historyOf(1)
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
    const { query, texts, notices } = await openHistory({ folder })
    const { events, retractions } = await query('events', {})
    expect(events.map(({ id }) => id)).toEqual(['e2', 'e1'])
    expect(retractions).toEqual([{ ...retracted, isRead: false }])
    expect([await texts(), notices]).toEqual([['68000.10'], []])
    expect(readdirSync(folder)).toContain('tape-backup.db')
  })

  test('of a newer version is read, left unchanged, and reported', async () => {
    const { folder, path } = historyOf(3)
    const newer = new Database(path)
    newer.exec('PRAGMA user_version = 99')
    newer.close()
    const before = readFileSync(path)
    const { history, texts, notices } = await openHistory({ folder })
    expect(await texts()).toEqual(['68000.10', '68001.10', '68002.10'])
    expect(await history.commit({ values: [storedValue(9, '1')] })).toMatchObject({
      ok: false,
      problem: { code: 'newerVersion' },
    })
    expect(history.trouble).toMatchObject({ isOpen: true, problem: { code: 'newerVersion' } })
    expect(notices).toEqual([])
    await history.close()
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test.each([
    ['cut off', (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ['that is something else', (path: string) => writeFileSync(path, 'no database\n'.repeat(1_000))],
  ])('%s is set aside, and the backup takes its place', async (_, spoil) => {
    const { folder, path } = historyOf(5_000)
    copyFileSync(path, join(folder, 'tape-backup.db'))
    spoil(path)
    // As after a crash.
    writeFileSync(`${path}-wal`, Buffer.alloc(40))
    const { history, texts, notices } = await openHistory({ folder })
    expect(await texts()).toHaveLength(5_000)
    expect(notices).toEqual([expect.stringMatching(/backup of \d{4}.*in use/)])
    expect(asideIn(folder)).toHaveLength(1)
    expect(await history.commit({ values: [storedValue(9_000, '1')] })).toMatchObject({ ok: true })
  })

  test.each([
    ['closed in order', false],
    ['not closed in order', true],
  ])('in a sparse file of 64 GiB, %s, opens and accepts values', async (_, isUnclean) => {
    const { folder, path } = historyOf(1_000)
    // The file is sparse, as after a failed copy.
    truncateSync(path, 64 * 2 ** 30)
    if (isUnclean) writeFileSync(`${path}-wal`, Buffer.alloc(40))
    const { history, query, texts, notices } = await openHistory({ folder })
    expect(await texts()).toHaveLength(1_000)
    expect(await history.commit({ values: [storedValue(5_000, '1')] })).toMatchObject({ ok: true })
    expect(await texts()).toHaveLength(1_001)
    expect((await query('size', null)).bytes).toBeLessThan(2 ** 20)
    expect(notices).toEqual([])
  })

  test('of 64 GiB of nothing is set aside without being read or copied, and a new one begun', async () => {
    const { folder, path } = historyOf(1)
    writeFileSync(path, '')
    truncateSync(path, 64 * 2 ** 30)
    const { texts, notices } = await openHistory({ folder })
    expect(await texts()).toEqual([])
    expect(notices).toEqual([expect.stringContaining('began a new history')])
    expect(asideIn(folder)).toHaveLength(1)
  })

  test('with a flipped byte in its middle is found out after an unclean end', async () => {
    const { folder, path } = historyOf(20_000)
    copyFileSync(path, join(folder, 'tape-backup.db'))
    // The first byte of a page is its type.
    flipByte(path, 4_096 * Math.floor(statSync(path).size / 4_096 / 2))
    writeFileSync(`${path}-wal`, Buffer.alloc(40))
    const { texts, notices } = await openHistory({ folder })
    expect(await texts()).toHaveLength(5_000)
    expect(notices).toHaveLength(1)
    expect(asideIn(folder)).toHaveLength(1)
  })

  test('that is found damaged during a query is set aside, and the query is answered', async () => {
    const { folder, path } = historyOf(20_000)
    copyFileSync(path, join(folder, 'tape-backup.db'))
    flipByte(path, 4_096 * Math.floor(statSync(path).size / 4_096 / 2))
    const { query, notices, texts } = await openHistory({ folder })
    const count = async () => {
      let found = 0
      let after: ValueCursor | undefined
      do {
        const range = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, ...(after !== undefined && { after }) }
        const page = await query('values', { id: 'BRTI', revisions: 'all', ...range })
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
    const { folder, path } = historyOf(10)
    writeFileSync(path, 'nothing')
    const { history, texts, notices, lost } = await openHistory({ folder })
    expect(await texts()).toEqual([])
    expect([notices, lost]).toEqual([[expect.stringContaining('began a new history')], 1])
    await history.commit({ values: [storedValue(0, '1')] })
    await history.close()
    expect((await openHistory({ folder })).notices).toEqual([])
  })

  test('whose backup is damaged too begins again, and both are kept', async () => {
    const { folder, path } = historyOf(10)
    writeFileSync(path, 'nothing')
    writeFileSync(join(folder, 'tape-backup.db'), 'nothing either')
    const { texts } = await openHistory({ folder })
    expect(await texts()).toEqual([])
    expect(asideIn(folder)).toHaveLength(2)
  })

  test('is not opened twice', async () => {
    const first = await openHistory()
    await first.history.commit({ values: [storedValue(0, '1')] })
    const second = await openHistory({ folder: first.folder })
    expect(second.history.trouble).toMatchObject({
      isOpen: false,
      problem: {
        code: 'inUse',
        message: expect.stringContaining('Another process uses it. End that process, then try again.') as string,
      },
    })
    expect(await second.history.query('latest', null)).toMatchObject({ ok: false, problem: { code: 'inUse' } })
    expect(await second.history.commit({ values: [storedValue(1, '2')] })).toMatchObject({ ok: false })
    await first.history.commit({ values: [storedValue(2, '3')] })
    expect(await first.texts()).toEqual(['1', '3'])
  })
})

describe('a history that cannot be opened at the start', () => {
  test('because another program uses it is opened later, with all values received until then', async () => {
    const { folder, path } = historyOf(1)
    const letGo = await lockDatabase(`${path}-lock`)
    const clock = new FakeClock()
    const { history, texts } = await openHistory({ folder, clock })
    expect(history.trouble).toMatchObject({ isOpen: false, problem: { code: 'inUse' } })
    history.append([storedValue(1, '2')])
    expect(await history.commit({ values: [storedValue(2, '3')] })).toMatchObject({ problem: { code: 'inUse' } })
    // For an hour each attempt is refused.
    for (let minute = 0; minute < 60; minute++) {
      clock.advance(60_000)
      expect(history.trouble).toMatchObject({ problem: { code: 'inUse' } })
    }
    // Heard from now on, because the last attempt may succeed while the other program ends.
    const opened = new Promise((resolve) => {
      history.events.on('troubleChanged', () => {
        if (history.trouble === undefined) resolve(null)
      })
    })
    await letGo()
    await until(opened, () => clock.advance(15_000))
    expect(await texts()).toEqual(['68000.10', '2', '3'])
  })

  test('because the disk it is on is not there yet is opened when it is', async () => {
    const { folder, path } = historyOf(1)
    const disk = temporaryFolder()
    const place = join(disk, 'mounted')
    mkdirSync(place)
    renameSync(path, join(place, 'tape.db'))
    symlinkSync(join(place, 'tape.db'), path)
    renameSync(place, join(disk, 'away'))
    const { history, texts } = await openHistory({ folder })
    expect(history.trouble).toMatchObject({ isOpen: false, problem: { code: 'missing' } })
    renameSync(join(disk, 'away'), place)
    await vi.waitFor(async () => {
      expect(await texts()).toEqual(['68000.10'])
    }, patience)
    expect(history.trouble).toBeUndefined()
  })

  test('because it is missing is restored from its backup, or reported as lost', async () => {
    const { folder, path } = historyOf(1)
    copyFileSync(path, join(folder, 'tape-backup.db'))
    rmSync(path)
    const restored = await openHistory({ folder })
    expect(await restored.texts()).toEqual(['68000.10'])
    expect(restored.notices).toEqual([expect.stringMatching(/tape\.db was missing\. Its backup/)])
    expect(restored.lost).toBe(0)
    await restored.history.close()
    rmSync(path)
    const begun = await openHistory({ folder })
    expect(await begun.texts()).toEqual([])
    expect(begun.notices).toEqual([expect.stringMatching(/tape\.db was missing\. There was no good backup\./)])
    expect(begun.lost).toBe(1)
  })
})

test.skipIf(!canMount)(
  'a read-only history is written to when it can be, with all values received until then',
  async () => {
    const disk = smallDisk()
    const first = await openHistory({ folder: disk.folder })
    await first.history.commit({ values: [storedValue(0, '1')] })
    await first.history.close()
    execFileSync('mount', ['-o', 'remount,ro', disk.folder])
    const { history, texts } = await openHistory({ folder: disk.folder })
    expect(history.trouble).toMatchObject({ isOpen: true, problem: { code: 'readOnly' } })
    history.append([storedValue(1, '2')])
    execFileSync('mount', ['-o', 'remount,rw', disk.folder])
    await vi.waitFor(() => expect(history.trouble).toBeUndefined(), patience)
    expect(await texts()).toEqual(['1', '2'])
  },
)

describe('the backup', () =>
  test('is a complete history made while the app runs', async () => {
    const { history, folder, path } = await openHistory()
    const backupPath = join(folder, 'tape-backup.db')
    await history.commit({ values: Array.from({ length: 3_000 }, (_, at) => storedValue(at, `${at}`)) })
    const thread = startHistoryThread({ task: 'backup', path, backupPath, bounds: defaultBounds })
    const ended = new Promise((resolve) => thread.once('exit', resolve))
    await history.commit({ values: [storedValue(9_000, '1')] })
    expect(await ended).toBe(0)
    const copy = new Database(backupPath)
    expect(copy.prepare('PRAGMA integrity_check').raw().get()).toEqual(['ok'])
    const [count] = copy.prepare('SELECT count(*) FROM value').raw().get() as [number]
    expect(count).toBeGreaterThanOrEqual(3_000)
    copy.close()
    expect(existsSync(`${backupPath}.part`)).toBe(false)
  }))

describe('a thread that dies', () =>
  test('is restarted, and unanswered requests are repeated without loss or duplicates', async () => {
    const { history, texts, query, threads, notices } = await openHistory()
    await history.commit({ values: [storedValue(0, '1')] })
    for (let round = 1; round <= 3; round++) {
      const answers = Array.from({ length: 5 }, (_, at) => {
        const event = firedEvent(round * 10 + at, levelDraft())
        return history.commit({ values: [storedValue(round * 10 + at, `${round}.${at}`)], events: [event] })
      })
      const asked = history.query('eventCounts', null)
      void threads.at(-1)?.worker.terminate()
      for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ ok: true })
      expect(await asked).toMatchObject({ ok: true })
    }
    expect(await texts()).toHaveLength(16)
    expect((await query('events', {})).events).toHaveLength(15)
    expect(threads.length).toBeGreaterThan(3)
    expect(notices).toEqual([])
  }))

describe.skipIf(!canMount)('a full disk', () => {
  test('stops recording with one notice, loses no alert, and resumes when there is room', async () => {
    const disk = smallDisk()
    const { history, texts, query, notices } = await openHistory({ folder: disk.folder })
    await history.commit({ values: [storedValue(0, '1')], events: [firedEvent(1, levelDraft())] })
    disk.fill(0)
    const filling = Array.from({ length: 2_000 }, (_, at) => storedValue(100 + at, `${at}`))
    const failed = [
      await history.commit({ values: filling, events: [firedEvent(2, levelDraft())] }),
      await history.commit({
        events: [firedEvent(3, levelDraft())],
        rules: [{ id: 'r1', position: 1, document: '{}' }],
      }),
    ]
    expect(failed).toMatchObject([
      { ok: false, problem: { code: 'diskFull' } },
      { ok: false, problem: { code: 'diskFull' } },
    ])
    // Existing values can still be read.
    expect(await texts()).toEqual(['1'])
    history.append([storedValue(1, '2')])
    expect(notices).toEqual([expect.stringContaining('Disk full')])
    disk.free()
    await vi.waitFor(() => expect(notices).toHaveLength(2), patience)
    expect(await texts()).toHaveLength(2_002)
    expect((await query('events', {})).events).toHaveLength(3)
    expect((await query('alertStart', null)).rules).toHaveLength(1)
  })

  test('says which rules and events wait to be written, until they are', async () => {
    const disk = smallDisk()
    const { history, query } = await openHistory({ folder: disk.folder })
    await history.commit({ rules: [{ id: 'kept', position: 1, document: '{}' }] })
    disk.fill(0)
    const filling = Array.from({ length: 2_000 }, (_, at) => storedValue(100 + at, `${at}`))
    expect(await history.commit({ values: filling })).toMatchObject({ ok: false })
    expect(history.unwritten).toBeUndefined()
    const event = firedEvent(1, levelDraft())
    await history.commit({
      events: [event],
      rules: [{ id: 'new', position: 2, document: '{}' }],
      removedRules: ['kept'],
    })
    expect(history.unwritten).toMatchObject({
      problem: { code: 'diskFull' },
      rules: new Set(['new', 'kept']),
      events: new Set([event.id]),
    })
    const written = new Promise<void>((resolve) => {
      history.events.on('unwrittenChanged', () => {
        if (history.unwritten === undefined) resolve()
      })
    })
    disk.free()
    await written
    expect((await query('alertStart', null)).rules).toMatchObject([{ id: 'new' }])
  })

  test('at the start is reported, and recording starts later', async () => {
    const disk = smallDisk()
    disk.fill(0)
    const { history, texts } = await openHistory({ folder: disk.folder })
    expect(history.trouble).toMatchObject({ isOpen: false, problem: { code: 'diskFull' } })
    expect(await history.commit({ values: [storedValue(0, '1')] })).toMatchObject({ ok: false })
    disk.free()
    await vi.waitFor(async () => {
      expect(await texts()).toEqual(['1'])
    }, patience)
  })
})

test.skipIf(!canMount)('a history on a full disk is opened when there is room, with all its data', async () => {
  const disk = smallDisk()
  const first = await openHistory({ folder: disk.folder })
  await first.history.commit({ values: [storedValue(0, '1')] })
  await first.history.close()
  disk.fill(0)
  const { history, texts } = await openHistory({ folder: disk.folder })
  expect(history.trouble).toMatchObject({ isOpen: false, problem: { code: 'diskFull' } })
  history.append([storedValue(1, '2')])
  disk.free()
  await vi.waitFor(() => expect(history.trouble).toBeUndefined(), patience)
  expect(await texts()).toEqual(['1', '2'])
})

test.skipIf(!canMount)('a history on a disk that cannot be written to is read, and reported', async () => {
  const disk = smallDisk()
  const first = await openHistory({ folder: disk.folder })
  await first.history.commit({ values: [storedValue(0, '1')] })
  await first.history.close()
  execFileSync('mount', ['-o', 'remount,ro', disk.folder])
  const { history, texts, notices } = await openHistory({ folder: disk.folder })
  expect(await texts()).toEqual(['1'])
  expect(await history.commit({ values: [storedValue(1, '2')] })).toMatchObject({
    ok: false,
    problem: { code: 'readOnly' },
  })
  expect(notices).toEqual([expect.stringContaining('is not writable')])
})

test.skipIf(!canMount)('a read-only history lists waiting rules and answers queries', async () => {
  const disk = smallDisk()
  const first = await openHistory({ folder: disk.folder })
  await first.history.close()
  execFileSync('mount', ['-o', 'remount,ro', disk.folder])
  const { history, query } = await openHistory({ folder: disk.folder })
  expect(await history.commit({ rules: [{ id: 'new', position: 1, document: '{}' }] })).toMatchObject({ ok: false })
  expect(history.unwritten).toMatchObject({ problem: { code: 'readOnly' }, rules: new Set(['new']) })
  expect((await query('alertStart', null)).rules).toEqual([])
})

test.skipIf(!canMount)(
  'a history of version 1 that cannot be written to is read, and its alerts are judged',
  async () => {
    const disk = smallDisk()
    const first = await openHistory({ folder: disk.folder })
    const before = await openAlerts(first.history)
    await before.engine.create({ ...above, repeat: { mode: 'everyCrossing' } }, 'wait', undefined)
    for (const value of ['99.00', '100.00', '99.00']) before.publish(value)
    await before.engine.flush()
    await first.history.close()
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

    const { history, notices } = await openHistory({ folder: disk.folder })
    const { engine, fired, publish } = await openAlerts(history)
    expect(engine.views()).toMatchObject([{ phase: 'armed', indexId: 'BRTI' }])
    expect(engine.inbox()).toHaveLength(1)
    publish('101.00', { publishedAtMs: startMs + 60_000 })
    await eventually(() => expect(fired).toMatchObject([{ kind: 'fired', inputs: { value: '101.00' } }]))
    expect(notices).toEqual([expect.stringContaining('is not writable, so nothing is recorded')])
    await eventually(() => expect([...made]).toEqual([expect.stringMatching(/^indexwatch-history-/)]))
    expect(readdirSync(copies)).toEqual([])
    expect(readFileSync(first.path).equals(bytes)).toBe(true)
  },
)

test.skipIf(!canMount)('a history that must be copied but cannot be is refused with a reason', async () => {
  const disk = smallDisk()
  const first = await openHistory({ folder: disk.folder })
  await first.history.commit({ values: [storedValue(0, '1')] })
  await first.history.close()
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
    const { history } = await openHistory({ folder: disk.folder })
    expect(history.trouble?.problem.message).toMatch(new RegExp(`nor copied to ${place}: .*${why}`))
  }
  expect(readdirSync(full.folder)).toEqual(['ballast'])
})

test.skipIf(!canMount)('data of a killed run is read from a read-only disk', async () => {
  const { history, path } = await openHistory()
  await history.commit({ values: [storedValue(0, '1')] })
  const disk = smallDisk()
  for (const end of ['', '-wal']) copyFileSync(path + end, join(disk.folder, `tape.db${end}`))
  execFileSync('mount', ['-o', 'remount,ro', disk.folder])
  const { texts, notices } = await openHistory({ folder: disk.folder })
  expect(await texts()).toEqual(['1'])
  expect(notices).toEqual([expect.stringContaining('is not writable')])
})
