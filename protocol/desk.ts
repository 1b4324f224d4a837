import type { AlertRule } from '../core/alerts'

/** An alert of the desk: who put it there, and when by that computer's clock. */
interface DeskAlert {
  rule: AlertRule
  by: string
  atMs: number
}

/**
 * The desk as a seat sees it. `unknown`: its server has stopped to answer. `failed`: it could not be reached at all. `words`
 * says which in plain words, without a full stop.
 */
export interface DeskView {
  state: 'connecting' | 'judged' | 'notJudged' | 'unknown' | 'failed'
  words: string
  alerts: DeskAlert[]
}
