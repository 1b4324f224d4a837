import { expect, test } from 'vitest'
import { constituentRows, records, type ProgramRecord } from '../../../../core/records'
import { contributionRows } from '../../../../main/lists/tables'
import { csvLines, recordsCsv } from '../../../../main/base/csv'

const noon = Date.UTC(2023, 10, 1, 12)

/** The cells of a table as CSV. */
function read(kind: 'constituent' | 'contribution', rows: ProgramRecord[]): string[][] {
  const csv = recordsCsv(records[kind], rows)
  expect(csv.endsWith('\n')).toBe(true)
  const lines = csv.trimEnd().split('\n')
  return lines.map((line) => line.split(','))
}

test('a field is quoted where it must be, and only there', () =>
  expect(csvLines([['plain', 'with, comma', 'with "quotes"', 'two\nlines', undefined]])).toBe(
    'plain,"with, comma","with ""quotes""","two\nlines",\n',
  ))

test.each(['=1+1', '+SUM(A1)', '-x', '@cmd', '\t=1', '=HYPERLINK("x")', ' =1', '\u202e=1', '＝1', '－x'])(
  '%s is no formula any more',
  (text) => expect(csvLines([[text]])).toContain(`'${text.replaceAll('"', '""')}`),
)

test.each([
  [';=1+1', `";'=1+1"`],
  ['a;=1+1', `"a;'=1+1"`],
  ['a\t=1+1', `"a\t'=1+1"`],
  ['a; \u202e+1', `"a;' \u202e+1"`],
  ['a;b', '"a;b"'],
])('%j starts no formula where a spreadsheet separates cells by a semicolon or a tab', (text, field) =>
  expect(csvLines([[text]])).toBe(`${field}\n`),
)

test.each(['-1.50', '1.3525e-5', '0.10', '-0', 'A=1', 'a-b'])('%s stays as it is', (text) =>
  expect(csvLines([[text]])).toBe(`${text}\n`),
)

test('constituents stand with their calculation, and their weights add up as published', () => {
  const rows = constituentRows('NCI', {
    value: '3456.70',
    publishedAtMs: noon,
    divisor: '1.0250',
    constituents: [
      { constituent: 'BTC', value: '79767.34', weightPercent: '60.5', exchanges: [] },
      {
        constituent: '=ETH',
        value: '2500.10',
        weightPercent: '39.5',
        exchanges: [
          { exchange: 'Kraken', weightPercent: '70' },
          { exchange: 'Gemini', weightPercent: '30' },
        ],
      },
    ],
  })
  expect(read('constituent', rows).map((row) => row.join())).toEqual([
    'id,published,divisor,constituent,value,weightPercent,exchange,exchangeWeightPercent',
    'NCI,2023-11-01T12:00:00.000Z,1.0250,BTC,79767.34,60.5,,',
    "NCI,2023-11-01T12:00:00.000Z,1.0250,'=ETH,2500.10,39.5,,",
    "NCI,2023-11-01T12:00:00.000Z,1.0250,'=ETH,,,Kraken,70",
    "NCI,2023-11-01T12:00:00.000Z,1.0250,'=ETH,,,Gemini,30",
  ])
  const without = constituentRows('NCI', { value: '1', publishedAtMs: noon, constituents: [] })
  expect(read('constituent', without)).toHaveLength(1)
})

test('contributions and the residual add up to the change of the index', () => {
  const of = (value: string, publishedAtMs: number, members: [string, string, string][]) => ({
    value,
    publishedAtMs,
    constituents: members.map(([constituent, each, weightPercent]) => ({ constituent, value: each, weightPercent })),
  })
  const then = of('1000.00', noon - 1_000, [
    ['BTC', '100', '60'],
    ['XRP', '1.0', '40'],
  ])
  const now = of('1011.50', noon, [
    ['BTC', '101', '58'],
    ['SOL', '150.10', '42'],
  ])
  const [header, ...rows] = read('contribution', contributionRows('NCI', 'close', { now, then }))
  expect(header?.join()).toBe(
    'id,baseline,from,to,part,constituent,valueBefore,value,weightPercentBefore,weightPercent,contribution',
  )
  const times = 'NCI,utcMidnight,2023-11-01T11:59:59.000Z,2023-11-01T12:00:00.000Z'
  expect(rows.map((row) => row.join())).toEqual([
    `${times},constituent,BTC,100,101,60,58,6.00`,
    `${times},constituent,SOL,,150.10,,42,`,
    `${times},residual,,,,,,5.50`,
    `${times},index,,1000.00,1011.50,,,11.50`,
  ])
})
