import type { Grouping, Preferences } from '../../protocol/preferences'

/** What of the preferences every text on screen depends on; the shell keeps it up to date. */
export class Display {
  grouping = $state<Grouping>('comma')
  /** `system`, or the name of a zone. */
  timeZone = $state('system')

  /** For the shell alone. */
  follow({ grouping, timeZone }: Pick<Preferences, 'grouping' | 'timeZone'>): void {
    this.grouping = grouping
    this.timeZone = timeZone
  }
}

/** One for the page: texts are made in many places and all follow it. */
export const display = new Display()
