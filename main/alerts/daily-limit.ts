import * as v from 'valibot'
import type { AlertRule } from '../../protocol/alerts'

/** How many notices a rule has told on a day (alerts, 5). */
export interface DailyMarks {
  /** The day as the user's time zone names it. */
  daily?: { day: string; told: number }
}

export const dailyEntries = {
  daily: v.exactOptional(v.object({ day: v.string(), told: v.number() })),
}

export function isDayFull({ daily }: DailyMarks, { repeat }: AlertRule, day: string): boolean {
  return repeat.mode === 'daily' && daily?.day === day && daily.told >= repeat.most
}

/** A notice has been told. */
export function countForDay<T extends DailyMarks>(marks: T, { repeat }: AlertRule, day: string): T {
  if (repeat.mode !== 'daily') return marks
  return { ...marks, daily: { day, told: (marks.daily?.day === day ? marks.daily.told : 0) + 1 } }
}
