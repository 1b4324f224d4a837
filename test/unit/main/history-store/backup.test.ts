import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { describe, expect, test } from 'vitest'
import { defaultBounds, type HistoryBounds } from '../../../../main/history-store/contract'
import { HistoryFile } from '../../../../main/history-store/history-file'
import { eventually } from '../../../support/eventually'
import { FakeClock } from '../../../support/fake-clock'
import { openHistory } from '../../../support/open-history'
import { startHistoryThread, historyStartMs, storedValue } from '../../../support/history-thread'
import { temporaryFolder } from '../../../support/temporary-folder'
import { writtenHistory } from '../../../support/written-history'

const dayMs = 86_400_000
const isUnix = process.platform !== 'win32'

/** A properly closed history with one value a minute, and its backup. */
function backedUp(count: number, everyMs = 60_000) {
  const values = Array.from({ length: count }, (_, at) => storedValue((at * everyMs) / 1_000, `${at}`))
  const written = writtenHistory({ values })
  const backupPath = join(written.folder, 'tape-backup.db')
  copyFileSync(written.path, backupPath)
  return { ...written, backupPath }
}

function change(path: string, sql: string): void {
  const database = new Database(path)
  database.exec(sql)
  database.close()
}

function valuesIn(path: string): number {
  const database = new Database(path)
  const [count] = database.prepare('SELECT count(*) FROM value').raw().get() as [number]
  database.close()
  return count
}

/** The supervisor checks the backup each hour, then plans the next check. */
async function pass(clock: FakeClock, hours: number): Promise<void> {
  for (let passed = 0; passed < hours; passed++) {
    const { pending } = clock
    clock.advance(60 * 60_000)
    await eventually(() => expect(clock.pending).toBe(pending))
  }
}

async function made(path: string, backupPath: string, bounds: HistoryBounds = defaultBounds): Promise<unknown> {
  const thread = startHistoryThread({ task: 'backup', path, backupPath, bounds })
  return new Promise((resolve) => {
    thread.once('message', ({ outcome }: { outcome: unknown }) => resolve(outcome))
  })
}

describe('a backup', () => {
  test('is kept if the history has less than half its values, with one notice', async () => {
    const { folder, path, backupPath } = backedUp(1_000)
    change(path, 'DELETE FROM value WHERE published % 5 <> 0 OR published / 60000 % 5 <> 0')
    const before = readFileSync(backupPath)
    const clock = new FakeClock(Date.now() + 2 * dayMs)
    const { notices, threads } = await openHistory({ folder, clock })
    await pass(clock, 26)
    expect(threads.map(({ task }) => task.task)).toEqual(['serve', 'backup', 'backup'])
    expect(notices).toEqual([expect.stringContaining('less than half the values of its backup')])
    expect(readFileSync(backupPath).equals(before)).toBe(true)
    expect(readdirSync(folder)).not.toContain('tape-backup.db.part')
  })

  test.each([
    ['has half of them', 'DELETE FROM value WHERE published / 60000 % 2 = 0', defaultBounds],
    [
      'lacks what is older than its bounds',
      `DELETE FROM value WHERE published < ${historyStartMs + 900 * 60_000}`,
      { ...defaultBounds, keepDays: 100 / 1_440 },
    ],
    [
      'is near its size',
      `DELETE FROM value WHERE published < ${historyStartMs + 900 * 60_000}`,
      { ...defaultBounds, maxBytes: 100_000 },
    ],
  ])('gives way to a history that %s', async (_, sql, bounds) => {
    const { path, backupPath } = backedUp(1_000)
    change(path, sql)
    expect(await made(path, backupPath, bounds)).toEqual({ ok: true, value: true })
    expect(valuesIn(backupPath)).toBe(valuesIn(path))
  })

  test('gives way to a history whose values of parts of a second were thinned', async () => {
    const { path, backupPath } = backedUp(1_000, 200)
    change(path, 'DELETE FROM value WHERE published % 1000 <> 0')
    expect(await made(path, backupPath)).toEqual({ ok: true, value: true })
    expect(valuesIn(backupPath)).toBe(200)
  })

  test('that is damaged is replaced by a backup of any history', async () => {
    const { path, backupPath } = backedUp(10)
    writeFileSync(backupPath, 'no database\n'.repeat(1_000))
    expect(await made(path, backupPath)).toEqual({ ok: true, value: true })
    expect(valuesIn(backupPath)).toBe(10)
  })

  test('immediately loses data that the user cleared', async () => {
    const { folder, backupPath } = backedUp(1_000)
    const { query, notices } = await openHistory({ folder })
    await query('clearBefore', { beforeMs: historyStartMs + 990 * 60_000 })
    await eventually(() => expect(valuesIn(backupPath)).toBe(10))
    expect(notices).toEqual([])
  })

  test.each([
    ['forward', 4 * 365 * dayMs],
    ['back', -4 * 365 * dayMs],
  ])('is made a day after the one before, whatever the computer’s clock is set to: %s', async (_, jumpMs) => {
    const { folder, backupPath } = backedUp(10)
    const clock = new FakeClock()
    const madeAt = new Date(clock.wallMs() - dayMs / 2)
    utimesSync(backupPath, madeAt, madeAt)
    const { threads } = await openHistory({ folder, clock })
    const backups = () => threads.filter(({ task }) => task.task === 'backup').length
    await pass(clock, 1)
    clock.jumpWall(jumpMs)
    await pass(clock, 10)
    expect(backups()).toBe(0)
    await pass(clock, 2)
    expect(backups()).toBe(1)
  })
})

describe.runIf(isUnix)('the files of a history', () => {
  const modes = (folder: string) =>
    Object.fromEntries(
      readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
    )

  test('are private whatever the umask, also if they existed before', async () => {
    const mask = process.umask(0)
    try {
      const folder = temporaryFolder()
      const { history, path } = await openHistory({ folder })
      await history.commit({ values: [storedValue(0, '1')] })
      await made(path, join(folder, 'tape-backup.db'))
      const own = { 'tape.db': '600', 'tape.db-wal': '600', 'tape.db-shm': '600', 'tape-backup.db': '600' }
      expect(modes(folder)).toMatchObject({ ...own, 'tape.db-lock': '600' })
      await history.close()
      for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644)
      await openHistory({ folder })
      expect(new Set(Object.values(modes(folder)))).toEqual(new Set(['600']))
    } finally {
      process.umask(mask)
    }
  })

  describe.each(['tape.db', 'tape.db-wal', 'tape.db-shm', 'tape.db-journal', 'tape.db-lock'])('%s', (name) =>
    test.each([
      ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
      ['a folder', (path: string) => execFileSync('mkdir', [path])],
    ])('is refused by its name where it is %s, and nothing waits for it', async (what, put) => {
      const { folder } = backedUp(10)
      rmSync(join(folder, name), { force: true })
      put(join(folder, name))
      const { history } = await openHistory({ folder })
      expect(history.trouble?.problem.message).toContain(`${name} is ${what}, not a file. Move it away.`)
      expect(await history.query('latest', null)).toMatchObject({ ok: false, problem: { code: 'unreadable' } })
      await history.close()
      expect(existsSync(join(folder, name))).toBe(true)
    }),
  )

  test('a pipe in place of a history that is read beside the app is refused by its name', () => {
    const path = join(temporaryFolder(), 'tape.db')
    execFileSync('mkfifo', [path])
    expect(() => new HistoryFile(path)).toThrow('tape.db is a pipe, not a file')
  })

  test('a pipe in place of the backup keeps no damaged history from being set aside, and is named', async () => {
    const { folder, path, backupPath } = backedUp(10)
    writeFileSync(path, 'no database\n'.repeat(1_000))
    rmSync(backupPath)
    execFileSync('mkfifo', [backupPath])
    const { history, texts, notices } = await openHistory({ folder })
    expect(notices).toEqual([expect.stringContaining('tape-backup.db is a pipe, not a file')])
    expect(await texts()).toEqual([])
    expect(await history.commit({ values: [storedValue(0, '1')] })).toMatchObject({ ok: true })
    expect(await made(path, backupPath)).toMatchObject({ ok: false, problem: { code: 'unreadable' } })
    await history.close()
    expect(statSync(backupPath).isFIFO()).toBe(true)
  })
})

test('the journal of a damaged history is set aside with it and not applied to the backup', async () => {
  const first = await openHistory()
  await first.history.commit({ values: [storedValue(0, '1')] })
  await first.history.close()
  const { folder, path } = first
  copyFileSync(path, join(folder, 'tape-backup.db'))
  // As after a kill: the last commit is only in the journal.
  const second = await openHistory({ folder })
  await second.history.commit({ values: [storedValue(1, '2')] })
  const journal = readFileSync(`${path}-wal`)
  await second.history.close()
  writeFileSync(path, 'no database\n'.repeat(1_000))
  writeFileSync(`${path}-wal`, journal)
  const { texts, notices } = await openHistory({ folder })
  expect(notices).toEqual([expect.stringContaining('Its backup')])
  expect(await texts()).toEqual(['1'])
  const aside = readdirSync(folder).find((name) => /^tape\.damaged.*\.db-wal$/.test(name)) ?? 'none'
  expect(readFileSync(join(folder, aside)).equals(journal)).toBe(true)
})
