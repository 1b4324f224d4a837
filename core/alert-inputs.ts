import * as v from 'valibot'
import { isDecimalText } from './decimal'
import { timeSchema } from './shapes'

/** As published, which may be longer than anything that is typed. */
const number = v.pipe(v.string(), v.check(isDecimalText))
const published = v.object({ value: number, publishedAtMs: timeSchema })

export const inputsSchema = v.object({
  /** The value published, or what the terms compare where that is another thing: a weight, a change in percent. */
  value: v.exactOptional(number),
  publishedAtMs: v.exactOptional(timeSchema),
  amendedAtMs: v.exactOptional(timeSchema),
  /** The publication before. */
  previous: v.exactOptional(published),
  /** Of a move: what the newest value was compared with, and which of the three it was. */
  reference: v.exactOptional(v.object({ ...published.entries, kind: v.picklist(['oldest', 'min', 'max']) })),
  /** Of a move: the change, in the unit of the terms. */
  change: v.exactOptional(number),
  /** Names of constituents concerned: of a weight, or joined and left. */
  constituent: v.exactOptional(v.string()),
  joined: v.exactOptional(v.array(v.string())),
  left: v.exactOptional(v.array(v.string())),
  /** The divisor, share or weight before. */
  before: v.exactOptional(number),
  /** The direction the level was crossed in. */
  direction: v.exactOptional(v.picklist(['up', 'down'])),
  /** Since when the condition had held. */
  heldSinceMs: v.exactOptional(timeSchema),
  /** Of a fixing that is missing: when it was due. */
  dueMs: v.exactOptional(timeSchema),
  /** Since when nothing had come, by publish time of the last value. */
  silentSinceMs: v.exactOptional(timeSchema),
  /** The publish time of the value before, when that lies further back than the cadence allows: crossed in a gap. */
  gapSinceMs: v.exactOptional(timeSchema),
  /** Found in history: the published time of the oldest value that was learned late with it. */
  missedSinceMs: v.exactOptional(timeSchema),
  /** Of a firing found in history: the first value after it at which the condition was over. */
  over: v.exactOptional(published),
  /** Of a firing found in history: the latest value as it was found. */
  latest: v.exactOptional(published),
})

/** What a firing was judged by. */
export type AlertInputs = v.InferOutput<typeof inputsSchema>
