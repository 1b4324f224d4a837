/** Commands of the ticker's page, which may ask for nothing else. */
import * as v from 'valibot'
import type { WindowSnapshot } from '../desktop'
import type { Json } from '../json'
import { command, indexId } from './command'

/** In CSS pixels; no screen is larger. */
const length = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(20_000))

export const tickerCommands = {
  /** As `getSnapshot`, of what the ticker shows alone: its one list is what it shows, in order. */
  getTickerSnapshot: command({}).answers<Json<WindowSnapshot>>(),
  /** Makes the ticker's window as large as its content. */
  fitTicker: command({ width: length, height: length }).answers<null>(),
  /** Opens an index in the window. */
  openFromTicker: command({ indexId }).answers<null>(),
  /** Opens the ticker's menu at a point of its page, about an index where one is named. */
  showTickerMenu: command({ indexId: v.exactOptional(indexId), x: length, y: length }).answers<null>(),
  closeTicker: command({}).answers<null>(),
}
