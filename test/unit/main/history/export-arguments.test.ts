import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readExportArguments } from '../../../../main/history/export-arguments'

const nowMs = Date.UTC(2026, 10, 21, 12)
const env = { HOME: '/home/a' }
const read = (args: string[], more: Partial<Parameters<typeof readExportArguments>[1]> = {}) =>
  readExportArguments(args, { nowMs, env, platform: 'linux', from: '/work', ...more })
const usual = ['--ids', 'BRTI,BRR', '--from', '2026-11-01', '--to', '2026-11-02', '--out', 'values.csv']

describe('the arguments of an export', () => {
  test('are indices, a range without its end, and a file', () =>
    expect(read(usual)).toEqual({
      request: {
        indexIds: ['BRTI', 'BRR'],
        fromMs: Date.UTC(2026, 10, 1),
        toMs: Date.UTC(2026, 10, 2),
        resolution: 'every',
        format: 'csv',
      },
      historyPath: '/home/a/.config/Indexwatch/tape.db',
      path: resolve('/work', 'values.csv'),
    }))

  test('may name a zone, a resolution, a folder and the demo service', () => {
    const args = ['--zone', 'Europe/Berlin', '--resolution', 'hour', '--user-data-dir', '/data', '--demo']
    expect(read(['--ids', 'BRTI,BRTI', '--from', 'yesterday', '--out', '/x/Y.PARQUET', ...args])).toEqual({
      request: {
        indexIds: ['BRTI'],
        fromMs: Date.UTC(2026, 10, 19, 23),
        toMs: nowMs,
        resolution: 'hour',
        format: 'parquet',
      },
      historyPath: '/data/tape-demo.db',
      path: resolve('/x/Y.PARQUET'),
    })
  })

  test.each([
    [['--out', 'values.csv'], 'csv'],
    [['--out', 'values.csv', '--format', 'csv-excel'], 'csv-excel'],
    [['--out', 'values.XLSX'], 'xlsx'],
    [['--out', 'values.parquet', '--format', 'parquet'], 'parquet'],
  ])('%j name the format %s', (args, format) =>
    expect(read([...usual, ...args])).toMatchObject({ request: { format } }),
  )

  test.each([
    ['linux', { HOME: '/h', XDG_CONFIG_HOME: '/c' }, '/c/Indexwatch'],
    ['darwin', { HOME: '/h' }, '/h/Library/Application Support/Indexwatch'],
    ['win32', { HOME: '/h', APPDATA: '/r' }, '/r/Indexwatch'],
  ] as const)('find the profile as the app does on %s', (platform, surroundings, folder) =>
    expect(read(usual, { platform, env: surroundings })).toMatchObject({ historyPath: `${folder}/tape.db` }),
  )

  test.each([
    [[], '--ids, --from and --out are required.'],
    [['--ids', 'A B', ...usual.slice(2)], '--ids: "A B" is not an index id.'],
    [[...usual, '--out', 'values.ods'], '--out must end in .csv, .xlsx or .parquet, not "values.ods".'],
    [[...usual, '--format', 'ods'], '--format must be one of csv, csv-excel, xlsx, parquet.'],
    [[...usual, '--format', 'xlsx'], '--out must end in .xlsx for xlsx, not "values.csv".'],
    [[...usual, '--resolution', 'week'], '--resolution must be one of every, second, minute, hour, day.'],
    [[...usual, '--zone', 'Mars'], '--zone: "Mars" is not a time zone such as Europe/London.'],
    [[...usual, '--to', '2026-10-01'], 'The range ends before it begins. Choose an end after its start.'],
    [[...usual, '--speed', '2'], "Unknown option '--speed'"],
  ])('%j are refused: %s', (args, problem) =>
    expect(read(args)).toMatchObject({ problem: expect.stringContaining(problem) as string }),
  )

  test('ask for help', () => expect(read(['--help'])).toBe('help'))
})
