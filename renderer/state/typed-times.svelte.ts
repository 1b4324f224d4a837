/** Reads typed times in the time zone of the display. */
import type { Outcome } from '../../core/model'
import type { TimeRange } from '../../core/ranges'
import { readTypedRange, readTypedTime } from '../../core/typed-time'
import { fullTimeText, shownZone } from '../format/published-time'
import { display } from './display.svelte'

/** Reads a time. The line below its field shows `hint`, the time in full, or `problem`. */
export function typedTime(text: string, nowMs: number): { read: Outcome<number>; hint: string; problem?: string } {
  const read = readTypedTime(text, { nowMs, zone: shownZone(display) })
  return read.ok ? { read, hint: fullTimeText(read.value, display) } : { read, hint: '', problem: read.problem.message }
}

/** A range with its start and without its end, as typed in two fields. */
export class TypedRange {
  from = $state('yesterday')
  to = $state('now')
  /** Whether the fields show their faults. False until the user submits the range. */
  isChecked = $state(false)
  /** What is wrong with the range. Faults of a single time are shown by its field. */
  problem = $state('')

  /** Reads the range when the user submits it. Returns nothing if it is wrong. */
  read(nowMs: number): TimeRange | undefined {
    this.isChecked = true
    const { from, to } = this
    const range = readTypedRange({ from, to }, { nowMs, zone: shownZone(display) })
    this.problem = !range.ok && range.problem.code === 'badRange' ? range.problem.message : ''
    return range.ok ? range.value : undefined
  }
}
