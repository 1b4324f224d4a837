import type { DecimalText, Settings } from '../../core/model'
import type { Grouping } from '../../core/preferences'
import { formatValue, type DisplayStyle } from '../format/value'

/** The preferences that every text on screen depends on; the shell keeps them up to date. */
class Display implements DisplayStyle {
  grouping = $state<Grouping>('comma')
  timeZone = $state('system')

  /** `formatValue` in this style, for those that take a function. */
  readonly number = (text: DecimalText): string => formatValue(text, this)

  /** For the page's own component alone; before there are settings the desktop's theme holds. */
  follow(settings: Settings | undefined): void {
    const { dataset } = document.documentElement
    dataset['theme'] = settings?.theme ?? 'system'
    dataset['direction'] = settings?.directionColours ?? 'greenUp'
    if (settings === undefined) return
    this.grouping = settings.grouping
    this.timeZone = settings.timeZone
  }
}

/** One for the page: texts are made in many places and all follow it. */
export const display = new Display()
