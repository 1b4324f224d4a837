/** Commands about one index: its page, its chart, its constituents. */
import * as v from 'valibot'
import { timeSchema } from '../../core/shapes'
import type { AlertEvent } from '../../core/alert-events'
import { sinces } from '../../core/constituents'
import type { Json } from '../json'
import type { IndexId, Publication } from '../../core/model'
import { chartRanges, maxFollowed, type ChartSeries } from '../responses'
import { command, indexId, type SavedFile } from './command'

const timeRange = { fromMs: timeSchema, toMs: timeSchema }
const screenPoint = v.pipe(v.number(), v.integer(), v.minValue(-100_000), v.maxValue(100_000))
const chartRange = v.union([v.picklist(chartRanges), v.strictObject(timeRange)])

export const indexCommands = {
  /**
   * Opens an index page. Constituents, corporate action and reference data follow in `opened`. A preview makes no
   * requests before the provider has accepted the key.
   */
  openIndex: command({ indexId, isPreview: v.optional(v.boolean()) }).answers<null>(),
  closeIndex: command({}).answers<null>(),
  /**
   * Opens an index in a window of its own, or shows that window again. `at` is a point of the screen in
   * device-independent pixels. Problem: `tooManyWindows`.
   */
  openIndexWindow: command({
    indexId,
    at: v.exactOptional(v.object({ x: screenPoint, y: screenPoint })),
  }).answers<null>(),
  /** The past values of an index from the service, joined with those received since. */
  getChart: command({ indexId, range: chartRange }).answers<Json<ChartSeries>>(),
  /** The part of the chart that is known without a request. */
  getKnownChart: command({ indexId, range: chartRange }).answers<Json<ChartSeries>>(),
  /** Alert events on values published in a range (both ends included), oldest first. At most the newest thousand. */
  getIndexEvents: command({ indexId, ...timeRange }).answers<Json<AlertEvent[]>>(),
  /** Pushes the points of these indices, like those of the open one. Replaces the former list. */
  followIndices: command({ indexIds: v.pipe(v.array(indexId), v.maxLength(maxFollowed)) }).answers<null>(),
  /** The latest values of at most 30 indices, watched or not. Unknown ones are missing. */
  getLatestValues: command({ indexIds: v.pipe(v.array(indexId), v.maxLength(30)) }).answers<
    { id: IndexId; publication: Publication }[]
  >(),
  /**
   * Asks the provider for the codes of all indices that it has not been asked about, such as ISIN. Each is one request, so
   * the page calls this only if a code finds nothing. They arrive in the catalogue.
   */
  learnCodes: command({}).answers<null>(),
  /** Makes the current constituents the baseline of changes and drifts. */
  setConstituentsBase: command({ indexId }).answers<null>(),
  clearConstituentsBase: command({ indexId }).answers<null>(),
  saveConstituentsTable: command({ indexId }).answers<SavedFile>(),
  /** Saves the contributions of the open index's constituents since the baseline, in index points. */
  savePointsTable: command({ indexId, since: v.picklist(sinces) }).answers<SavedFile>(),
  /** Saves the window, which shows the fixing sheet of this index, as a PDF. */
  saveFixingPdf: command({ indexId }).answers<SavedFile>(),
}
