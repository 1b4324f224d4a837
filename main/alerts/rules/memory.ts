import type { ConstituentsPublication } from '../../../protocol/model'
import { MoveWindow } from './move-window'

/** What a rule remembers in this run alone; changed by `evaluate`. */
export interface RuleMemory {
  /** Publish times of the newest value and constituents judged: older ones are not judged any more. */
  newest: { value?: number; constituents?: number }
  /** The values of a move. */
  readonly window: MoveWindow
  /** The calculation before, for continuity. */
  calculation?: ConstituentsPublication
}

export function newMemory(): RuleMemory {
  return { newest: {}, window: new MoveWindow() }
}
