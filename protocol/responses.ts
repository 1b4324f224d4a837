/** Answers of the main process: charts, connection tests, diagnostics, previews. */
import type { TimeRange } from '../core/ranges'
import type { ConnectionState, IndexId, Publication } from '../core/model'
import type { MatchedTicker, TickerSection, UnreadLine } from '../core/tickers'

/** Size of the history in use on this disk. */
export interface HistorySize {
  bytes: number
  /** When the oldest value was published. Undefined if there is none. */
  oldestMs?: number
}

/** One connection in use. `ConnectionStatus` is the summary of all. */
export interface ConnectionView {
  /** The profile's id, or `demo` or `environment`. */
  id: string
  name: string
  isDemo: boolean
  state: ConnectionState
  problem?: string
  retryInMs?: number
  streamCount: number
  /** Number of unreadable messages while they continue. Undefined otherwise. */
  unreadableCount?: number
  /** Number of indices that it answers for. */
  indexCount: number
  /** When its service last listed its indices, to ten minutes. Undefined if it never did. */
  listedAtMs?: number
}

export type ConnectionStep = 'dns' | 'tcp' | 'tls' | 'handshake' | 'info' | 'rest' | 'mcp' | 'stream' | 'watcher'

/** Results of a connection test. Steps that depend on a failed one are `skipped`. */
export interface ConnectionTest {
  steps: {
    step: ConnectionStep
    outcome: 'passed' | 'failed' | 'skipped'
    /** What works, what failed and what to do, or why it was not tried. */
    message: string
    tookMs: number
  }[]
}

/** As many indices as one chart can show distinctly. */
export const maxCompared = 4
/** Indices that can be followed besides the open one. */
export const maxFollowed = 8

const dayMs = 86_400_000

/** Length of each chart range. A year has 366 days, so that it always includes the same day of the previous year. */
export const rangeMs = {
  '1h': dayMs / 24,
  '24h': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '1y': 366 * dayMs,
} as const
export type ChartRange = keyof typeof rangeMs
export const chartRanges = Object.keys(rangeMs) as ChartRange[]

/** True for a range of which the provider keeps only slow indices. The history of this computer may have others. */
export function isOverDay(range: ChartRange): boolean {
  return rangeMs[range] > dayMs
}

/** A range with fixed ends. */
export type ChartSpan = TimeRange

/** A publication on a chart. The value stays text. Only drawing converts it to a float. */
export type ChartPoint = Publication

/** The values of an index over a range, ascending, one point per publication time. */
export interface ChartSeries {
  indexId: IndexId
  range: ChartRange | ChartSpan
  points: ChartPoint[]
  /** A longer time between two points is drawn as a gap. */
  gapAfterMs: number
  /**
   * If set, only the first point of each interval of this length is included, besides the last point and amended ones.
   * Undefined if all points are included.
   */
  spacingMs?: number
  /** Why there is less than was requested. */
  problem?: string
}

/** Information for support. It contains no secrets. */
export interface Diagnostics {
  versions: { app: string; electron: string; chrome: string; node: string; system: string }
  startedAtMs: number
  /** Counts since the start, by name. */
  counters: Record<string, number>
  connections: ConnectionView[]
  /** Status changes, newest last. */
  connectionLog: { atMs: number; connection: string; text: string }[]
  /** The last warnings and errors of the log, newest last, without secrets. */
  problems: string[]
}

/** What importing a file of watchlists would do. */
export interface ListImportPreview {
  importId: string
  fileName: string
  /** Totals of all lists. */
  adds: number
  changes: number
  lists: {
    name: string
    /** False if a list of this name exists and is extended. */
    isNew: boolean
    adds: IndexId[]
    /** Indices that are in the list with another resolution. */
    changes: IndexId[]
  }[]
}

/** The tickers of a text with the index that each one names. */
export interface TickerImportPreview {
  importId: string
  fileName: string
  /** For a new list. */
  name: string
  sections: TickerSection<MatchedTicker>[]
  unread: UnreadLine[]
}

/** Version, folders and licences for the About dialog. */
export interface About {
  electron: string
  site: string
  dataFolder: string
  /** The app's own licence. */
  licence: string
  /** Licences of everything that it contains. */
  notice: string
}
