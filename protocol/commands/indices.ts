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
const chartRange = v.union([v.picklist(chartRanges), v.strictObject(timeRange)])

export const indexCommands = {
  /**
   * Opens an index page: constituents, corporate action and reference data follow in `opened`. One that opens by itself
   * asks for nothing before the provider has accepted the key.
   */
  openIndex: command({ indexId, isPreview: v.optional(v.boolean()) }).answers<null>(),
  closeIndex: command({}).answers<null>(),
  /** The past of an index as far as the service has it, joined with what came since. */
  getChart: command({ indexId, range: chartRange }).answers<Json<ChartSeries>>(),
  /** As much of it as is known without waiting for the service. */
  getKnownChart: command({ indexId, range: chartRange }).answers<Json<ChartSeries>>(),
  /** Events of alerts by values published in a time (both ends included), oldest first; the newest thousand of many. */
  getIndexEvents: command({ indexId, ...timeRange }).answers<Json<AlertEvent[]>>(),
  /** Follows these as the open index is: their points are pushed. In place of those before; none ends it. */
  followIndices: command({ indexIds: v.pipe(v.array(indexId), v.maxLength(maxFollowed)) }).answers<null>(),
  /** The latest value of at most 30 indices that need not be watched; those the service does not know are missing. */
  getLatestValues: command({ indexIds: v.pipe(v.array(indexId), v.maxLength(30)) }).answers<
    { id: IndexId; publication: Publication }[]
  >(),
  /** Makes the constituents as they are now the base of changes and drifts. */
  setConstituentsBase: command({ indexId }).answers<null>(),
  clearConstituentsBase: command({ indexId }).answers<null>(),
  saveConstituentsCsv: command({ indexId }).answers<SavedFile>(),
  /** What the constituents of the open page did to the index since then, in points, to where the user says. */
  savePointsCsv: command({ indexId, since: v.picklist(sinces) }).answers<SavedFile>(),
  /** Prints the page, which shows the fixing sheet of this index, to where the user says. */
  saveFixingPdf: command({ indexId }).answers<SavedFile>(),
}
