/** How the app looks and behaves for this user. */
import type { AlertSeverity } from './severity'

/** What the user lets changes be counted from (product: Watchlists). */
export const changeBases = ['sessionFirst', 'dayAgo', 'previousClose'] as const
export type ChangeBase = (typeof changeBases)[number]

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export const densities = ['compact', 'comfortable'] as const
export type Density = (typeof densities)[number]

/** What stands for up and down: green and red, red and green, or blue and orange for those who tell these apart. */
export const directionColours = ['greenUp', 'redUp', 'blueUp'] as const
export type DirectionColours = (typeof directionColours)[number]

/** What separates groups of three digits on screen. */
export const groupings = ['comma', 'space', 'none'] as const
export type Grouping = (typeof groupings)[number]

/** How the app looks and behaves for this user. */
export interface Preferences {
  theme: Theme
  density: Density
  directionColours: DirectionColours
  grouping: Grouping
  /** `system`, or the name of a zone such as `UTC` or `Europe/London`. */
  timeZone: string
  changeBase: ChangeBase
  /** Whether alerts are shown as native notifications; the inbox has them in any case. */
  showsNotifications: boolean
  /** Severities whose alerts are heard as well. */
  alertSounds: AlertSeverity[]
  startsAtLogin: boolean
}
