/**
 * Texts of alerts. The same in the window, in notifications and in files. `format` writes the numbers, because each
 * place groups digits differently.
 */
import { weekdays, type AlertHours, type Weekday } from './alert-timing'
import type { AlertRule, AlertTerms, AlertView, RuleDraft } from './alerts'
import { termsFieldNames, termsFields } from './conditions/fields'
import { conditionText, specOf } from './conditions/list'
import { formatCount, parseDecimal } from './decimal'
import type { NumberFormat } from './evaluation/condition'
import { spanText } from './spans'

/** The level or amount of the terms with its unit. Empty if there is none. */
export function amountText(terms: AlertTerms, format: NumberFormat): string {
  return specOf(terms.condition).amount?.(terms, format) ?? ''
}

/** The condition without its amount: `rises to`, `moves up within 15 min by`, `weight of BTC at or above`. */
export function termsWords(terms: AlertTerms): string {
  return specOf(terms.condition).words?.(terms) ?? conditionText(terms.condition, true)
}

export const dayNames: Readonly<Record<Weekday, string>> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
}

/** The text of hours: `Mon–Fri 15:30–16:15 London`, `Mon, Wed 22:00–06:00 New York`, `daily 09:00–17:00 UTC`. */
export function hoursWords({ days, from, to, timeZone }: Omit<AlertHours, 'alsoIfTrue'>): string {
  const zone = timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')
  return `${daysWords(days)} ${from}–${to} ${zone}`
}

/** Three and more consecutive days become a range. */
function daysWords(days: AlertHours['days']): string {
  if (weekdays.every((day) => days.includes(day))) return 'daily'
  const runs: string[][] = [[]]
  for (const day of weekdays) {
    if (!days.includes(day)) runs.push([])
    else runs.at(-1)?.push(dayNames[day])
  }
  return runs.flatMap((run) => (run.length < 3 ? run : [`${run[0] ?? ''}–${run.at(-1) ?? ''}`])).join(', ')
}

/** The hold: `for 5 min`. Empty without one. */
export function holdWords({ holdMs }: Pick<AlertRule, 'holdMs'>): string {
  return holdMs === undefined ? '' : `for ${spanText(holdMs)}`
}

/** What a rule is about: the index, or `Any of Majors`. */
export function ruleSubject({ indexId, anyOf }: Pick<AlertView, 'indexId'> & { anyOf?: string | undefined }): string {
  return anyOf === undefined ? indexId : `Any of ${anyOf}`
}

/** A rule in one line: `BRTI rises to 68,000`, `BRTI is above 68,000 for 5 min, Mon–Fri 15:30–16:15 London`. */
export function ruleWords(
  rule: Pick<AlertView, 'indexId' | 'terms' | 'holdMs' | 'hours'> & { anyOf?: string | undefined },
  format: NumberFormat,
): string {
  const { terms, hours } = rule
  const words = [ruleSubject(rule), termsWords(terms), amountText(terms, format), holdWords(rule)]
    .filter((part) => part !== '')
    .join(' ')
  return hours === undefined ? words : `${words}, ${hoursWords(hours)}`
}

/** `1 alert has no data`. */
export function noDataWords(ruleCount: number): string {
  return ruleCount === 1 ? '1 alert has no data' : `${formatCount(ruleCount)} alerts have no data`
}

/**
 * Equal for drafts that wait for the same, compared by numeric value. A rule of a list alert equals no other rule.
 */
export function draftKey({ indexId, terms, holdMs = 0, hours, follows }: RuleDraft): string {
  const normal = Object.entries(terms)
    .filter(([name]) => name !== 'rearmBand')
    .map(([name, value]): [string, unknown] => [
      name,
      numberFields.has(name) && typeof value === 'string' ? normalised(value) : value,
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([
    indexId,
    holdMs,
    normal,
    ...(hours === undefined ? [] : [hoursWords(hours), hours.timeZone]),
    ...(follows === undefined ? [] : [{ follows }]),
  ])
}

const numberFields: ReadonlySet<string> = new Set(
  termsFieldNames.filter((name) => ['level', 'number'].includes(termsFields[name].kind)),
)

function normalised(text: string): string {
  const decimal = parseDecimal(text)
  return decimal === undefined ? text : `${decimal.sign}:${decimal.digits}:${decimal.point}`
}
