/** Changes that are in use but not on the disk. They are lost if the app ends now. */
import type { Preferences } from '../core/preferences'

export type UnsavedKind = 'preferences' | 'lists' | 'connections' | 'alerts' | 'events'

export interface Unsaved extends Record<UnsavedKind, string[]> {
  /** Why, as a clause: `the disk is full`. */
  reason: string
  /** Number of changes, including those that no view shows. */
  count: number
  preferences: (keyof Preferences)[]
  /** Ids, like the fields below. */
  lists: string[]
  connections: string[]
  alerts: string[]
  events: string[]
}
