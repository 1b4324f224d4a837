import * as v from 'valibot'
import type { AlertRule } from '../../protocol/alerts'

/** How many notices a rule has told on a day (alerts, 5). */
export interface DailyMarks {
  /**
   * The day as the user's time zone names it. `isEndOwed`: a silence has been told, and who knows of it is to know of its
   * end, limit or not (alerts, 9).
   */
  daily?: { day: string; told: number; isEndOwed?: true }
}

export const dailyEntries = {
  daily: v.exactOptional(v.object({ day: v.string(), told: v.number(), isEndOwed: v.exactOptional(v.literal(true)) })),
}

export function isDayFull({ daily }: DailyMarks, { repeat }: AlertRule, day: string): boolean {
  return repeat.mode === 'daily' && daily?.day === day && daily.told >= repeat.most
}

/** A notice has been told. */
export function countForDay<T extends DailyMarks>(marks: T, { repeat, terms }: AlertRule, day: string): T {
  if (repeat.mode !== 'daily') return marks
  const told = (marks.daily?.day === day ? marks.daily.told : 0) + 1
  return { ...marks, daily: { day, told, ...(terms.condition === 'noUpdate' && { isEndOwed: true }) } }
}

/** The end of a silence has been told: it is no further notice of the day. */
export function endTold<T extends DailyMarks>(marks: T): T {
  if (marks.daily === undefined) return marks
  const { day, told } = marks.daily
  return { ...marks, daily: { day, told } }
}
