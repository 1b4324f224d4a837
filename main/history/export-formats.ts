/** Writes rows as a table, or as Parquet in row groups of limited size. */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { writeOut } from '../../core/decimal'
import type { ExportRequest } from '../../protocol/history'
import type { DecimalSign } from '../base/region'
import type { DecimalText } from '../../core/model'
import { isoTime, kindOf, records, valueRecord, type FieldName, type ProgramRecord } from '../../core/records'
import { tableFile, type Table } from '../base/table-files'
import type { FileContent } from '../storage/disk'
import type { ExportRow } from './export-rows'

interface Options {
  decimalSign: DecimalSign
  nowMs: number
  /** Further sheets of a workbook. */
  others: readonly Table[]
}

/** Rows that become one sheet of a workbook. */
export interface ExportSheet {
  name: string
  pages: Iterable<ExportRow[]>
}

/** Encodes rows. Yields the pieces of the file. Only a workbook has more than one sheet. */
export function encodedRows(
  { format, indexIds, resolution, fromMs, toMs }: ExportRequest,
  sheets: readonly [ExportSheet, ...ExportSheet[]],
  { others, ...options }: Options,
): FileContent {
  const fields = records.value.filter((name) => resolution !== 'every' || name !== 'at')
  const [first, ...further] = sheets
  if (format === 'parquet') return parquetPieces(first.pages, parquetColumns(fields))
  const table = ({ name, pages }: ExportSheet): Table => ({ name, fields, pages: recordPages(pages) })
  return tableFile([table(first), ...further.map(table), ...others], {
    ...options,
    format,
    title: `Values of ${indexIds.join(', ')}`,
    facts: [
      ['From', isoTime(fromMs)],
      ['To, not included', isoTime(toMs)],
    ],
  })
}

const recordOf = ({ value, atMs }: ExportRow): ProgramRecord => valueRecord(value, atMs)

function* recordPages(pages: Iterable<ExportRow[]>): Generator<ProgramRecord[], void> {
  for (const rows of pages) yield rows.map(recordOf)
}

const rowsInGroup = 20_000
/** A 16-byte decimal holds 20 digits before the point and 18 after it. */
const decimal = { precision: 38, scale: 18, bytes: 16 }

interface Column {
  name: string
  kind: keyof typeof elements
  cell: (record: ProgramRecord) => unknown
}

/** A decimal gives two columns: its exact text, and a Parquet decimal if it fits. */
function parquetColumns(names: readonly FieldName[]): Column[] {
  return names.flatMap((name): Column[] => {
    const kind = kindOf(name)
    const text: Column = { name, kind: 'text', cell: (record) => record[name] ?? null }
    if (kind === 'decimal') {
      return [text, { name: `${name}Decimal`, kind, cell: (record) => unscaled(String(record[name])) }]
    }
    if (kind === 'time') return [{ name, kind, cell: (record) => timeOrNull(record[name]) }]
    return [{ ...text, kind: kind === 'flag' ? kind : 'text' }]
  })
}

const timeOrNull = (atMs: unknown) => (typeof atMs === 'number' ? new Date(atMs) : null)

/** The decimal in units of its last place. `null` if it has too many digits, because none may be cut off. */
function unscaled(text: DecimalText): bigint | null {
  const [whole = '', fraction = ''] = writeOut(text).split('.')
  if (fraction.length > decimal.scale) return null
  const units = BigInt(whole + fraction.padEnd(decimal.scale, '0'))
  return (units < 0n ? -units : units) < 10n ** BigInt(decimal.precision) ? units : null
}

const elements = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  // DuckDB needs the logical type to read the times as UTC. Without it, it assumes the reader's time zone.
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  flag: { type: 'BOOLEAN' },
  decimal: {
    type: 'FIXED_LEN_BYTE_ARRAY',
    type_length: decimal.bytes,
    converted_type: 'DECIMAL',
    precision: decimal.precision,
    scale: decimal.scale,
  },
} as const

async function* parquetPieces(pages: Iterable<ExportRow[]>, columns: Column[]): AsyncGenerator<Uint8Array, void> {
  const bytes = new ByteWriter()
  const writer = new ParquetWriter({
    writer: bytes,
    createdBy: 'Indexwatch',
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, kind }) => ({ name, repetition_type: 'OPTIONAL' as const, ...elements[kind] })),
    ],
  })
  let held: ProgramRecord[] = []
  /** Bytes encoded since the last call. The writer's file offsets continue to count. */
  const encoded = () => {
    const piece = bytes.getBytes()
    bytes.index = 0
    return piece
  }
  const writeGroup = async () => {
    const columnData = columns.map(({ name, cell }) => ({ name, data: held.map(cell) }))
    held = []
    await writer.write({ columnData, rowGroupSize: rowsInGroup })
  }
  for (const rows of pages) {
    held.push(...rows.map(recordOf))
    if (held.length < rowsInGroup) continue
    await writeGroup()
    yield encoded()
  }
  if (held.length > 0) await writeGroup()
  await writer.finish()
  yield encoded()
}
