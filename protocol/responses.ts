/** What the main process answers with when it is asked: charts, tests of connections, diagnostics, previews. */
import type { TimeRange } from '../core/ranges'
import type { ConnectionState, IndexId, Publication } from '../core/model'

/** What the values and alerts of the service in use take on this disk. */
export interface HistorySize {
  bytes: number
  /** When the oldest value was published; absent while there is none. */
  oldestMs?: number
}

/** One of the connections in use. `ConnectionStatus` sums them up. */
export interface ConnectionView {
  /** The profile's; `demo` and `environment` for the other two. */
  id: string
  name: string
  isDemo: boolean
  state: ConnectionState
  problem?: string
  retryInMs?: number
  streamCount: number
  /** Messages that could not be read, while they keep coming; absent else. */
  unreadableCount?: number
  /** How many indices it answers for. */
  indexCount: number
  /** When its service last listed its indices, to ten minutes; absent where it never has. */
  listedAtMs?: number
}

export type ConnectionStep = 'dns' | 'tcp' | 'tls' | 'handshake' | 'info' | 'rest' | 'mcp'

/** What a test of a connection found, step by step; after a failure the steps that rest on it are `skipped`. */
export interface ConnectionTest {
  steps: {
    step: ConnectionStep
    outcome: 'passed' | 'failed' | 'skipped'
    /** Plain words: what works, what failed and what to do, why it was not tried. */
    message: string
    tookMs: number
  }[]
}

/** As many indices as one drawing can tell apart. */
export const maxCompared = 4
/** As many indices as are followed beside the open one. */
export const maxFollowed = 8

const dayMs = 86_400_000

/** How long each range of a chart is. A year has 366 days, so that the same day of the year before is always in it. */
export const rangeMs = { '1m': 60_000, '5m': 300_000, '1h': 3_600_000, '24h': dayMs, '1y': 366 * dayMs } as const
export type ChartRange = keyof typeof rangeMs
export const chartRanges = Object.keys(rangeMs) as ChartRange[]

/** A range whose ends are set; milliseconds since the Unix epoch. */
export type ChartSpan = TimeRange

/** A publication on the chart: the value stays text, only what is drawn becomes a float. */
export type ChartPoint = Publication

/** The values of an index over a range, ascending, one point per publish time. */
export interface ChartSeries {
  indexId: IndexId
  range: ChartRange | ChartSpan
  points: ChartPoint[]
  /** A longer time between two points is a gap, drawn as one. */
  gapAfterMs: number
  /** There is the first point of each stretch so long, the last of all and what was amended; absent: every point is there. */
  spacingMs?: number
  /** Why there is less than was asked for, in plain words. */
  problem?: string
}

/** What support asks for; holds no secret. */
export interface Diagnostics {
  versions: { app: string; electron: string; chrome: string; node: string; system: string }
  startedAtMs: number
  /** Name of a counter and its count since the start. */
  counters: Record<string, number>
  connections: ConnectionView[]
  /** Newest last; each what became of a connection. */
  connectionLog: { atMs: number; connection: string; text: string }[]
  /** The last lines of the log with warnings and errors, newest last, without secrets. */
  problems: string[]
}

/** What a file of watchlists would do; nothing is done before the user says so. */
export interface ListImportPreview {
  importId: string
  fileName: string
  /** Sums of the lists. */
  adds: number
  changes: number
  lists: {
    name: string
    /** A list of this name exists and is filled up; else it is new. */
    isNew: boolean
    adds: IndexId[]
    /** There already, with another resolution. */
    changes: IndexId[]
  }[]
}

/** What the app is made of, and under which terms. */
export interface About {
  electron: string
  site: string
  dataFolder: string
  /** The app's own licence. */
  licence: string
  /** Those of everything that it contains. */
  notice: string
}
