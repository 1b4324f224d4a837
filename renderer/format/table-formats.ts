import type { TableFormat } from '../../core/table-formats'

/** The formats of a table by their names, in the order on screen. */
export const tableFormatNames = {
  CSV: 'csv',
  'CSV for Excel': 'csv-excel',
  'Excel workbook': 'xlsx',
} as const satisfies Record<string, TableFormat>

/** The same as options of a choice. */
export const tableFormatOptions = Object.entries(tableFormatNames).map(([name, value]) => ({ value, name }))

/** What a file of each format is like. */
export const tableFormatWords: Record<TableFormat, string> = {
  csv: 'For programs. Values exactly as published, with a decimal point.',
  'csv-excel': 'For spreadsheets. Separator and decimal sign are those of your system’s region.',
  xlsx: 'Numbers of up to 15 digits are numbers. Longer ones are text with every digit.',
}
