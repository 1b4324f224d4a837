import { isDecimalText } from '../../core/decimal'
import { recordCells, type Clean, type FieldName, type ProgramRecord } from '../../core/records'

/** One line of a table. An unknown cell is empty. */
export type CsvRow = readonly (string | undefined)[]

/**
 * Places where a cell starts that a spreadsheet would run as a formula. That is the start of a field, and after `;` or a
 * tab, which separate cells in some countries. Includes full-width signs, and characters before the sign that some
 * programs skip.
 */
const formulaStarts = /(^|[;\t])(?=[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])|^(?=[\t\r\n])/gu

/** Lines of a table by RFC 4180 that end with LF. Fields are quoted if needed. */
export function csvLines(rows: readonly CsvRow[]): string {
  return rows.map((row) => `${row.map(fieldOf).join(',')}\n`).join('')
}

/** Records as a table with these columns. */
export function recordsCsv(names: readonly FieldName[], records: readonly ProgramRecord[], clean?: Clean): string {
  return csvLines([names, ...records.map((record) => recordCells(names, record, clean))])
}

/** Numbers stay as published. */
const fieldOf = (text = '') => (isDecimalText(text) ? text : csvText(text))

/** A text as a field, quoted if needed. An apostrophe stands before what a spreadsheet would run as a formula. */
export function csvText(text: string): string {
  const harmless = text.replace(formulaStarts, "$1'")
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** The cells of one line of a table, and the line of the text where it begins, the first of which is 1. */
export interface CsvLine {
  cells: string[]
  line: number
}

/** Reads a table by RFC 4180 with any separator. A quotation mark without its second one is a character like others. */
export function readCsv(text: string, separator: string): CsvLine[] {
  const cell = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)"(?=[${separator}\\r\\n]|$)|([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\r|\\n|$)`,
    'gy',
  )
  const lines: CsvLine[] = []
  let current: CsvLine = { cells: [], line: 1 }
  let line = 1
  while (cell.lastIndex < text.length) {
    const [whole = '', quoted, plain = '', end] = cell.exec(text) ?? []
    current.cells.push(quoted?.replaceAll('""', '"') ?? plain)
    line += whole.match(/\r\n|\r|\n/g)?.length ?? 0
    if (end === separator) continue
    lines.push(current)
    current = { cells: [], line }
  }
  if (current.cells.length > 0) lines.push({ ...current, cells: [...current.cells, ''] })
  return lines
}
