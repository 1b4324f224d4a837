import { expect, test } from 'vitest'
import { records, type ProgramRecord } from '../../../../core/records'
import type { TableFormat } from '../../../../core/table-formats'
import { recordTable, tableFile, type Table } from '../../../../main/base/table-files'
import type { DecimalSign } from '../../../../main/base/region'
import { workbook } from '../../../../main/base/workbook'
import { readWorkbook } from '../../../support/read-workbook'

const atMs = Date.UTC(2026, 10, 2, 9, 0, 0, 47)
const nowMs = Date.UTC(2026, 10, 3)
const row = (value: string, more: ProgramRecord = {}): ProgramRecord => ({
  ...{ id: 'BRTI', value, published: atMs, isCarriedForward: false, connection: 'Desk' },
  ...more,
})
const valuesOf = (...rows: ProgramRecord[]) => recordTable('Values', 'value', [rows])

async function written(tables: [Table, ...Table[]], format: TableFormat, decimalSign: DecimalSign = '.') {
  const pieces: Uint8Array[] = []
  for await (const piece of tableFile(tables, { format, decimalSign, title: 'BRTI', nowMs })) {
    pieces.push(Buffer.from(piece))
  }
  return Buffer.concat(pieces)
}

/** The fields of a file without quoted ones. */
const fieldsOf = (file: Buffer, separator: string) =>
  file
    .toString('utf8')
    .slice(1)
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(separator))

const asWorkbook = async (...tables: [Table, ...Table[]]) => readWorkbook(await written(tables, 'xlsx'))

const text = 'a text with every digit'
/** Published numbers, and the cell of each in a spreadsheet. */
const numbers: [string, string][] = [
  ['79767.30', '79767.30'],
  ['-0.10', '-0.10'],
  ['0', '0'],
  ['0.000', '0.000'],
  ['-0.00', text],
  ['007', text],
  ['1.350e-5', '0.00001350'],
  ['1e3', '1000'],
  ['123456789012345', '123456789012345'],
  ['1234567890123456', text],
  ['100000000000000000000', text],
  ['79767.3400000000', '79767.3400000000'],
  ['79767.34000000000', text],
  ['0.00000000000000000000123456789', '0.00000000000000000000123456789'],
  ['0.0000000000000000000000000000012', text],
  ['1e-40', text],
  ['12345678901234567890.123456789012345678', text],
]

test('CSV is for programs: commas, points, LF, no byte order mark, the published text', async () => {
  const file = await written([valuesOf(row('1.350e-5'))], 'csv', ',')
  expect(file.toString('utf8')).toBe(
    `${records.value.join(',')}\nBRTI,,1.350e-5,2026-11-02T09:00:00.047Z,,no,,,,Desk\n`,
  )
})

test('CSV for Excel in a region with a decimal comma has semicolons and commas', async () => {
  const file = await written([valuesOf(row('79767.30', { connection: 'A;B' }))], 'csv-excel', ',')
  expect(file.toString('utf8')).toBe(
    '\ufeffid;at;atMs;value;published;publishedMs;amended;amendedMs;isCarriedForward;missing;received;receivedMs;source;connection\r\n' +
      'BRTI;;;79767,30;2026-11-02 09:00:00;47;;;no;;;;;"A;B"\r\n',
  )
})

test('CSV for Excel in a region with a decimal point has commas and points', async () => {
  const file = await written([valuesOf(row('79767.30'))], 'csv-excel')
  expect(fieldsOf(file, ',')[1]?.slice(0, 6)).toEqual(['BRTI', '', '', '79767.30', '2026-11-02 09:00:00', '47'])
})

test.each(numbers)('%s is %s in a spreadsheet', async (published, cell) => {
  const number = cell === text ? undefined : cell
  const table = valuesOf(row(published))
  const fields = fieldsOf(await written([table], 'csv-excel', ','), ';')
  expect(fields[1]?.[3]).toBe(number === undefined ? `'${published}` : number.replace('.', ','))
  const { Values, About } = await asWorkbook(table)
  const places = number?.split('.')[1]?.length ?? 0
  expect(Values?.[1]?.[3]).toEqual(
    number === undefined
      ? { text: published, isText: true, isItalic: true, format: '' }
      : { text: number, isText: false, isItalic: false, format: places === 0 ? '0' : `0.${'0'.repeat(places)}` },
  )
  expect(About?.at(-1)?.[1]?.text).toContain(number === undefined ? '1 value is text in italics' : 'None has more')
})

test.each(['=1+1', '+SUM(A1)', '-x', '@cmd', ' =1', '\u202e=1', '＝1', 'a;=1'])(
  'the text %j is no formula in a spreadsheet',
  async (text) => {
    const table = valuesOf(row('1', { connection: text }))
    const shown = text.replace('\u202e', '').trim()
    expect((await written([table], 'csv-excel', ',')).toString('utf8').trimEnd()).toMatch(/;"?(?:a;)?'[^;]*$/)
    expect((await asWorkbook(table))['Values']?.[1]?.at(-1)).toMatchObject({ text: shown, isText: true })
  },
)

test('characters that a cell cannot hold are cleaned, and a text is cut at the limit of a cell', async () => {
  const bad = 'a\u0000b\u202ec\u0007\ud800\ufffe\uffff<&">\u{1f600}'
  const { Values } = await asWorkbook(valuesOf(row('1', { connection: bad, source: 'x'.repeat(40_000) })))
  expect(Values?.[1]?.at(-1)?.text).toBe('abc\ufffd<&">\u{1f600}')
  expect(Values?.[1]?.at(-2)?.text).toHaveLength(32_767)
  expect((await written([valuesOf(row('1', { connection: 'a\u202eb\u0000' }))], 'csv-excel')).toString()).toContain(
    ',ab\r',
  )
})

test('a workbook has times to the second, milliseconds beside them, a sheet for each table', async () => {
  const times = [0, 999, Date.UTC(2026, 1, 28, 23, 59, 59, 999), Date.UTC(2026, 2, 1)]
  const workbookOf = await asWorkbook(
    valuesOf(...times.map((each) => row('1', { published: each }))),
    recordTable('Constituents', 'constituent', []),
  )
  expect(Object.keys(workbookOf)).toEqual(['Values', 'Constituents', 'About'])
  const [head, ...rows] = workbookOf['Values'] ?? []
  expect(head?.map((cell) => cell?.text).slice(3, 6)).toEqual(['value', 'published', 'publishedMs'])
  expect(rows.map((cells) => cells[4]?.format)).toEqual(times.map(() => String.raw`yyyy\-mm\-dd\ hh:mm:ss`))
  // Excel counts days from 30 December 1899.
  const shown = rows.map((cells) => Date.UTC(1899, 11, 30) + Math.round(Number(cells[4]?.text) * 86_400) * 1_000)
  expect(shown).toEqual(times.map((each) => Math.floor(each / 1_000) * 1_000))
  expect(rows.map((cells) => cells[5]?.text)).toEqual(times.map((each) => String(each % 1_000)))
  expect(workbookOf['About']?.map((cells) => cells.map((cell) => cell?.text))).toEqual([
    ['About', ''],
    ['Content', 'BRTI'],
    ['Written', '2026-11-03T00:00:00.000Z'],
    ['Rows of Values', '4'],
    ['Rows of Constituents', '0'],
    ['Times', 'UTC, to the second. The next column has the milliseconds.'],
    ['Numbers', 'Exactly as published. None has more than 15 digits.'],
  ])
})

test('a table of texts has its plain decimals as numbers, and what may be an id as text', async () => {
  const table: Table = {
    name: 'Answer',
    columns: ['a', '=b'],
    pages: [
      [
        ['79767.30', '1E5'],
        [undefined, '-x'],
      ],
    ],
  }
  expect((await written([table], 'csv-excel', ',')).toString()).toBe("\ufeffa;'=b\r\n79767,30;1E5\r\n;'-x\r\n")
  const { Answer } = await asWorkbook(table)
  expect(Answer?.[1]?.map((cell) => [cell?.text, cell?.isText])).toEqual([
    ['79767.30', false],
    ['1E5', true],
  ])
})

test('a sheet is refused when it is full, and not before', async () => {
  const page = Array.from({ length: 65_536 }, () => [undefined])
  let accepted = 0
  function* pages() {
    // A page is asked for only once the page before it is written.
    for (const rows of [...Array<typeof page>(15).fill(page), page.slice(1), page.slice(0, 1)]) {
      yield rows
      accepted += rows.length
    }
  }
  const write = async () => {
    for await (const piece of workbook([{ name: 'Values', columns: ['id'], pages: pages() }], nowMs))
      expect(piece.length).toBeGreaterThan(0)
  }
  await expect(write()).rejects.toThrow('an Excel sheet holds at most 1,048,576 rows')
  // The row of the column names is the last one that fits.
  expect(accepted).toBe(1_048_575)
})
