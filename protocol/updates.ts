/** Newer versions of the app itself. */

/** A version newer than the running one. */
export interface FoundUpdate {
  version: string
  /** The release notes as plain text. Empty if there are none. */
  notes: string
}

/** Why there is no update, or why the check failed. */
export interface UpdateFailure {
  problem: string
  /** Undefined if it failed at the last exit. */
  checkedAtMs?: number
}

/** The state of updates. Undefined in the window's state if the app does not look for them. */
export type UpdateState =
  /** Not checked yet. */
  | { state: 'idle' }
  | { state: 'checking' }
  | { state: 'current'; checkedAtMs: number }
  | { state: 'downloading'; found: FoundUpdate; percent: number }
  /** Downloaded and verified. It is installed when the app quits. */
  | { state: 'ready'; found: FoundUpdate }
  /** The user must update this installation. The app only says where. */
  | { state: 'available'; found: FoundUpdate; failed?: UpdateFailure }
  /** The app stays as it is. */
  | ({ state: 'failed' } & UpdateFailure)
