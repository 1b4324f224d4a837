import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import Database from 'libsql'
import { describe, expect, test } from 'vitest'
import { exportToFile, type ExportTask } from '../../../../main/history/export-file'
import type { StoredSnapshot, StoredValue } from '../../../../main/history-store/contract'
import { exportFormats, type ExportFormat, type ExportProgress, type ExportRequest } from '../../../../protocol/history'
import { openHistory } from '../../../support/open-history'
import { valueOf } from '../../../support/value-of'
import { historyStartMs as startMs } from '../../../support/history-thread'
import { storedValue } from '../../../support/history-thread'
import { readWorkbook } from '../../../support/read-workbook'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'
import { canMount, smallDisk } from '../../../support/small-disk'

const nowMs = startMs + 86_400_000
const awkward: StoredValue[] = [
  storedValue(0, '79767.340'),
  storedValue(0, '79757.34', { amendedAtMs: startMs + 10_000, learnedAtMs: startMs + 10_250, origin: 'rest' }),
  storedValue(1, '1.350e-5', { isRepeatOfPrevious: true, connection: 'Desk, "Frankfurt"' }),
  storedValue(2, '-0.00', { origin: 'catchUp' }),
  storedValue(3, '12345678901234567890.123456789012345678'),
  storedValue(4, '0.1234567890123456789'),
  storedValue(5, '123456789012345678901'),
  storedValue(6, '-99999999999999999999.999999999999999999'),
]

/** A history on disk with these values, and exports of it into a separate folder. */
async function open(values: readonly StoredValue[]) {
  const { history, path: historyPath, folder } = await openHistory()
  valueOf(await history.commit({ values }))
  const target = join(folder, 'exports')
  mkdirSync(target)
  const run = async (
    more: Partial<ExportRequest> = {},
    {
      path = join(target, 'out'),
      onProgress = noProgress,
      signal = new AbortController().signal,
      rowsInSheet = 1_048_575,
    } = {},
  ) => {
    const request: ExportRequest = {
      indexIds: ['BRTI'],
      fromMs: startMs,
      toMs: nowMs,
      resolution: 'every',
      format: 'csv',
      ...more,
    }
    const task: ExportTask = {
      historyPath,
      request,
      path,
      temporaryPath: `${path}.tmp`,
      nowMs: Math.max(nowMs, request.toMs),
      decimalSign: '.',
    }
    return exportToFile(task, { signal, onProgress }, rowsInSheet)
  }
  return {
    history,
    historyPath,
    target,
    run,
    read: () => readFileSync(join(target, 'out')),
    left: () => readdirSync(target),
  }
}

const noProgress: (progress: ExportProgress) => void = () => undefined

describe('more values than a sheet holds', () => {
  // From 09:00 on the first day: two values, none on the second day, and three around the last midnight.
  const values = [0, 1, 140_399, 140_400, 140_401].map((second) => storedValue(second, `${second}.5`))
  const toMs = startMs + 3 * 86_400_000
  const dates = (sheet: readonly (readonly ({ text: string } | undefined)[])[] = []) =>
    sheet.slice(1).map(([, value]) => value?.text)

  test('are sheets of one day each, with every row once, and no sheet for a day without values', async () => {
    const { run, read } = await open(values)
    const progress: number[] = []
    const onProgress = ({ fraction }: ExportProgress) => progress.push(fraction)
    const written = await run({ format: 'xlsx', toMs }, { rowsInSheet: 4, onProgress: (at) => void onProgress(at) })
    expect(written).toEqual({ ok: true, value: { rowCount: 5 } })
    const {
      '2026-11-02': first,
      '2026-11-03': second,
      '2026-11-04': third,
      About: about,
      ...others
    } = await readWorkbook(read())
    expect([dates(first), dates(second), dates(third)]).toEqual([
      ['0.5', '1.5'],
      ['140399.5'],
      ['140400.5', '140401.5'],
    ])
    expect(Object.keys(others)).toEqual(['Events', 'Constituents'])
    expect(JSON.stringify(about)).toContain('Rows of 2026-11-03')
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    expect(progress.at(-1)).toBe(1)
  })

  test('at each second are on the day of that second', async () => {
    const { run, read } = await open(values.map((value) => ({ ...value, publishedAtMs: value.publishedAtMs - 200 })))
    await run({ format: 'xlsx', toMs, resolution: 'second' }, { rowsInSheet: 4 })
    const { '2026-11-02': first, '2026-11-03': second, '2026-11-04': third } = await readWorkbook(read())
    expect([first, second, third].map((sheet) => dates(sheet).length)).toEqual([2, 1, 2])
  })

  test('of one day are several sheets, divided at a minute, with every row once', async () => {
    const oneDay = [0, 59, 60, 61, 119, 120].map((second) => storedValue(second, `${second}.5`))
    const { run, read } = await open(oneDay)
    expect(await run({ format: 'xlsx', toMs }, { rowsInSheet: 3 })).toEqual({ ok: true, value: { rowCount: 6 } })
    const { '2026-11-02 (1)': first, '2026-11-02 (2)': second, '2026-11-02 (3)': third } = await readWorkbook(read())
    expect([dates(first), dates(second), dates(third)]).toEqual([['0.5', '59.5'], ['60.5', '61.5', '119.5'], ['120.5']])
  })

  test('are one sheet if they fit exactly', async () => {
    const { run, read } = await open(values)
    await run({ format: 'xlsx', toMs }, { rowsInSheet: 5 })
    const { Values: sheet } = await readWorkbook(read())
    expect(dates(sheet)).toHaveLength(5)
  })
})

describe('as CSV', () => {
  test('every revision has its exact text and all columns', async () => {
    const { run, read, left } = await open(awkward)
    expect(await run()).toEqual({ ok: true, value: { rowCount: 8 } })
    expect(read().toString('utf8').split('\n')).toEqual([
      'id,value,published,amended,isCarriedForward,missing,received,source,connection',
      'BRTI,79767.340,2026-11-02T09:00:00.000Z,,no,,2026-11-02T09:00:00.150Z,stream,Demo',
      'BRTI,79757.34,2026-11-02T09:00:00.000Z,2026-11-02T09:00:10.000Z,no,,2026-11-02T09:00:10.250Z,rest,Demo',
      'BRTI,1.350e-5,2026-11-02T09:00:01.000Z,,yes,,2026-11-02T09:00:01.150Z,stream,"Desk, ""Frankfurt"""',
      'BRTI,-0.00,2026-11-02T09:00:02.000Z,,no,,2026-11-02T09:00:02.150Z,catchUp,Demo',
      'BRTI,12345678901234567890.123456789012345678,2026-11-02T09:00:03.000Z,,no,,2026-11-02T09:00:03.150Z,stream,Demo',
      'BRTI,0.1234567890123456789,2026-11-02T09:00:04.000Z,,no,,2026-11-02T09:00:04.150Z,stream,Demo',
      'BRTI,123456789012345678901,2026-11-02T09:00:05.000Z,,no,,2026-11-02T09:00:05.150Z,stream,Demo',
      'BRTI,-99999999999999999999.999999999999999999,2026-11-02T09:00:06.000Z,,no,,2026-11-02T09:00:06.150Z,stream,Demo',
      '',
    ])
    expect(left()).toEqual(['out'])
  })

  test('a reduced export has the time at which each value was in effect', async () => {
    const { run, read } = await open(awkward)
    expect(await run({ resolution: 'minute' })).toEqual({ ok: true, value: { rowCount: 2 } })
    const lines = read().toString('utf8').split('\n')
    expect(lines[0]).toBe('id,at,value,published,amended,isCarriedForward,missing,received,source,connection')
    expect(lines[1]).toMatch(/^BRTI,2026-11-02T09:00:00.000Z,79757.34,2026-11-02T09:00:00.000Z,/)
    expect(lines[2]).toMatch(/^BRTI,2026-11-02T09:01:00.000Z,-9{20}\.9{18},2026-11-02T09:00:06.000Z,/)
  })
})

describe('as a workbook', () => {
  test('has the values, the events of the indices and their constituents in the range', async () => {
    const { run, read, left, history } = await open(awkward)
    const eventAt = (number: number, seconds: number, indexId = 'BRTI') =>
      firedEvent(number, levelDraft('79760.00', { indexId }), {
        inputs: { value: '79767.34', publishedAtMs: startMs + seconds * 1_000 },
      })
    const weights = (at: number, weightPercent: string): StoredSnapshot => ({
      ...{ kind: 'constituents', id: 'BRTI', publishedAtMs: at, learnedAtMs: at },
      document: JSON.stringify({
        ...{ value: '1', publishedAtMs: at },
        constituents: [{ constituent: 'BTC', value: '79767.34', weightPercent }],
      }),
    })
    const events = [eventAt(1, -1), eventAt(2, 0), eventAt(3, 1, 'ETHUSD_RTI'), eventAt(4, 2), eventAt(5, 60)]
    const snapshots = [weights(startMs, '60'), weights(startMs + 59_000, '61'), weights(startMs + 60_000, '62')]
    valueOf(await history.commit({ events, snapshots }))
    const range = { fromMs: startMs, toMs: startMs + 60_000 }
    expect(await run({ format: 'xlsx', ...range })).toEqual({ ok: true, value: { rowCount: 8 } })
    const { Values, Events, Constituents, About } = await readWorkbook(read())
    const column = (sheet: typeof Values, name: string) => {
      const [head, ...rows] = sheet ?? []
      return rows.map((row) => row[head?.findIndex((cell) => cell?.text === name) ?? -1]?.text)
    }
    expect(column(Values, 'value')).toEqual(awkward.map(({ value }) => (value === '1.350e-5' ? '0.00001350' : value)))
    expect(column(Events, 'eventId')).toEqual(['e4', 'e2'])
    expect(column(Constituents, 'weightPercent')).toEqual(['61'])
    expect(About?.map((cells) => cells.map((cell) => cell?.text))).toEqual([
      ['About', ''],
      ['Content', 'Values of BRTI'],
      ['Written', '2026-11-03T09:00:00.000Z'],
      ['From', '2026-11-02T09:00:00.000Z'],
      ['To, not included', '2026-11-02T09:01:00.000Z'],
      ['Rows of Values', '8'],
      ['Rows of Events', '2'],
      ['Rows of Constituents', '1'],
      ['Times', 'UTC, to the second. The next column has the milliseconds.'],
      ['Numbers', 'Exactly as published. 5 values are text in italics, because a spreadsheet keeps only 15 digits.'],
    ])
    expect(left()).toEqual(['out'])
  })
})

/** A copy in its own ArrayBuffer. */
function toArrayBuffer(bytes: Buffer): ArrayBuffer {
  return Uint8Array.from(bytes).buffer
}

/** The decimal column with all digits. The library would convert it to floats. */
async function decimalsIn(file: ArrayBuffer): Promise<(string | null)[]> {
  const metadata = parquetMetadata(file)
  const column = metadata.schema.find(({ name }) => name === 'valueDecimal')
  expect(column).toMatchObject({ converted_type: 'DECIMAL', precision: 38, scale: 18, type_length: 16 })
  delete column?.converted_type
  const rows: Record<string, unknown>[] = await parquetReadObjects({
    file,
    metadata,
    columns: ['valueDecimal'],
    utf8: false,
  })
  return rows.map((row) => {
    const bytes = row['valueDecimal'] as Uint8Array | null
    if (bytes === null) return null
    const units = BigInt.asIntN(128, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
    const digits = (units < 0n ? -units : units).toString().padStart(19, '0')
    return `${units < 0n ? '-' : ''}${digits.slice(0, -18)}.${digits.slice(-18)}`
  })
}

describe('as Parquet', () => {
  test('has the exact text, and the same as a decimal where it fits', async () => {
    const { run, read } = await open(awkward)
    expect(await run({ format: 'parquet' })).toEqual({ ok: true, value: { rowCount: 8 } })
    const bytes = read()
    const file = toArrayBuffer(bytes)
    const rows: Record<string, unknown>[] = await parquetReadObjects({ file })
    expect(rows.map((row) => row['value'])).toEqual(awkward.map(({ value }) => value))
    expect(rows[1]).toMatchObject({
      id: 'BRTI',
      published: new Date(startMs),
      amended: new Date(startMs + 10_000),
      received: new Date(startMs + 10_250),
      source: 'rest',
      connection: 'Demo',
      isCarriedForward: false,
    })
    expect(rows[0]).toMatchObject({ amended: null })
    expect(rows[2]).toMatchObject({ isCarriedForward: true, connection: 'Desk, "Frankfurt"' })
    // Values with more than 18 decimals, or more than 20 digits before the point, are only in the text column.
    expect(await decimalsIn(file)).toEqual([
      '79767.340000000000000000',
      '79757.340000000000000000',
      '0.000013500000000000',
      '0.000000000000000000',
      '12345678901234567890.123456789012345678',
      null,
      null,
      '-99999999999999999999.999999999999999999',
    ])
  })

  test('marks its times as UTC', async () => {
    const { run, read } = await open(awkward)
    await run({ format: 'parquet', resolution: 'minute' })
    const { schema } = parquetMetadata(toArrayBuffer(read()))
    const times = schema.filter(({ name }) => ['at', 'published', 'amended', 'received'].includes(name))
    expect(times.map(({ logical_type }) => logical_type)).toEqual(
      Array.from({ length: 4 }, () => ({ type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' })),
    )
  })

  test('of many rows is written in several groups and read back whole', async () => {
    const values = Array.from({ length: 20_003 }, (_, at) => storedValue(at / 5, `${79_000 + at}.${at % 10}0`))
    const { run, read } = await open(values)
    const seen: ExportProgress[] = []
    const onProgress = (progress: ExportProgress) => {
      seen.push(progress)
    }
    expect(await run({ format: 'parquet' }, { onProgress })).toEqual({ ok: true, value: { rowCount: 20_003 } })
    const bytes = read()
    const file = toArrayBuffer(bytes)
    const rows: Record<string, unknown>[] = await parquetReadObjects({ file, columns: ['value', 'published'] })
    expect(rows.map((row) => row['value'])).toEqual(values.map(({ value }) => value))
    expect(rows.at(-1)).toEqual({
      value: '99002.20',
      published: new Date(startMs + 4_000_400),
    })
    expect(seen.length).toBeGreaterThan(3)
    expect(seen.at(-1)).toEqual({ rowCount: 20_003, fraction: 1 })
  })
})

describe('a file', () => {
  test('that exists is unchanged if the export is cancelled', async () => {
    const { run, read, left, target } = await open(Array.from({ length: 12_000 }, (_, at) => storedValue(at, `${at}`)))
    writeFileSync(join(target, 'out'), 'mine')
    const cancelling = new AbortController()
    const onProgress = () => cancelling.abort()
    expect(await run({}, { signal: cancelling.signal, onProgress })).toEqual({ ok: true, value: null })
    expect(read().toString()).toBe('mine')
    expect(left()).toEqual(['out'])
    expect((await run()).ok).toBe(true)
    expect(read().toString()).not.toBe('mine')
  })

  test('is not written without values, and the problem says since when there are some', async () => {
    const { run, left } = await open(awkward)
    expect(await run({ toMs: startMs, fromMs: startMs - 1 })).toMatchObject({
      problem: {
        code: 'noValues',
        message: expect.stringContaining(
          'Nothing was exported: the history has no values of BRTI in this range. The oldest value is from 2026-11-02 09:00 UTC.',
        ) as string,
      },
    })
    expect(await run({ indexIds: ['NONE'] })).toMatchObject({
      problem: { message: 'Nothing was exported: the history has no values of NONE.' },
    })
    expect(left()).toEqual([])
  })

  test('that cannot be written says why', async () => {
    const { run, target } = await open(awkward)
    expect(await run({}, { path: join(target, 'no', 'out') })).toMatchObject({ problem: { code: 'notSaved' } })
    // Root can write everywhere.
    if (process.getuid?.() === 0) return
    chmodSync(target, 0o500)
    expect(await run()).toMatchObject({ problem: { code: 'noPermission' } })
    chmodSync(target, 0o700)
  })

  test.runIf(canMount)('that does not fit on the disk is not there, and the one before still is', async () => {
    const { run } = await open(Array.from({ length: 10_000 }, (_, at) => storedValue(at, `${at}`)))
    const { folder, fill, free } = smallDisk()
    const path = join(folder, 'values.csv')
    fill(65_536)
    const fail = async (format: ExportFormat) =>
      expect(await run({ format }, { path })).toMatchObject({
        problem: { code: 'diskFull', message: expect.stringContaining('values.csv was not saved') as string },
      })
    for (const format of exportFormats) {
      await fail(format)
      expect(readdirSync(folder)).toEqual(['ballast'])
    }
    writeFileSync(path, 'mine')
    for (const format of exportFormats) {
      await fail(format)
      expect(readFileSync(path, 'utf8')).toBe('mine')
      expect(readdirSync(folder).toSorted()).toEqual(['ballast', 'values.csv'])
    }
    free()
    expect((await run({ format: 'parquet' }, { path })).ok).toBe(true)
  })

  test('of a missing or invalid history is not written, with a reason', async () => {
    const { run, historyPath, history } = await open(awkward)
    await history.close()
    writeFileSync(historyPath, 'this is no database, and long enough to be looked at'.repeat(100))
    expect(await run()).toMatchObject({ problem: { code: 'unreadable' } })
    const task = {
      historyPath: `${historyPath}.none`,
      path: 'x',
      temporaryPath: 'x.tmp',
      nowMs,
      decimalSign: '.' as const,
    }
    const request: ExportRequest = { indexIds: ['BRTI'], fromMs: 0, toMs: 1, resolution: 'every', format: 'csv' }
    const options = { signal: new AbortController().signal, onProgress: noProgress }
    expect(await exportToFile({ ...task, request }, options)).toMatchObject({ problem: { code: 'noValues' } })
    expect(existsSync('x.tmp')).toBe(false)
  })

  test.each<[string, string, (path: string) => void]>([
    [
      'of a newer version',
      'The history was written by a newer version. Update Indexwatch.',
      (path) => {
        const newer = new Database(path)
        newer.exec('PRAGMA user_version = 99')
        newer.close()
      },
    ],
    [
      'cut off',
      'The history is damaged. Start Indexwatch to restore it.',
      (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
    ],
    [
      'with a flipped byte in its middle',
      'The history is damaged. Start Indexwatch to restore it.',
      (path) => {
        const bytes = readFileSync(path)
        // The first byte of a page is its type.
        const at = 4_096 * Math.floor(bytes.length / 4_096 / 2)
        bytes[at] = (bytes[at] ?? 0) ^ 0xff
        writeFileSync(path, bytes)
      },
    ],
  ])('of a history %s says so, and the one before stays', async (_, message, spoil) => {
    const { run, read, left, target, history, historyPath } = await open(
      Array.from({ length: 10_000 }, (_value, at) => storedValue(at, `${at}.50`)),
    )
    expect(await run()).toEqual({ ok: true, value: { rowCount: 10_000 } })
    await history.close()
    writeFileSync(join(target, 'out'), 'mine')
    spoil(historyPath)
    expect(await run()).toMatchObject({ problem: { message } })
    expect(read().toString()).toBe('mine')
    expect(left()).toEqual(['out'])
  })

  test.runIf(canMount)('on a disk that is read-only says so', async () => {
    const { run } = await open(awkward)
    const { folder } = smallDisk()
    execFileSync('mount', ['-o', 'remount,ro', folder])
    expect(await run({}, { path: join(folder, 'values.csv') })).toMatchObject({
      problem: { code: 'readOnly', message: expect.stringContaining('Choose another place.') as string },
    })
  })

  test('has the usual mode', async () => {
    const { run, target } = await open(awkward)
    await run()
    if (process.platform !== 'win32') expect(statSync(join(target, 'out')).mode & 0o111).toBe(0)
  })
})
