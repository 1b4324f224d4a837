/** A tool's table as lines over time. Drawn values are floats. Values in words are the cells as sent. */
import { isDecimalText } from '../../../core/decimal'
import type { ToolTable } from '../../../protocol/service-tools'

export interface ToolPoint {
  atMs: number
  value: number
  /** Text of the cell. */
  text: string
}

export interface ToolLine {
  /** The name that its rows share, such as an index. Empty if all rows form one line. */
  name: string
  /** Ascending, one per time. */
  points: ToolPoint[]
}

/** The number of line colours. */
const maxLines = 4
const minPoints = 2
const timeName = /time|date|day/i
const isoTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}.*)?$/
/** Accepted times, from 1973 to 2096; milliseconds since the Unix epoch. */
const [minTimeMs, maxTimeMs] = [1e11, 4e12]

/** Names of the columns that can be drawn over time, in order. Empty if the rows have no times. */
export function drawableColumns(table: ToolTable): string[] {
  const columns = columnsOf(table)
  return table.columns.filter((column) => linesOf(table, column, columns).lines.length > 0)
}

/** A column over time: one line for each name, and the number of names left out. */
export function linesOf(
  table: ToolTable,
  column: string,
  { all, times, named } = columnsOf(table),
): { lines: ToolLine[]; omittedCount: number } {
  const drawn = all.find(({ name }) => name === column)
  // A table may also have the time of the request. The time of the value is called `time`.
  const time = times.find(({ name }) => name === 'time') ?? times[0]
  const isDrawable = drawn !== undefined && !times.includes(drawn) && drawn.cells.every(isDecimalText)
  if (time === undefined || !isDrawable || drawn.cells.length < minPoints) return { lines: [], omittedCount: 0 }
  const byName = new Map<string, Map<number, ToolPoint>>()
  for (const row of table.rows) {
    const [cell, text] = [row[time.at], row[drawn.at]]
    if (cell === undefined || text === undefined) continue
    const name = (named && row[named.at]) ?? ''
    const atMs = timeOf(cell)
    byName.set(name, (byName.get(name) ?? new Map<number, ToolPoint>()).set(atMs, { atMs, value: Number(text), text }))
  }
  const lines = [...byName]
    .map(([name, points]) => ({ name, points: [...points.values()].sort((a, b) => a.atMs - b.atMs) }))
    .filter(({ points }) => points.length >= minPoints)
  return { lines: lines.slice(0, maxLines), omittedCount: Math.max(0, lines.length - maxLines) }
}

/** The last point of a line at or before a time. */
export function pointAt({ points }: ToolLine, atMs: number): ToolPoint | undefined {
  return points.findLast((point) => point.atMs <= atMs)
}

/** The time in a cell of milliseconds whose column is named like a time. Undefined for any other cell. */
export function sentTimeMs(column: string | undefined, cell: string | undefined): number | undefined {
  if (column === undefined || cell === undefined || !timeName.test(column) || isoTime.test(cell)) return undefined
  const ms = timeOf(cell)
  return Number.isNaN(ms) ? undefined : ms
}

interface Column {
  name: string
  at: number
  cells: string[]
}

/** All columns, the columns of times, and the column that names the index or asset of a row. */
function columnsOf(table: ToolTable): { all: Column[]; times: Column[]; named: Column | undefined } {
  const all = table.columns.map((name, at) => ({ name, at, cells: cellsOf(table, at) }))
  const times = all.filter(isTime)
  return { all, times, named: all.find((each) => !times.includes(each) && isNameOfLine(each, table.rows.length)) }
}

function cellsOf({ rows }: ToolTable, at: number): string[] {
  return rows.flatMap((row) => row[at] ?? [])
}

function isTime({ name, cells }: Column): boolean {
  return timeName.test(name) && cells.length > 0 && cells.every((cell) => Number.isFinite(timeOf(cell)))
}

function timeOf(cell: string): number {
  if (isoTime.test(cell)) return Date.parse(cell)
  const ms = /^\d+$/.test(cell) ? Number(cell) : Number.NaN
  return ms >= minTimeMs && ms <= maxTimeMs ? ms : Number.NaN
}

function isNameOfLine({ cells }: Column, rowCount: number): boolean {
  return cells.length === rowCount && cells.every((cell) => !isDecimalText(cell) && cell !== 'yes' && cell !== 'no')
}
