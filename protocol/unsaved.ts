/** What is in use and not on the disk: it is lost when the app ends now. */
import type { Preferences } from './preferences'

export type UnsavedKind = 'preferences' | 'lists' | 'connections' | 'alerts' | 'events'

export interface Unsaved extends Record<UnsavedKind, string[]> {
  /** Why, as a clause: `the disk is full`. */
  reason: string
  /** How many changes, those without a place on screen too. */
  count: number
  preferences: (keyof Preferences)[]
  /** Ids, as all that follow. */
  lists: string[]
  connections: string[]
  alerts: string[]
  events: string[]
}
