import * as v from 'valibot'
import { isDecimalText } from './decimal'
import { timeSchema } from './shapes'

/** Published numbers may be longer than any typed one. */
const number = v.pipe(v.string(), v.check(isDecimalText))
const published = v.object({ value: number, publishedAtMs: timeSchema })

export const inputsSchema = v.object({
  /** The published value, or the compared number if that is another: a weight, a change in percent. */
  value: v.exactOptional(number),
  publishedAtMs: v.exactOptional(timeSchema),
  amendedAtMs: v.exactOptional(timeSchema),
  /** The previous publication. */
  previous: v.exactOptional(published),
  /** For a move: the value that the newest one was compared with, and which of the three it was. */
  reference: v.exactOptional(v.object({ ...published.entries, kind: v.picklist(['oldest', 'min', 'max']) })),
  /** For a move: the change, in the unit of the terms. */
  change: v.exactOptional(number),
  /** Names of the constituents concerned: the one with the weight, or those added and removed. */
  constituent: v.exactOptional(v.string()),
  joined: v.exactOptional(v.array(v.string())),
  left: v.exactOptional(v.array(v.string())),
  /** The previous divisor, share or weight. */
  before: v.exactOptional(number),
  /** The direction of a crossing. */
  direction: v.exactOptional(v.picklist(['up', 'down'])),
  /** When the hold began. */
  heldSinceMs: v.exactOptional(timeSchema),
  /** For a missing fixing: when it was due. */
  dueMs: v.exactOptional(timeSchema),
  /** For a silence: published time of the last value. */
  silentSinceMs: v.exactOptional(timeSchema),
  /**
   * For a crossing in a gap: published time of the previous value. Set if the gap is longer than the cadence allows.
   */
  gapSinceMs: v.exactOptional(timeSchema),
  /** For a backfilled firing: published time of the oldest value received with it. */
  missedSinceMs: v.exactOptional(timeSchema),
  /** For a backfilled firing: the first later value at which the condition had ended. */
  over: v.exactOptional(published),
  /** For a backfilled firing: the latest value at that moment. */
  latest: v.exactOptional(published),
})

/** The values and times that a firing is based on. */
export type AlertInputs = v.InferOutput<typeof inputsSchema>
