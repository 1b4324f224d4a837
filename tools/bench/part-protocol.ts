/** What the command and a measurement in Electron say to each other: a task on the command line, then lines. */
import type { Side } from './floods'
import type { Samples } from './report'
import type { RowName } from './rows'

export type PartRow = Extract<RowName, `${'B1' | 'B2' | 'B3' | 'B4' | 'B7' | 'B12' | 'alerts'}-${string}`>

export interface PartTask {
  row: PartRow
  /** The project's folder. */
  root: string
  /** For files of this measurement. */
  folder: string
  /** Where the page of the charts was built to. */
  page: string
  /** Where a service waits that floods, for each side. */
  urls: Record<Side, string>
}

/** What a page has shown since it last said so (page-probe.cjs). */
export interface Shown {
  /** Which of the first rows showed another text, and when. */
  times: [number, number][]
  texts: string[]
  /** Milliseconds. */
  frames: number[]
  /** In the document. */
  rowCount: number
  atMs: number
}

/** A wish for a round of messages, the result, or what a started app's page does (start-hook.cjs). */
export type PartLine =
  | { flood: Side }
  | { samples: Samples }
  | { ready: number }
  | { paint: number }
  | { shown: Shown }
  | { swept: Record<string, string> }
  | { answer: number | boolean }
  | { turns: [number, number][] }
  /** Milliseconds. */
  | { block: number }

const mark = '@bench '

export function print(line: PartLine): void {
  process.stdout.write(`${mark}${JSON.stringify(line)}\n`)
}

/** `undefined` for any other line. */
export function readLine(text: string): PartLine | undefined {
  return text.startsWith(mark) ? (JSON.parse(text.slice(mark.length)) as PartLine) : undefined
}
