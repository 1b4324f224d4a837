/** Newer versions of the app itself. */

/** A version newer than the running one. */
export interface FoundUpdate {
  version: string
  /** What its makers say of it, as plain text; empty where they say nothing. */
  notes: string
}

/** Why there is no update, or nothing newer is known, in plain words. */
export interface UpdateFailure {
  problem: string
  /** Absent where it was found at the last exit. */
  checkedAtMs?: number
}

/** What is known of a newer version. Absent from the window's state where the app does not look for any. */
export type UpdateState =
  /** Not looked yet. */
  | { state: 'idle' }
  | { state: 'checking' }
  | { state: 'current'; checkedAtMs: number }
  | { state: 'downloading'; found: FoundUpdate; percent: number }
  /** Downloaded and checked: installed when the app quits. */
  | { state: 'ready'; found: FoundUpdate }
  /** This installation is updated by its user: the app only says where. */
  | { state: 'available'; found: FoundUpdate; failed?: UpdateFailure }
  /** The app stays as it is. */
  | ({ state: 'failed' } & UpdateFailure)
