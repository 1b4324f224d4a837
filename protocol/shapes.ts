/** Shapes that several validators share. */
import * as v from 'valibot'

/** What an index id may look like. The real ones are capitals, digits and underscores; others are let through kindly. */
export const indexIdPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

export const indexIdSchema = v.pipe(
  v.string(),
  v.regex(indexIdPattern, 'An index id has letters, digits, "_", "." and "-" only.'),
)

/** Whether this names a zone such as `Europe/London`, or `system`. */
export function isTimeZone(name: string): boolean {
  try {
    return name === 'system' || new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
