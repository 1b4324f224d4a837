/** Commands of the ticker's page. It has no others. */
import * as v from 'valibot'
import type { WindowSnapshot } from '../desktop'
import type { Json } from '../json'
import { command, indexId } from './command'

/** In CSS pixels. No screen is larger. */
const length = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(20_000))

export const tickerCommands = {
  /** Like `getSnapshot`, with only what the ticker shows. Its one list has the ticker's indices in order. */
  getTickerSnapshot: command({}).answers<Json<WindowSnapshot>>(),
  /** Resizes the ticker's window to its content. */
  fitTicker: command({ width: length, height: length }).answers<null>(),
  /** Opens an index in the window. */
  openFromTicker: command({ indexId }).answers<null>(),
  /** Opens the ticker's menu at a point of its page. `indexId` is the index under the pointer, if any. */
  showTickerMenu: command({ indexId: v.exactOptional(indexId), x: length, y: length }).answers<null>(),
  closeTicker: command({}).answers<null>(),
}
