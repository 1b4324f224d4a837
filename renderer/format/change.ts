import {
  compareDecimals,
  isLess,
  parseDecimal,
  percentChange,
  subtractDecimals,
  toChartNumber,
} from '../../core/decimal'
import type { ValueRange } from '../../protocol/desktop'
import type { ChangeReference, DecimalText, IndexSummary, Publication } from '../../core/model'
import type { ChangeBase } from '../../core/preferences'
import type { Direction } from '../ui/direction'
import { fullTimeText } from './published-time'
import { formatValue, type DisplayStyle } from './value'

/** A change ready for the screen: exact difference, percent without a sign. */
export interface ChangeTexts {
  direction: Direction
  difference: string
  /** Absent when the change is counted from zero. */
  percent?: string
}

const directions = { '-1': 'down', '0': 'flat', '1': 'up' } as const

function unsigned(text: DecimalText, style: DisplayStyle): string {
  return formatValue(text, style).replace(/^\u2212/, '')
}

/** How `to` differs from `from`. */
export function changeTexts(from: DecimalText, to: DecimalText, style: DisplayStyle): ChangeTexts {
  const start = parseDecimal(from)
  const end = parseDecimal(to)
  const direction = start === undefined || end === undefined ? 'flat' : directions[`${compareDecimals(end, start)}`]
  const percent = percentChange(from, to)
  return {
    direction,
    difference: formatValue(subtractDecimals(to, from), style, { signed: true }),
    ...(percent === undefined ? {} : { percent: `${unsigned(percent, style)} %` }),
  }
}

/** Beyond ten times the value a percentage is nothing but digits, and of some too many to be read. */
function isPastReach(value: DecimalText, level: DecimalText): boolean {
  const percent = parseDecimal((percentChange(value, level) ?? '0').replace('-', ''))
  const max = parseDecimal('1000')
  return percent === undefined || (max !== undefined && compareDecimals(percent, max) > 0)
}

/** How far `level` lies from `value`: `376.60 away, 0.55 %`. */
export function distanceText(value: DecimalText, level: DecimalText, style: DisplayStyle): string {
  const { difference, percent } = changeTexts(value, level, style)
  const distance = difference.replace(/^[+\u2212]/, '')
  if (percent === undefined) return `${distance} away`
  return `${distance} away, ${isPastReach(value, level) ? 'more than 1,000 %' : percent}`
}

/** What changes can be counted from, as it is chosen. */
export const changeBaseNames: Record<ChangeBase, string> = {
  sessionFirst: 'App start',
  dayAgo: '24 hours ago',
  previousClose: 'Previous day (00:00 UTC)',
}

const referenceWords: Record<ChangeBase, string> = {
  sessionFirst: 'the first value since app start',
  dayAgo: 'the value 24 hours ago',
  previousClose: 'the last value before 00:00 UTC',
}

/** What a change is counted from, after the change. */
export const referenceNames: Record<ChangeReference['kind'], string> = {
  sessionFirst: 'since app start',
  dayAgo: 'in 24 h',
  previousClose: 'since 00:00 UTC',
  previousPublished: 'vs previous fixing',
}

/** What a change is counted from, in words. */
export function referenceText(reference: ChangeReference, style: DisplayStyle): string {
  const value = formatValue(reference.value, style)
  const from =
    reference.kind === 'previousPublished'
      ? `vs previous fixing, ${value}`
      : `Since ${value}, ${referenceWords[reference.kind]}`
  return `${from}: ${fullTimeText(reference.publishedAtMs, style)}`
}

/** What a change would be counted from, while that is not known. */
export function unknownReferenceText(base: ChangeBase): string {
  return `No data yet: ${referenceWords[base]}`
}

/** For drawing alone: from 0, the low of the range, to 1; in the middle where both are one. */
export function placeInRange(value: DecimalText, { low, high }: ValueRange): number {
  const bottom = toChartNumber(low)
  const span = toChartNumber(high) - bottom
  return span === 0 ? 0.5 : Math.min(1, Math.max(0, (toChartNumber(value) - bottom) / span))
}

/** The last 24 hours in words, up to the value on screen where that is beyond what is known of them. */
export function rangeText(value: DecimalText, { low, high }: ValueRange, style: DisplayStyle): string {
  const bottom = isLess(value, low) ? value : low
  const top = isLess(high, value) ? value : high
  return `Last 24 hours: ${formatValue(bottom, style)} to ${formatValue(top, style)}`
}

/** The last 24 hours in three numbers, ready for the screen. */
export interface DayRange {
  change: ChangeTexts
  low: string
  high: string
  /** When the value was published that the change is counted from. */
  sinceMs: number
}

/**
 * The 24 hours that the service summed up, up to the value on screen where that is newer: a low above the value shown
 * would be wrong. `undefined` where the service sent fewer than two values: there is no change between them.
 */
export function dayRange(
  summary: IndexSummary,
  shown: Publication | undefined,
  style: DisplayStyle,
): DayRange | undefined {
  const [first] = summary.last24Hours
  if (first === undefined || summary.last24Hours.length < 2) return undefined
  const latest = shown !== undefined && shown.publishedAtMs > summary.publishedAtMs ? shown : summary
  const values = [...summary.last24Hours, summary, latest].map(({ value }) => value)
  return {
    change: changeTexts(first.value, latest.value, style),
    low: formatValue(
      values.reduce((low, value) => (isLess(value, low) ? value : low)),
      style,
    ),
    high: formatValue(
      values.reduce((high, value) => (isLess(high, value) ? value : high)),
      style,
    ),
    sinceMs: first.publishedAtMs,
  }
}
