/** Formats of a table: CSV for programs, CSV for spreadsheets by the region of the system, and Excel workbooks. */
export const tableFormats = ['csv', 'csv-excel', 'xlsx'] as const
export type TableFormat = (typeof tableFormats)[number]
