import type { AlertEvent } from '../../core/alert-events'
import type { DeskSeen } from '../../core/desk'
import { untilText } from './alert-words'
import type { DisplayStyle } from './value'

/** Who judged an event of the desk. */
export function checkedWords({ watcher }: NonNullable<AlertEvent['desk']>): string {
  return watcher === undefined ? 'Checked on this computer' : `Checked by ${watcher}`
}

/** Who handles an event of the desk, or else who has seen it: `Taken by ana 09:41`, `Seen by ana 09:41`. */
export function seenWords({ seen, taken }: DeskSeen, nowMs: number, style: DisplayStyle): string | undefined {
  const [first, ...others] = seen
  if (taken !== undefined) return `Taken by ${markText(taken, nowMs, style)}`
  if (first === undefined) return undefined
  return `Seen by ${markText(first, nowMs, style)}${others.length === 0 ? '' : ` and ${others.length} more`}`
}

/** All who have seen an event, with their times. */
export function seersText({ seen }: DeskSeen, nowMs: number, style: DisplayStyle): string {
  return seen.map((mark) => markText(mark, nowMs, style)).join(', ')
}

/** Who changed a list of the desk last: `changed by ana 09:41`. */
export function changedWords(mark: DeskSeen['seen'][number], nowMs: number, style: DisplayStyle): string {
  return `changed by ${markText(mark, nowMs, style)}`
}

function markText({ by, atMs }: DeskSeen['seen'][number], nowMs: number, style: DisplayStyle): string {
  return `${by} ${untilText(atMs, nowMs, style)}`
}
