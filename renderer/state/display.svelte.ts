import type { DecimalText, Settings } from '../../core/model'
import type { Grouping } from '../../core/preferences'
import { formatValue, type DisplayStyle } from '../format/value'

/** The preferences that all texts depend on. The root components keep them up to date. */
class Display implements DisplayStyle {
  grouping = $state<Grouping>('comma')
  timeZone = $state('system')

  /** `formatValue` in this style, to be passed as a function. */
  readonly number = (text: DecimalText): string => formatValue(text, this)

  /** Called by the root components only. The desktop's theme applies until there are settings. */
  follow(settings: Settings | undefined): void {
    const { dataset } = document.documentElement
    dataset['theme'] = settings?.theme ?? 'system'
    dataset['direction'] = settings?.directionColours ?? 'greenUp'
    if (settings === undefined) return
    this.grouping = settings.grouping
    this.timeZone = settings.timeZone
  }
}

/** The only instance, because texts are formatted in many places. */
export const display = new Display()
