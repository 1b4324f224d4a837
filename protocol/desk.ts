import type { AlertRule } from '../core/alerts'
import type { DeskSeen } from '../core/desk'

/** An alert of the desk: who put it there, and when by that computer's clock. */
interface DeskAlert {
  rule: AlertRule
  by: string
  atMs: number
}

/**
 * The desk as a seat sees it. `unknown`: the server no longer answers. `failed`: the server was never reached. `words` says
 * the state to the user, without a full stop.
 */
export interface DeskView {
  state: 'connecting' | 'judged' | 'notJudged' | 'unknown' | 'failed'
  words: string
  alerts: DeskAlert[]
  lists: {
    /** Changes of this user that came second, of the list with this id, in words. */
    refused: { id: string; listId: string; words: string }[]
    /** Ids on the desk of lists that a newer version wrote. */
    newerIds: string[]
  }
  /** This computer checks the alerts until a watcher returns. */
  isJudgedHere: boolean
}

/** Who has seen which event of the desk, and who has taken it for all, by the id of the event. Of the newest events. */
export type DeskSeenView = Record<string, DeskSeen>
