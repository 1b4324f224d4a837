/**
 * Alerts in words, the same in the window, in notifications and in files. Numbers are written by the `format` given, so
 * that each place groups digits its own way.
 */
import { conditionText, termsFieldNames, termsFields, type ConditionOfLevels } from './alert-conditions'
import { weekdays, type AlertDraft, type AlertHours, type AlertRule, type AlertTerms, type Weekday } from './alerts'
import { parseDecimal } from './decimal'
import type { DecimalText } from './model'

export type NumberFormat = (value: DecimalText) => string

/** A span in the largest units that say it exactly: `90 s`, `5 min`, `2 h`, `1 d 12 h`. */
export function spanText(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ] as const
  let rest = ms
  const parts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size)
    if (count > 0) parts.push(`${count} ${unit}`)
    rest -= count * size
  }
  if (rest > 0 || parts.length === 0) parts.push(`${rest} ms`)
  return parts.join(' ')
}

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** As `spanText`, to the second below a minute, to the minute below a day, then to the hour. */
export function roughSpanText(ms: number): string {
  const unit = ms < minuteMs ? secondMs : ms < 24 * hourMs ? minuteMs : hourMs
  return spanText(Math.max(unit, Math.round(ms / unit) * unit))
}

/** The level or amount of terms with its unit; nothing where there is none. */
export function amountText(terms: AlertTerms, format: NumberFormat): string {
  switch (terms.condition) {
    case 'risesTo':
    case 'fallsTo':
    case 'crosses':
    case 'isAbove':
    case 'isBelow':
      return format(terms.level)
    case 'entersBand':
    case 'leavesBand':
      return `${format(terms.low)} to ${format(terms.high)}`
    case 'moves':
      return `${format(terms.amount)} ${terms.unit === 'percent' ? '%' : 'points'}`
    case 'noUpdate':
      return terms.afterMs === undefined ? '' : spanText(terms.afterMs)
    case 'weightAtOrAbove':
    case 'weightAtOrBelow':
      return `${format(terms.weightPercent)} %`
    case 'weightDrift':
      return `${format(terms.points)} pp`
    case 'exchangeShareAtOrBelow':
      return `${format(terms.sharePercent)} %`
    case 'continuity':
      return `${format(terms.tolerancePercent)} %`
    case 'spreadAtOrAbove':
      return `${format(terms.spreadBps)} bp`
    case 'depthAtOrBelow':
      return format(terms.depth)
    case 'fixed':
      return spanText(terms.graceMs)
    case 'carriedOver':
    case 'amended':
    case 'corporateAction':
    case 'constituentsChanged':
    case 'divisorChanged':
      return ''
  }
}

/** The condition without its amount: `rises to`, `moves up within 15 min by`, `weight of BTC at or above`. */
export function termsWords(terms: AlertTerms): string {
  switch (terms.condition) {
    case 'moves': {
      const direction = terms.direction === 'either' ? '' : ` ${terms.direction}`
      return `moves${direction} within ${spanText(terms.withinMs)} by`
    }
    case 'noUpdate':
      return terms.afterMs === undefined ? 'has no update for longer than usual' : 'has no update for'
    case 'weightAtOrAbove':
    case 'weightAtOrBelow':
      return `weight of ${terms.constituent} ${terms.condition === 'weightAtOrAbove' ? 'at or above' : 'at or below'}`
    case 'weightDrift':
      return `weight of ${terms.constituent ?? 'any constituent'} drifts by`
    case 'constituentsChanged':
      return 'constituents are added or removed'
    case 'divisorChanged':
      return 'divisor changes'
    case 'exchangeShareAtOrBelow':
      return `share of ${terms.exchange} in ${terms.constituent} at or below`
    case 'continuity':
      return 'differs from its constituents by more than'
    case 'spreadAtOrAbove':
      return 'bid–ask spread at or above'
    case 'depthAtOrBelow':
      return 'utilized depth at or below'
    case 'fixed':
      return 'publishes its fixing, or is late by'
    default:
      return conditionText(terms.condition satisfies ConditionOfLevels, true)
  }
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

/** Hours in words: `Mon–Fri 15:30–16:15 London`, `Mon, Wed 22:00–06:00 New York`, `daily 09:00–17:00 UTC`. */
export function hoursWords({ days, from, to, timeZone }: Omit<AlertHours, 'alsoIfTrue'>): string {
  const zone = timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')
  return `${daysWords(days)} ${from}–${to} ${zone}`
}

/** Three days in a row and more are a range. */
function daysWords(days: AlertHours['days']): string {
  if (weekdays.every((day) => days.includes(day))) return 'daily'
  const runs: string[][] = [[]]
  for (const day of weekdays) {
    if (!days.includes(day)) runs.push([])
    else runs.at(-1)?.push(dayNames[day])
  }
  return runs.flatMap((run) => (run.length < 3 ? run : [`${run[0] ?? ''}–${run.at(-1) ?? ''}`])).join(', ')
}

/** For how long the condition must hold: `for 5 min`; nothing where that is not asked. */
export function holdWords({ holdMs }: Pick<AlertRule, 'holdMs'>): string {
  return holdMs === undefined ? '' : `for ${spanText(holdMs)}`
}

/** A rule in one line: `BRTI rises to 68,000`, `BRTI is above 68,000 for 5 min, Mon–Fri 15:30–16:15 London`. */
export function ruleWords(
  rule: Pick<AlertRule, 'indexId' | 'terms' | 'holdMs' | 'hours'>,
  format: NumberFormat,
): string {
  const { indexId, terms, hours } = rule
  const words = [indexId, termsWords(terms), amountText(terms, format), holdWords(rule)]
    .filter((part) => part !== '')
    .join(' ')
  return hours === undefined ? words : `${words}, ${hoursWords(hours)}`
}

/** How many rules have no data: `1 alert has no data`. */
export function noDataWords(ruleCount: number): string {
  return ruleCount === 1 ? '1 alert has no data' : `${ruleCount.toLocaleString('en-GB')} alerts have no data`
}

/** Equal for drafts that wait for the same thing, however their numbers are written. */
export function draftKey({ indexId, terms, holdMs = 0, hours }: AlertDraft): string {
  const normal = Object.entries(terms)
    .filter(([name]) => name !== 'rearmBand')
    .map(([name, value]): [string, unknown] => [name, numberFields.has(name) ? normalised(String(value)) : value])
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([indexId, holdMs, normal, ...(hours === undefined ? [] : [hoursWords(hours), hours.timeZone])])
}

const numberFields: ReadonlySet<string> = new Set(
  termsFieldNames.filter((name) => ['level', 'number'].includes(termsFields[name].kind)),
)

function normalised(text: string): string {
  const decimal = parseDecimal(text)
  return decimal === undefined ? text : `${decimal.sign}:${decimal.digits}:${decimal.point}`
}
