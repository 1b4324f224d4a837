/** Writes rows as CSV, or as Parquet in row groups of limited size. */
import type { FileHandle } from 'node:fs/promises'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { writeOut } from '../../core/decimal'
import type { ExportFormat } from '../../protocol/history'
import type { DecimalText } from '../../core/model'
import { kindOf, recordCells, records, valueRecord, type FieldName, type ProgramRecord } from '../../core/records'
import { csvLines, toCsv } from '../base/csv'
import type { ExportRow } from './export-rows'

/** Writes one file. Rejects with the system's error. */
export interface RowWriter {
  write(rows: readonly ExportRow[]): Promise<void>
  /** Writes buffered rows and the end of the file. Call it last. */
  finish(): Promise<void>
}

/** `hasTimes`: rows have the time at which the value was in effect. */
export function createWriter(format: ExportFormat, file: FileHandle, hasTimes: boolean): RowWriter {
  return format === 'csv' ? csvWriter(file, hasTimes) : parquetWriter(file, hasTimes)
}

function columnsOf(hasTimes: boolean): FieldName[] {
  return records.value.filter((name) => hasTimes || name !== 'at')
}

const recordOf = ({ value, atMs }: ExportRow): ProgramRecord => valueRecord(value, atMs)

function csvWriter(file: FileHandle, hasTimes: boolean): RowWriter {
  const columns = columnsOf(hasTimes)
  let isBegun = false
  const begin = async () => {
    if (!isBegun) await file.writeFile(toCsv([columns]))
    isBegun = true
  }
  return {
    write: async (rows) => {
      await begin()
      await file.writeFile(csvLines(rows.map((row) => recordCells(columns, recordOf(row)))))
    },
    finish: begin,
  }
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
function parquetColumns(hasTimes: boolean): Column[] {
  return columnsOf(hasTimes).flatMap((name): Column[] => {
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

function parquetWriter(file: FileHandle, hasTimes: boolean): RowWriter {
  const columns = parquetColumns(hasTimes)
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
  /** Writes encoded bytes to disk and frees them. The writer's file offsets continue to count. */
  const flush = async () => {
    await file.writeFile(bytes.getBytes())
    bytes.index = 0
  }
  const writeGroup = async () => {
    if (held.length === 0) return
    const columnData = columns.map(({ name, cell }) => ({ name, data: held.map(cell) }))
    held = []
    await writer.write({ columnData, rowGroupSize: rowsInGroup })
    await flush()
  }
  return {
    write: async (rows) => {
      held.push(...rows.map(recordOf))
      if (held.length >= rowsInGroup) await writeGroup()
    },
    finish: async () => {
      await writeGroup()
      await writer.finish()
      await flush()
    },
  }
}
