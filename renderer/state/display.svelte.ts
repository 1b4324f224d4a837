import type { Grouping } from '../../protocol/model'

/** What of the preferences every text on screen depends on; the shell keeps it up to date. */
export class Display {
  grouping = $state<Grouping>('comma')
  /** `system`, or the name of a zone. */
  timeZone = $state('system')
}

/** One for the page: texts are made in many places and all follow it. */
export const display = new Display()
