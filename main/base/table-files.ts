/** Tables as files: CSV for programs, CSV for spreadsheets, and Excel workbooks. */
import { formatCount, isDecimalText, writeOut } from '../../core/decimal'
import { isoTime, kindOf, recordCells, records, type FieldName, type ProgramRecord } from '../../core/records'
import type { TableFormat } from '../../core/table-formats'
import { csvLines, csvText, type CsvRow } from './csv'
import type { DecimalSign } from './region'
import { sanitizeText } from './sanitize'
import { maxSheetDecimals, workbook, type Sheet, type SheetCell } from './workbook'

type Pages<Row> = Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>

/** A table of records, or of texts that the provider sent. A plain decimal among the texts is a number in a spreadsheet. */
export type Table =
  | { name: string; fields: readonly FieldName[]; pages: Pages<ProgramRecord> }
  | { name: string; columns: readonly string[]; pages: Pages<CsvRow> }

/** A table of records of one kind. */
export function recordTable(name: string, kind: keyof typeof records, pages: Pages<ProgramRecord>): Table {
  return { name, fields: records[kind], pages }
}

export interface TableOptions {
  format: TableFormat
  /** For `csv-excel`. */
  decimalSign: DecimalSign
  /** Title of the workbook. */
  title: string
  nowMs: number
  /** Further facts of the workbook, such as its range. */
  facts?: readonly (readonly [string, string])[]
}

/** Pieces of the file. CSV has the first table only. Throws `SheetFull` if a workbook cannot hold a table. */
export function tableFile(
  tables: readonly [Table, ...Table[]],
  options: TableOptions,
): AsyncIterable<string | Uint8Array> {
  const [first] = tables
  switch (options.format) {
    case 'csv':
      return plainCsv(first)
    case 'csv-excel':
      return spreadsheetCsv(sheetOf(first), options.decimalSign)
    case 'xlsx':
      return workbookFile(tables, options)
  }
}

/** A table on the main thread is encoded in pieces that block it only briefly. */
const rowsInPiece = 20

async function* inPieces<Row>(pages: Pages<Row>): AsyncGenerator<Row[], void> {
  for await (const page of pages) {
    for (let at = 0; at < page.length; at += rowsInPiece) yield page.slice(at, at + rowsInPiece)
  }
}

async function* plainCsv(table: Table): AsyncGenerator<string, void> {
  if ('columns' in table) {
    yield csvLines([table.columns])
    for await (const rows of inPieces(table.pages)) yield csvLines(rows)
    return
  }
  yield csvLines([table.fields])
  for await (const rows of inPieces(table.pages)) yield csvLines(rows.map((row) => recordCells(table.fields, row)))
}

/** Spreadsheets recognise UTF-8 only with this mark. */
const byteOrderMark = '\ufeff'

async function* spreadsheetCsv({ columns, pages }: Sheet, decimalSign: DecimalSign): AsyncGenerator<string, void> {
  // A region with a decimal comma separates cells by a semicolon.
  const separator = decimalSign === ',' ? ';' : ','
  const line = (fields: readonly string[]) => `${fields.join(separator)}\r\n`
  yield byteOrderMark + line(columns.map(csvText))
  for await (const rows of pages) {
    yield rows.map((row) => line(row.map((cell) => spreadsheetField(cell, decimalSign)))).join('')
  }
}

function spreadsheetField(cell: SheetCell, decimalSign: DecimalSign): string {
  switch (cell?.kind) {
    case undefined:
      return ''
    case 'text':
      return csvText(cell.text)
    case 'exact':
      // With the apostrophe it stays a text with all digits.
      return `'${cell.text}`
    case 'number':
      return cell.text.replace('.', decimalSign)
    case 'time':
      return isoTime(cell.atMs).slice(0, 19).replace('T', ' ')
  }
}

function workbookFile(tables: readonly Table[], { title, nowMs, facts = [] }: TableOptions) {
  const counts = new Map<string, number>()
  let exactCount = 0
  const sheets = tables.map((table): Sheet => {
    const sheet = sheetOf(table)
    const counted = async function* () {
      for await (const rows of sheet.pages) {
        counts.set(table.name, (counts.get(table.name) ?? 0) + rows.length)
        exactCount += rows.flat().filter((cell) => cell?.kind === 'exact').length
        yield rows
      }
    }
    return { ...sheet, pages: counted() }
  })
  // It is the last sheet, because its counts are known only when the others are written.
  const about = function* (): Generator<SheetCell[][], void> {
    const rows: readonly (readonly [string, string])[] = [
      ['Content', title],
      ['Written', isoTime(nowMs)],
      ...facts,
      ...tables.map(({ name }) => [`Rows of ${name}`, formatCount(counts.get(name) ?? 0)] as const),
      ['Times', 'UTC, to the second. The next column has the milliseconds.'],
      ['Numbers', exactWords(exactCount)],
    ]
    yield rows.map((row) => row.map(textCell))
  }
  return workbook([...sheets, { name: 'About', columns: ['About', ''], pages: about() }], nowMs)
}

function exactWords(count: number): string {
  if (count === 0) return `Exactly as published. None has more than ${maxDigits} digits.`
  const values = count === 1 ? '1 value is' : `${formatCount(count)} values are`
  return `Exactly as published. ${values} text in italics, because a spreadsheet keeps only ${maxDigits} digits.`
}

/** Its rows in pieces. A time has two columns, the second for its milliseconds. */
function sheetOf(table: Table): Sheet {
  const { name } = table
  if ('columns' in table) {
    const cells = (row: CsvRow) => row.map((text) => (text === undefined ? undefined : cellOfText(text)))
    return { name, columns: table.columns.map((each) => clean(each)), pages: mapped(table.pages, cells) }
  }
  const { fields, pages } = table
  const columns = fields.flatMap((field) => (kindOf(field) === 'time' ? [field, `${field}Ms`] : [field]))
  return { name, columns, pages: mapped(pages, (record) => recordSheetCells(fields, record)) }
}

async function* mapped<Row>(pages: Pages<Row>, cells: (row: Row) => SheetCell[]): AsyncGenerator<SheetCell[][], void> {
  for await (const rows of inPieces(pages)) yield rows.map((row) => cells(row))
}

function recordSheetCells(fields: readonly FieldName[], record: ProgramRecord): SheetCell[] {
  const texts = recordCells(fields, record)
  return fields.flatMap((field, at): SheetCell[] => {
    const text = texts[at]
    const kind = kindOf(field)
    if (kind === 'time') return timeCells(record[field] as number | undefined)
    if (text === undefined) return [undefined]
    return [(kind === 'decimal' || kind === 'number') && isDecimalText(text) ? numberCell(text) : textCell(text)]
  })
}

const timeCells = (atMs: number | undefined): SheetCell[] =>
  atMs === undefined
    ? [undefined, undefined]
    : [
        { kind: 'time', atMs },
        { kind: 'number', text: String(atMs % 1_000) },
      ]

/** A text with an exponent may be an id. */
const cellOfText = (text: string) => (isDecimalText(text) && !/e/i.test(text) ? numberCell(text) : textCell(text))

/** What a spreadsheet keeps of a number. */
const maxDigits = 15

/** A number if a spreadsheet keeps and shows exactly the published digits, written without an exponent. */
function numberCell(published: string): SheetCell {
  const text = writeOut(published)
  const decimals = text.split('.')[1]?.length ?? 0
  const significant = text.replace(/^-?[0.]*|\./g, '')
  const isKept =
    significant.length <= maxDigits && decimals <= maxSheetDecimals && Number(text).toFixed(decimals) === text
  return isKept ? { kind: 'number', text } : { kind: 'exact', text: published }
}

/** A cell of a spreadsheet holds this many characters. */
const maxTextLength = 32_767

const clean = (text: string) => sanitizeText(text, maxTextLength)
const textCell = (text: string): SheetCell => ({ kind: 'text', text: clean(text) })
