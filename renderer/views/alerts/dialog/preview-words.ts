import type { BackTest, RangeTest } from '../../../../core/alert-events'
import { amountText } from '../../../../core/alert-words'
import { spanText } from '../../../../core/spans'
import { hasWindow, isMean, type AlertDraft, type AlertTerms } from '../../../../core/alerts'
import { specOf } from '../../../../core/conditions/list'
import { compareDecimals, parseDecimal } from '../../../../core/decimal'
import type { DecimalText, IndexId } from '../../../../core/model'
import { distanceText } from '../../../format/change'
import { minuteText, publishedText, startOfDayMs } from '../../../format/published-time'
import { measureUnit } from '../../../format/rule-distance'
import { formatValue } from '../../../format/value'
import { display } from '../../../state/display.svelte'

const maxFires = 1_000

/** Says that the condition already holds, such as `BRTI is already at or above 60,000.` With "was just" if not `isNow`. */
export function alreadyTrueWords({ indexId, terms }: AlertDraft, isNow: boolean): string {
  const amount = amountText(terms, display.number)
  const already = isNow ? 'is already' : 'was just'
  return (
    specOf(terms.condition).met?.(terms, { indexId, already, amount }) ??
    `This ${isNow ? 'is already true' : 'was true just now'}.`
  )
}

/** The distance from a value to the level or band. */
export function distanceWords(value: DecimalText, terms: AlertTerms): string {
  if ('level' in terms) return isSame(value, terms.level) ? 'at the level' : distanceText(value, terms.level, display)
  if (!('low' in terms)) return ''
  const [now, low, high] = [value, terms.low, terms.high].map(parseDecimal)
  if (now === undefined || low === undefined || high === undefined) return ''
  if (compareDecimals(now, low) < 0) return `${distanceText(value, terms.low, display)}, below the band`
  if (compareDecimals(now, high) > 0) return `${distanceText(value, terms.high, display)}, above the band`
  return 'inside the band'
}

function isSame(a: DecimalText, b: DecimalText): boolean {
  const [one, other] = [parseDecimal(a), parseDecimal(b)]
  return one !== undefined && other !== undefined && compareDecimals(one, other) === 0
}

/** The latest measure that the condition compares, with its unit. */
export function measureWords(measure: DecimalText, terms: AlertTerms): string {
  if (isMean(terms)) return `the mean is ${formatValue(measure, display)}: ${distanceWords(measure, terms)}`
  const number = formatValue(measure, display, { signed: hasWindow(terms) })
  const unit = measureUnit(terms) ?? ''
  return `${number}${unit}${hasWindow(terms) ? ` within ${spanText(terms.withinMs)}` : ''}`
}

function timesWords(count: number): string {
  if (count === 1) return 'once'
  if (count >= maxFires) return `at least ${formatValue(String(maxFires), display)} times`
  return count === 2 ? 'twice' : `${count} times`
}

/** `the last hour`, `the last 24 hours`, `the last 42 minutes`. */
export function pastWords(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  if (minutes === 1) return 'the last minute'
  if (minutes < 60) return `the last ${minutes} minutes`
  const hours = Math.round(minutes / 60)
  if (hours === 1) return 'the last hour'
  return hours <= 48 ? `the last ${hours} hours` : `the last ${Math.round(hours / 24)} days`
}

/**
 * `Would have fired 4 times in the last hour, last at 14:01:52.` If the values end well before now, such as while offline:
 * `… from 13:02:11 to 14:02:11, …`.
 */
export function backTestWords({ sinceMs, untilMs, fires }: BackTest, nowMs: number): string {
  const lengthMs = untilMs - sinceMs
  const isUpToNow = nowMs - untilMs < lengthMs / 10
  const past = isUpToNow
    ? `in ${pastWords(lengthMs)}`
    : `from ${momentText(sinceMs, nowMs)} to ${momentText(untilMs, nowMs)}`
  const last = fires.at(-1)
  if (last === undefined) return `Would not have fired ${past}.`
  const at = publishedText(last.publishedAtMs, nowMs, false, display)
  return `Would have fired ${timesWords(fires.length)} ${past}, ${fires.length > 1 ? 'last ' : ''}at ${at}.`
}

/** `14:02:11` today, `20 Nov 2026 16:00` on another day. */
function momentText(atMs: number, nowMs: number): string {
  const isToday = startOfDayMs(atMs, display) === startOfDayMs(nowMs, display)
  return isToday ? publishedText(atMs, nowMs, false, display) : minuteText(atMs, display)
}

/** `Would have fired 4 times since 20 Nov 2026 16:00, last at 21 Nov 2026 09:12.` */
export function rangeTestWords(
  { fromMs, toMs, fires, valueCount }: RangeTest,
  indexId: IndexId,
  nowMs: number,
): string {
  const from = momentText(fromMs, nowMs)
  const range = nowMs - toMs < 60_000 ? `since ${from}` : `from ${from} to ${momentText(toMs, nowMs)}`
  if (valueCount === 0) return `The history has no values of ${indexId} ${range}.`
  const last = fires.at(-1)
  if (last === undefined) return `Would not have fired ${range}.`
  const words = `Would have fired ${timesWords(fires.length)} ${range}`
  if (fires.length >= maxFires) return `${words}. Later values were not tested.`
  return `${words}, ${fires.length > 1 ? 'last ' : ''}at ${momentText(last.publishedAtMs, nowMs)}.`
}

const maxNotKnownShown = 3

/** `No data 20 Nov 2026 02:14–20 Nov 2026 07:31.` Names the longest gaps and counts the others. */
export function notKnownWords(notKnown: RangeTest['notKnown'], nowMs: number): string {
  const longest = notKnown.toSorted((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs)).slice(0, maxNotKnownShown)
  const words = longest
    .toSorted((a, b) => a.fromMs - b.fromMs)
    .map(({ fromMs, toMs }) => `${momentText(fromMs, nowMs)}–${momentText(toMs, nowMs)}`)
  const restCount = notKnown.length - longest.length
  const rest = restCount === 0 ? '' : ` and ${restCount} shorter ${restCount === 1 ? 'gap' : 'gaps'}`
  return `No data ${words.join(', ')}${rest}.`
}

/** `With a 5 bp re-arm band: once.` */
export function bandWords(firesWithBand: number): string {
  return `With a 5 bp re-arm band: ${firesWithBand === 0 ? 'never' : timesWords(firesWithBand)}.`
}
