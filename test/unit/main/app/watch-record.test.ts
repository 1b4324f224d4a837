import { expect, test } from 'vitest'
import { WatchRecord } from '../../../../main/app/watch-record'
import { FakeClock } from '../../../support/fake-clock'
import { MemoryJsonFile } from '../../../support/memory-json-file'
import { RecordedLog } from '../../../support/recorded-log'

const minuteMs = 60_000

/** An app that was watching for some minutes. */
async function watched(minutes: number) {
  const clock = new FakeClock()
  const file = new MemoryJsonFile()
  const log = new RecordedLog()
  const record = new WatchRecord({ file, clock, log })
  expect(await record.begin()).toBeUndefined()
  for (let minute = 0; minute < minutes; minute++) clock.advance(minuteMs)
  const startAgain = (afterCrash?: { crashedAtMs?: number }) =>
    new WatchRecord({ file: file.reopened(), clock, log }).begin(afterCrash)
  return { clock, file, log, record, startAgain }
}

test('an abnormal end leaves the time since the last record unwatched', async () => {
  const { clock, startAgain } = await watched(3)
  const fromMs = clock.wallMs()
  clock.advance(30_000)
  clock.jumpWall(5 * 3_600_000)
  expect(await startAgain()).toEqual({ fromMs, toMs: fromMs + 30_000 + 5 * 3_600_000 })
})

test('reports nothing after a normal end, however long ago', async () => {
  const { clock, file, record, startAgain } = await watched(1)
  await record.end()
  expect(clock.pending).toBe(0)
  clock.jumpWall(24 * 3_600_000)
  expect(file.written).toHaveLength(3)
  expect(await startAgain()).toBeUndefined()
})

test('does not report a minute or less, nor a clock set back', async () => {
  const { clock, startAgain } = await watched(1)
  clock.jumpWall(minuteMs)
  expect(await startAgain()).toBeUndefined()
  clock.jumpWall(-10 * minuteMs)
  expect(await startAgain()).toBeUndefined()
})

test('a start after a crash reports even the shortest time, from the crash if known', async () => {
  const { clock, startAgain } = await watched(1)
  const untilMs = clock.wallMs()
  clock.advance(30_000)
  expect(await startAgain({})).toEqual({ fromMs: untilMs, toMs: untilMs + 30_000 })
  expect(await startAgain({ crashedAtMs: untilMs + 40_000 })).toEqual({
    fromMs: untilMs + 30_000,
    toMs: untilMs + 30_000,
  })
  clock.advance(20_000)
  const toMs = untilMs + 50_000
  expect(await startAgain({ crashedAtMs: toMs - 2_000 })).toEqual({ fromMs: toMs - 2_000, toMs })
})

test('records once a minute, and logs a disk that refuses', async () => {
  const { clock, file, log } = await watched(2)
  await Promise.resolve()
  expect(file.written).toHaveLength(3)
  file.problem = { code: 'diskFull', message: 'The disk is full.' }
  clock.advance(minuteMs)
  await expect.poll(() => log.texts('warn')).toEqual(['The time of the last check could not be recorded'])
  expect(file.written).toHaveLength(3)
})

test('an app that ends while starting has not watched', async () => {
  const file = new MemoryJsonFile()
  const record = new WatchRecord({ file, clock: new FakeClock(), log: new RecordedLog() })
  const begun = record.begin()
  await record.end()
  expect(await begun).toBeUndefined()
  expect(file.written).toEqual([])
})
