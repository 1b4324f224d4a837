import { isDecimalText } from '../../core/decimal'
import { recordCells, type Clean, type FieldName, type ProgramRecord } from '../../core/records'

/** One line of a table; what is not known stays empty. */
export type CsvRow = readonly (string | undefined)[]

/** Spreadsheets take UTF-8 for what it is only when it begins with this. */
const byteOrderMark = '\ufeff'
/**
 * Where a cell starts that a spreadsheet would run as a formula: at the start of a field, and behind `;` or a tab, which
 * separate cells in some countries. Full-width signs count, and characters before the sign that some programs skip.
 */
const formulaStarts = /(^|[;\t])(?=[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])|^(?=[\t\r\n])/gu

/** A table as RFC 4180 has it: lines end with CR LF, fields are quoted where they must be. */
export function toCsv(rows: readonly CsvRow[]): string {
  return byteOrderMark + csvLines(rows)
}

/** Records as a table with these columns. */
export function recordsCsv(names: readonly FieldName[], records: readonly ProgramRecord[], clean?: Clean): string {
  return toCsv([names, ...records.map((record) => recordCells(names, record, clean))])
}

/** Further lines of such a table. */
export function csvLines(rows: readonly CsvRow[]): string {
  return rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('')
}

/** A text that a spreadsheet would run as a formula gets an apostrophe before it. Numbers stay as published. */
function fieldOf(text = ''): string {
  const harmless = isDecimalText(text) ? text : text.replace(formulaStarts, "$1'")
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
