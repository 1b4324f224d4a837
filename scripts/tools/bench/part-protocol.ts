/** Messages between the command and a measurement in Electron: a task on the command line, then lines. */
import type { Side } from './floods'
import type { Samples } from './report'
import type { RowName } from './rows'

export type PartRow = Extract<RowName, `${'B1' | 'B2' | 'B3' | 'B4' | 'B7' | 'B12' | 'alerts'}-${string}`>

export interface PartTask {
  row: PartRow
  /** The project's folder. */
  root: string
  /** Folder for files of this measurement. */
  folder: string
  /** The built chart page. */
  page: string
  /** Address of the flooding service for each side. */
  urls: Record<Side, string>
}

/** What a page has shown since its previous report, see page-probe.cjs. */
export interface Shown {
  /** Pairs of a row, among the first ones, and the time at which its text changed. */
  times: [number, number][]
  texts: string[]
  /** Frame durations in ms. */
  frames: number[]
  /** Number of rows in the document. */
  rowCount: number
  atMs: number
}

/** A request for a round of messages, a result, or a report from an app's page, see start-hook.cjs. */
export type PartLine =
  | { flood: Side }
  | { samples: Samples }
  | { ready: number }
  | { paint: number }
  | { shown: Shown }
  | { swept: Record<string, string> }
  | { turns: [number, number][] }
  /** Longest block in ms. */
  | { block: number }

const mark = '@bench '

export function print(line: PartLine): void {
  process.stdout.write(`${mark}${JSON.stringify(line)}\n`)
}

/** Undefined for any other line. */
export function readLine(text: string): PartLine | undefined {
  return text.startsWith(mark) ? (JSON.parse(text.slice(mark.length)) as PartLine) : undefined
}
