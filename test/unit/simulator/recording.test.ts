import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { describe, expect, test } from 'vitest'
import { readRecording } from '../../../simulator/recording-file'
import { exportToFile } from '../../../main/history/export-file'
import { get, openSimulator, connect } from '../../service/stream-client'
import { openHistory } from '../../support/open-history'
import { valueOf } from '../../support/value-of'
import { historyStartMs, storedValue } from '../../support/history-thread'
import { temporaryFolder } from '../../support/temporary-folder'

const startMs = Date.UTC(2026, 10, 20, 14)
const iso = (seconds: number) => new Date(startMs + seconds * 1_000).toISOString()

function file(text: string): string {
  const path = join(temporaryFolder(), 'day.csv')
  writeFileSync(path, text)
  return path
}

const day = [
  '\ufeffId,Name,Published,Amended,Value,isCarriedForward',
  `BRTI,"CME CF, Bitcoin",${iso(0)},,101.10,`,
  `BRTI,"CME CF, Bitcoin",${iso(2)},,102.00,`,
  `BRTI,"CME CF, Bitcoin",${iso(1)},,125.00,`,
  `BRTI,"CME CF, Bitcoin",${iso(1)},${iso(4)},125.50,`,
  `BRTI,"CME CF, Bitcoin",${iso(2.2)},,1.35e2,`,
  `BNBUSD_RTI,BNB,${iso(1)},,7,yes`,
  '',
].join('\r\n')

/** The values of BRTI received between two seconds. */
async function between(fromS: number, toS: number) {
  const { recording } = await readRecording(file(day))
  return recording.between('BRTI', startMs + fromS * 1_000, startMs + toS * 1_000)?.map(({ value }) => value)
}

describe('a recording', () => {
  test('has its values in order of publication, each amendment at its own time', async () => {
    expect(await between(-1, 5)).toEqual(['101.10', '125.00', '102.00', '1.35e2', '125.50'])
    expect(await between(0, 1)).toEqual(['125.00'])
    expect(await between(3, 4)).toEqual(['125.50'])
    expect(await between(4, 99)).toEqual([])
  })

  test('has the revision of each time at a given moment', async () => {
    const { recording } = await readRecording(file(day))
    const at = (nowS: number) =>
      recording
        .period('BRTI', { afterMs: startMs, untilMs: startMs + nowS * 1_000, nowMs: startMs + nowS * 1_000 })
        ?.map(({ value }) => value)
    expect(at(3)).toEqual(['125.00', '102.00', '1.35e2'])
    expect(at(4)).toEqual(['125.50', '102.00', '1.35e2'])
    expect(recording.latest('BRTI', startMs + 9_000, 'PER_SECOND')?.value).toBe('102.00')
    expect(recording.latest('BRTI', startMs + 9_000, 'PER_200MS')?.value).toBe('1.35e2')
    expect(recording.latest('BNBUSD_RTI', startMs, 'PER_SECOND')).toEqual({
      ...{ time: startMs + 1_000, value: '7', repeatOfPreviousValue: true },
    })
    expect(recording.latest('ETHUSD_RTI', startMs, 'PER_SECOND')).toBeUndefined()
    expect([recording.firstMs, recording.lastMs, recording.ids]).toEqual([
      startMs,
      startMs + 2_200,
      ['BRTI', 'BNBUSD_RTI'],
    ])
  })

  test.each([
    ['', /has no values/],
    ['id,published,value\r\n', /has no column amended/],
    ['\ufeffid;value;published;publishedMs;amended\r\n', /is CSV for Excel\. Export the values as CSV\./],
    [`id,published,amended,value\nBRTI,${iso(0)},,1.2.3\n`, /line 2 is no value: BRTI/],
    ['id,published,amended,value\nBRTI,yesterday,,1\n', /line 2 is no value/],
  ])('%j is refused with the reason', async (text, message) => {
    await expect(readRecording(file(text))).rejects.toThrow(message)
  })

  test('that ends before the start time is reported', async () => {
    await expect(readRecording(file(day), startMs + 60_000)).rejects.toThrow(
      /day\.csv ends at 2026-11-20T14:00:02\.200Z, before --from\./,
    )
  })

  test('a missing file is reported', async () => {
    await expect(readRecording('/no/such.csv')).rejects.toThrow(/cannot be read/)
  })
})

test('is played through the stream and REST of the service', async () => {
  const { recording } = await readRecording(file(day))
  const { simulator, clock } = await openSimulator({ recording, startMs })
  const stream = await connect(simulator)
  stream.subscribe('BRTI', 'PER_200MS')
  await stream.settled()
  // A long pause, as at high speed, loses nothing.
  clock.advance(15_000)
  const values = (await stream.settled())
    .map((text) => JSON.parse(text) as { type: string; value?: string })
    .flatMap(({ type, value }) => (type === 'value' && value !== undefined ? [value] : []))
  expect(values).toEqual(['101.10', '125.00', '102.00', '1.35e2', '125.50'])
  const { body } = await get(simulator, '/api/v1/values?id=BRTI&maxResolution=PER_200MS')
  expect((body.payload as { value: string }[]).map(({ value }) => value)).toEqual([
    '101.10',
    '125.50',
    '102.00',
    '1.35e2',
  ])
})

const hourMs = 3_600_000

/** A history database in use, with values of two days, one amended and one carried forward. */
async function openTwoDays() {
  const opened = await openHistory()
  const values = [
    storedValue(-3_000, '99.90'),
    storedValue(0, '100.10'),
    storedValue(1, '101.00'),
    storedValue(1, '101.50', { amendedAtMs: historyStartMs + 6_000 }),
    storedValue(2, '1.350e-5', { isRepeatOfPrevious: true }),
    storedValue(30 * 3_600, '130.00'),
    storedValue(-40 * 3_600, '7', { id: 'BRR' }),
    storedValue(5, '1', { id: 'NONE' }),
  ]
  valueOf(await opened.history.commit({ values }))
  return { ...opened, values }
}

const everything = { afterMs: 0, untilMs: historyStartMs + 48 * hourMs, nowMs: historyStartMs + 48 * hourMs }

describe('a database of the app', () => {
  test('is read while the app runs: a day from a time on, and earlier values', async () => {
    const { path, texts } = await openTwoDays()
    const { recording, startMs } = await readRecording(path, historyStartMs)
    expect(startMs).toBe(historyStartMs)
    expect(recording.between('BRTI', 0, Infinity)).toEqual([
      { time: historyStartMs - 3_000_000, value: '99.90' },
      { time: historyStartMs, value: '100.10' },
      { time: historyStartMs + 1_000, value: '101.00' },
      { time: historyStartMs + 2_000, value: '1.350e-5', repeatOfPreviousValue: true },
      { time: historyStartMs + 1_000, value: '101.50', amendTime: historyStartMs + 6_000 },
    ])
    // A daily index reaches back a year.
    expect(recording.period('BRR', everything)?.map(({ value }) => value)).toEqual(['7'])
    expect(await texts()).toHaveLength(6)
  })

  test('begins by default a day before its last value', async () => {
    const { path } = await openTwoDays()
    expect((await readRecording(path)).startMs).toBe(historyStartMs + 6 * hourMs)
    await expect(readRecording(path, historyStartMs + 60 * hourMs)).rejects.toThrow(
      /no values on the day from --from\. It has some from 2026-10-31T.* to 2026-11-03T15:00:00\.000Z/,
    )
  })

  test('is refused with the reason if it is newer, damaged or no history', async () => {
    const { path, history } = await openTwoDays()
    await history.close()
    const change = (sql: string) => {
      const database = new Database(path)
      database.exec(sql)
      database.close()
    }
    change('PRAGMA user_version = 99')
    await expect(readRecording(path)).rejects.toThrow(/newer version\. Update Indexwatch/)
    change('PRAGMA user_version = 1; PRAGMA application_id = 1')
    await expect(readRecording(path)).rejects.toThrow(/no database of Indexwatch/)
    change(`PRAGMA application_id = 1230459984`)
    truncateSync(path, 6_000)
    await expect(readRecording(path)).rejects.toThrow(/tape\.db cannot be read/)
  })
})

test.each(['csv', 'parquet'] as const)('an export as %s and its database are the same day', async (format) => {
  const { path: historyPath, folder } = await openTwoDays()
  const path = join(folder, `day.${format}`)
  const indexIds = ['BRTI', 'BRR', 'NONE']
  const request = { indexIds, fromMs: 0, toMs: historyStartMs + 24 * hourMs, resolution: 'every', format } as const
  const task = {
    ...{ historyPath, request, path, temporaryPath: `${path}.tmp` },
    ...{ nowMs: historyStartMs + 48 * hourMs, decimalSign: '.' as const },
  }
  const written = await exportToFile(task, { signal: new AbortController().signal, onProgress: () => undefined })
  expect(written).toEqual({ ok: true, value: { rowCount: 7 } })
  const exported = (await readRecording(path, historyStartMs)).recording
  const recorded = (await readRecording(historyPath, historyStartMs)).recording
  for (const id of ['BRTI', 'BRR']) {
    expect(exported.between(id, 0, Infinity)).toEqual(recorded.between(id, 0, Infinity))
    expect(exported.between(id, 0, Infinity)).not.toEqual([])
  }
})
