/** Times that are typed, read in the zone on screen. */
import type { Outcome } from '../../core/model'
import { readTypedRange, readTypedTime } from '../../core/typed-time'
import { fullTimeText, shownZone } from '../format/published-time'
import { display } from './display.svelte'

/** What stands below the field of a time: what it is read as, or what is wrong with it. */
export function typedTime(text: string, nowMs: number): { read: Outcome<number>; hint: string; problem?: string } {
  const read = readTypedTime(text, { nowMs, zone: shownZone(display) })
  return read.ok ? { read, hint: fullTimeText(read.value, display) } : { read, hint: '', problem: read.problem.message }
}

/** A range, its start included and its end not. */
export function typedRange(typed: { from: string; to: string }, nowMs: number): ReturnType<typeof readTypedRange> {
  return readTypedRange(typed, { nowMs, zone: shownZone(display) })
}
