/** Newer versions of the app itself. */

/** A version newer than the running one. */
export interface FoundUpdate {
  version: string
  /** What its makers say of it, as plain text; empty where they say nothing. */
  notes: string
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
  | { state: 'available'; found: FoundUpdate }
  /** In plain words; the app stays as it is. */
  | { state: 'failed'; problem: string; checkedAtMs: number }
