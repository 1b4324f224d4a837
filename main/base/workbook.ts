/** Writes Excel workbooks (XLSX) as a stream, in memory independent of the number of rows. */

/** A cell. `exact`: a number that a spreadsheet would round, as text. `time` is shown to the second. */
export type SheetCell = { kind: 'text' | 'number' | 'exact'; text: string } | { kind: 'time'; atMs: number } | undefined

/** A sheet with its rows in pages. A name has at most 31 characters, none of `[]:*?/\`. */
export interface Sheet {
  name: string
  columns: readonly string[]
  pages: Iterable<SheetCell[][]> | AsyncIterable<SheetCell[][]>
}

/** A sheet has more rows or more bytes than a workbook can hold. */
export class SheetFull extends Error {}

/** Excel's limit, without the row of the column names. */
export const maxSheetRows = 1_048_575
/** Limit of a file in a ZIP archive. */
const maxPartBytes = 2 ** 32 - 1
/** The largest number of decimals that a number format shows. */
export const maxSheetDecimals = 30

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Indices of the cell formats in `styles`. Numbers with n decimals have `firstNumber` + n. */
const format = { heading: 1, time: 2, exact: 3, firstNumber: 4 }

/** Pieces of the file. A sheet's rows are read when the sheets before it are complete. Throws `SheetFull`. */
export async function* workbook(sheets: readonly Sheet[], nowMs: number): AsyncGenerator<Uint8Array, void> {
  // Loaded when needed, because it computes tables. Its build for Node declares `require`, as the bundler does too.
  const { Zip, ZipDeflate } = await import('fflate/browser')
  const ready: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    if (error !== null) throw error
    ready.push(bytes)
  })
  const open = (path: string) => {
    const part = new ZipDeflate(path, { level: 6 })
    part.mtime = nowMs
    zip.add(part)
    let size = 0
    return (xml: string, isLast = false) => {
      const bytes = Buffer.from(xml)
      size += bytes.length
      if (size > maxPartBytes) throw new SheetFull('the sheet is larger than 4 GB')
      part.push(bytes, isLast)
    }
  }
  for (const [path, xml] of Object.entries(fixedParts(sheets.map(({ name }) => name)))) open(path)(xml, true)
  for (const [at, { columns, pages }] of sheets.entries()) {
    const write = open(`xl/worksheets/sheet${at + 1}.xml`)
    const letters = columns.map((_, column) => lettersOf(column))
    write(sheetStart(columns.length) + rowXml(columns.map(headingXml), 1, letters))
    let rowCount = 1
    for await (const rows of pages) {
      if (rowCount + rows.length > maxSheetRows + 1) throw new SheetFull('an Excel sheet holds at most 1,048,576 rows')
      write(rows.map((row, below) => rowXml(row.map(cellXml), rowCount + 1 + below, letters)).join(''))
      rowCount += rows.length
      yield* ready.splice(0)
    }
    write('</sheetData></worksheet>', true)
  }
  zip.end()
  yield* ready
}

/** The parts besides the sheets, by their paths. */
function fixedParts(names: readonly string[]): Record<string, string> {
  const each = (write: (number: number, name: string) => string) =>
    names.map((name, at) => write(at + 1, name)).join('')
  const styleId = names.length + 1
  return {
    '[Content_Types].xml': `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/>${each((number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${contentType}.worksheet+xml"/>`)}</Types>`,
    '_rels/.rels': `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><bookViews><workbookView/></bookViews><sheets>${each((number, name) => `<sheet name="${escaped(name)}" sheetId="${number}" r:id="rId${number}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${declaration}<Relationships xmlns="${packages}/relationships">${each((number) => `<Relationship Id="rId${number}" Type="${relations}/worksheet" Target="worksheets/sheet${number}.xml"/>`)}<Relationship Id="rId${styleId}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': styles(),
  }
}

/** Numbers of own formats begin at 164. */
const timeFormat = 164

function styles(): string {
  const decimals = Array.from({ length: maxSheetDecimals + 1 }, (_, places) => places)
  const numberFormats = decimals.map((places) => {
    const code = places === 0 ? '0' : `0.${'0'.repeat(places)}`
    return `<numFmt numFmtId="${timeFormat + 1 + places}" formatCode="${code}"/>`
  })
  const cell = (attributes: string) => `<xf xfId="0" borderId="0" fillId="0" ${attributes}/>`
  const cells = [
    cell('fontId="0" numFmtId="0"'),
    cell('fontId="1" numFmtId="0" applyFont="1"'),
    cell(`fontId="0" numFmtId="${timeFormat}" applyNumberFormat="1"`),
    // Number format 49 shows every cell as text.
    cell('fontId="2" numFmtId="49" applyNumberFormat="1" applyFont="1" quotePrefix="1"'),
    ...decimals.map((places) => cell(`fontId="0" numFmtId="${timeFormat + 1 + places}" applyNumberFormat="1"`)),
  ]
  const font = (style: string) => `<font>${style}<sz val="11"/><name val="Calibri"/></font>`
  return `${declaration}<styleSheet xmlns="${main}"><numFmts count="${numberFormats.length + 1}"><numFmt numFmtId="${timeFormat}" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>${numberFormats.join('')}</numFmts><fonts count="3">${font('')}${font('<b/>')}${font('<i/>')}</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${cells.length}">${cells.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
}

/** The columns are wide enough for a time, and the row of their names does not scroll. */
function sheetStart(columnCount: number): string {
  return `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${columnCount}" width="20" customWidth="1"/></cols><sheetData>`
}

/** `A` for 0, `AA` for 26. */
function lettersOf(column: number): string {
  const letter = String.fromCodePoint(65 + (column % 26))
  return column < 26 ? letter : lettersOf(Math.floor(column / 26) - 1) + letter
}

/** Attributes and content of a cell, without its place. Undefined if it is empty. */
type CellXml = string | undefined

function rowXml(cells: readonly CellXml[], number: number, letters: readonly string[]): string {
  const written = cells.map((cell, column) =>
    cell === undefined ? '' : `<c r="${letters[column] ?? ''}${number}"${cell}</c>`,
  )
  return `<row r="${number}">${written.join('')}</row>`
}

const headingXml = (name: string): CellXml => textXml(name, format.heading)

function cellXml(cell: SheetCell): CellXml {
  switch (cell?.kind) {
    case undefined:
      return undefined
    case 'text':
      return textXml(cell.text, 0)
    case 'exact':
      return textXml(cell.text, format.exact)
    case 'number':
      return ` s="${format.firstNumber + (cell.text.split('.')[1]?.length ?? 0)}"><v>${cell.text}</v>`
    case 'time':
      return ` s="${format.time}"><v>${serialOf(cell.atMs)}</v>`
  }
}

function textXml(text: string, style: number): CellXml {
  return ` s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is>`
}

const epochSerial = 25_569

/** Days since 1900 in Excel's count, of the whole second. */
function serialOf(atMs: number): number {
  return Math.floor(atMs / 1_000) / 86_400 + epochSerial
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML has no code for the characters U+FFFE and U+FFFF. */
function escaped(text: string): string {
  return text.replace(/[\uFFFE\uFFFF]/g, '').replace(/[&<>"]/g, (character) => entities[character] ?? '')
}
