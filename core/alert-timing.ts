/** How often a rule fires, and when it may. */
import * as v from 'valibot'
import { clockPattern, countSchema, isNamedZone } from './shapes'

/** `daily`: every crossing, with at most `max` notifications a day in the user's time zone. */
export const repeatSchema = v.variant('mode', [
  v.strictObject({ mode: v.picklist(['once', 'everyCrossing']) }),
  v.strictObject({ mode: v.literal('whileTrue'), everyMinutes: countSchema }),
  v.strictObject({ mode: v.literal('daily'), max: countSchema }),
])
export type AlertRepeat = v.InferOutput<typeof repeatSchema>

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

const clockTime = v.pipe(v.string(), v.regex(clockPattern, 'Write the time as HH:MM, such as 15:30.'))

const hoursSchema = v.strictObject({
  /** The days on which the hours start. */
  days: v.pipe(v.array(v.picklist(weekdays)), v.minLength(1, 'Name at least one day, such as "mon".')),
  /** `HH:MM`. `from` is included, `to` is not. If `to` is not later than `from`, it is on the next day. */
  from: clockTime,
  to: clockTime,
  /** An IANA name, such as `Europe/London`. */
  timeZone: v.pipe(v.string(), v.maxLength(64), v.check(isNamedZone, 'Name a time zone such as Europe/London.')),
  /** Fires when the hours start and the condition is already true. */
  alsoIfTrue: v.exactOptional(v.literal(true)),
})

/** When a rule may fire, by the published time of the value and the clock of a zone. */
export type AlertHours = v.InferOutput<typeof hoursSchema>

export const timingSchema = v.object({
  repeat: repeatSchema,
  /** How long the condition must hold, by published time. */
  holdMs: v.exactOptional(countSchema),
  /** Values carried forward confirm a hold. */
  countsRepeats: v.exactOptional(v.literal(true)),
  /** Undefined: at any time. */
  hours: v.exactOptional(hoursSchema),
})

/** How a condition that is true leads to firings. */
export type AlertTiming = v.InferOutput<typeof timingSchema>
