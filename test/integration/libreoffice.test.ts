/** Opens tables in LibreOffice. Runs in `npm run test:deep`, which installs it. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { recordTable, tableFile } from '../../main/base/table-files'
import { decimalSignOf } from '../../main/base/region'
import { kindOf, records, type ProgramRecord } from '../../core/records'
import type { TableFormat } from '../../core/table-formats'
import { temporaryFolder } from '../support/temporary-folder'

const run = promisify(execFile)
const nowMs = Date.UTC(2026, 10, 3)

interface SeenCell {
  /** `float`, `date` or `string`. */
  type: string
  /** What the user sees. */
  shown: string
}

/** Opens the file and returns the cells of each sheet by its name. `filter` is how it is read. */
async function openedSheets(
  file: Buffer,
  name: string,
  filter: readonly string[] = [],
): Promise<Map<string, SeenCell[][]>> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, name), file)
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  await run('soffice', [
    profile,
    '--headless',
    ...filter,
    '--convert-to',
    'fods',
    '--outdir',
    folder,
    join(folder, name),
  ])
  const document = readFileSync(join(folder, name.replace(/\.\w+$/, '.fods')), 'utf8')
  const sheets = document.matchAll(/<table:table table:name="(.*?)".*?>(.*?)<\/table:table>/gs)
  return new Map(Array.from(sheets, ([, title = '', sheet = '']) => [title, cellsOf(sheet)]))
}

function cellsOf(sheet: string): SeenCell[][] {
  return Array.from(sheet.matchAll(/<table:table-row.*?<\/table:table-row>/gs), ([row]) =>
    Array.from(
      row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs),
      ([, attributes = '', content = '']) => {
        const seen: SeenCell = {
          type: /office:value-type="(\w+)"/.exec(attributes)?.[1] ?? '',
          shown: Array.from(content.matchAll(/<text:p>(.*?)<\/text:p>/gs), ([, text]) => text).join('\n'),
        }
        const count = Number(/number-columns-repeated="(\d+)"/.exec(attributes)?.[1] ?? 1)
        return Array.from({ length: Math.min(count, 50) }, () => seen)
      },
    ).flat(),
  )
}

/** The cells of the first sheet. */
async function opened(...file: Parameters<typeof openedSheets>): Promise<SeenCell[][]> {
  return [...(await openedSheets(...file)).values()][0] ?? []
}

const published = [
  ...['79767.30', '-0.10', '0.00001350', '123456789012345', '0.000', '1000', '3500.5'],
  ...['1234567890123456', '79767.34000000000', '-0.00', '12345678901234567890.123456789012345678'],
]
const keptCount = 7
const times = [0, 999, Date.UTC(2026, 10, 2, 9, 0, 0, 47), Date.UTC(2026, 1, 28, 23, 59, 59, 999), Date.UTC(2026, 2, 1)]
const texts = ['=1+1', '+49', '@x', '-x', 'Größe; "€"', '1E5 Desk', '\u202eabc']
const shownTexts = ['=1+1', '+49', '@x', '-x', 'Größe; "€"', '1E5 Desk', 'abc']
const rows = Array.from({ length: 11 }, (_, at): ProgramRecord => ({
  id: 'BRTI',
  value: published[at % published.length],
  published: times[at % times.length],
  isCarriedForward: at % 2 === 0,
  connection: texts[at % texts.length],
}))

async function fileOf(
  format: TableFormat,
  locale: string,
  tables: Parameters<typeof tableFile>[0] = [recordTable('Values', 'value', [rows])],
): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  const options = { format, decimalSign: decimalSignOf({ LANG: locale }), title: 'BRTI', nowMs }
  for await (const piece of tableFile(tables, options)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

/** As many rows as a test compares quickly, each with another value and time. */
const dayRows = (day: number) =>
  Array.from({ length: 1_000 }, (_, at): ProgramRecord => {
    const atMs = Date.UTC(2026, 10, day, 0, 0, at, at)
    return {
      id: 'BRTI',
      value: `${79_000 + at}.${100 + day}`,
      published: atMs,
      isCarriedForward: at % 7 === 0,
      connection: 'Desk',
    }
  })

/** What a spreadsheet shows of a record, cell by cell. */
function shownCells(record: ProgramRecord): (SeenCell | undefined)[] {
  return records.value.flatMap((field): (SeenCell | undefined)[] => {
    const value = record[field]
    if (kindOf(field) === 'time') {
      const atMs = value as number | undefined
      if (atMs === undefined) return [undefined, undefined]
      const shown = new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')
      return [
        { type: 'date', shown },
        { type: 'float', shown: String(atMs % 1_000) },
      ]
    }
    if (value === undefined) return [undefined]
    if (field === 'value') return [{ type: 'float', shown: String(value) }]
    return [{ type: 'string', shown: typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value) }]
  })
}

/** A time has two columns. The second has its milliseconds. */
const columns: readonly string[] = records.value.flatMap((field) =>
  kindOf(field) === 'time' ? [field, `${field}Ms`] : [field],
)
const places = {
  value: columns.indexOf('value'),
  published: columns.indexOf('published'),
  ms: columns.indexOf('publishedMs'),
  connection: columns.indexOf('connection'),
}

/** The numbers that LibreOffice gives the languages of `soffice --infilter`. */
const regions = [
  ['de_DE.UTF-8', 1031, 59],
  ['fr_FR.UTF-8', 1036, 59],
  ['en_US.UTF-8', 1033, 44],
] as const

describe('LibreOffice', () => {
  test('shows each cell of a workbook as published', { timeout: 120_000 }, async () => {
    const [, ...seen] = await opened(await fileOf('xlsx', 'en_US.UTF-8'), 'values.xlsx')
    expect(seen.slice(0, rows.length).map((cells) => cells[places.value])).toEqual(
      published.map((shown, at) => ({ type: at < keptCount ? 'float' : 'string', shown })),
    )
    for (const [at, { published: atMs = 0 }] of rows.entries()) {
      const shown = new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')
      expect(seen[at]?.[places.published]).toEqual({ type: 'date', shown })
      expect(seen[at]?.[places.ms]).toEqual({ type: 'float', shown: String(atMs % 1_000) })
      expect(seen[at]?.[places.connection]).toEqual({ type: 'string', shown: asXml(shownTexts[at % texts.length]) })
    }
  })

  test('shows each cell of each sheet of a long workbook as published', { timeout: 240_000 }, async () => {
    const days = new Map([2, 2, 3].map((day, at) => [`2026-11-0${day}${at < 2 ? ` (${at + 1})` : ''}`, dayRows(day)]))
    const [first, ...others] = [...days].map(([name, content]) => recordTable(name, 'value', [content]))
    if (first === undefined) throw new Error('no sheet')
    const sheets = await openedSheets(await fileOf('xlsx', 'en_US.UTF-8', [first, ...others]), 'days.xlsx')
    expect([...sheets.keys()]).toEqual([...days.keys(), 'About'])
    let compared = 0
    for (const [name, content] of days) {
      const seen = sheets.get(name)?.slice(1) ?? []
      for (const [at, record] of content.entries()) {
        const wanted = shownCells(record)
        const cells = wanted.map((cell, column) => (cell === undefined ? undefined : seen[at]?.[column]))
        expect(cells).toEqual(wanted)
        compared += wanted.length
      }
    }
    expect(compared).toBe(3 * 1_000 * shownCells({}).length)
  })

  test.each(regions)(
    'reads CSV for Excel of %s as numbers, times and texts',
    { timeout: 120_000 },
    async (locale, language, separator) => {
      const filter = `--infilter=Text - txt - csv (StarCalc):${separator},34,76,1,,${language},false,true`
      const [head, ...seen] = await opened(await fileOf('csv-excel', locale), 'values.csv', [filter])
      expect(head?.[0]?.shown).toBe('id')
      const sign = decimalSignOf({ LANG: locale })
      expect(seen.slice(0, rows.length).map((cells) => cells[places.value]?.type)).toEqual(
        published.map((_, at) => (at < keptCount ? 'float' : 'string')),
      )
      for (const [at, { value = '', published: atMs = 0 }] of rows.entries()) {
        const shown = seen[at]?.[places.value]?.shown ?? ''
        // Without number formats, zeros at the end are not shown.
        if (at < keptCount) expect(Number(shown.replace(sign, '.'))).toBe(Number(value))
        else expect(shown).toBe(asXml(`'${value}`))
        expect(seen[at]?.[places.published]?.type).toBe('date')
        expect(seen[at]?.[places.ms]).toEqual({ type: 'float', shown: String(atMs % 1_000) })
        const text = shownTexts[at % texts.length] ?? ''
        expect(seen[at]?.[places.connection]).toEqual({
          type: 'string',
          shown: asXml(/^[=+@-]/.test(text) ? `'${text}` : text),
        })
      }
    },
  )
})

function asXml(text = ''): string {
  return text.replaceAll('&', '&amp;').replaceAll("'", '&apos;').replaceAll('"', '&quot;')
}
