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

/** A change as on screen: the exact difference, and the percentage without a sign. */
export interface ChangeTexts {
  direction: Direction
  difference: string
  /** Undefined if the value before was zero. */
  percent?: string
}

const directions = { '-1': 'down', '0': 'flat', '1': 'up' } as const

function unsigned(text: DecimalText, style: DisplayStyle): string {
  return formatValue(text, style).replace(/^\u2212/, '')
}

/** The change from `from` to `to`. */
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

/** True if the level is more than 1,000 % away. Such a percentage would be hard to read. */
function isPastReach(value: DecimalText, level: DecimalText): boolean {
  const percent = parseDecimal((percentChange(value, level) ?? '0').replace('-', ''))
  const max = parseDecimal('1000')
  return percent === undefined || (max !== undefined && compareDecimals(percent, max) > 0)
}

/** The distance of `level` from `value`: `376.60 away, 0.55 %`. */
export function distanceText(value: DecimalText, level: DecimalText, style: DisplayStyle): string {
  const { difference, percent } = changeTexts(value, level, style)
  const distance = difference.replace(/^[+\u2212]/, '')
  if (percent === undefined) return `${distance} away`
  return `${distance} away, ${isPastReach(value, level) ? 'more than 1,000 %' : percent}`
}

/** Names of the baselines of changes, in the menu. */
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

/** Names of the baselines, after a change. */
export const referenceNames: Record<ChangeReference['kind'], string> = {
  sessionFirst: 'since app start',
  dayAgo: 'in 24 h',
  previousClose: 'since 00:00 UTC',
  previousPublished: 'vs previous fixing',
}

/** The baseline of a change in words, with its value and time. */
export function referenceText(reference: ChangeReference, style: DisplayStyle): string {
  const value = formatValue(reference.value, style)
  const from =
    reference.kind === 'previousPublished'
      ? `vs previous fixing, ${value}`
      : `Since ${value}, ${referenceWords[reference.kind]}`
  return `${from}: ${fullTimeText(reference.publishedAtMs, style)}`
}

/** The baseline of a change in words, while its value is unknown. */
export function unknownReferenceText(base: ChangeBase): string {
  return `No data yet: ${referenceWords[base]}`
}

/** The position of a value in the range, from 0 (low) to 1 (high). 0.5 if low and high are equal. A float, for drawing only. */
export function placeInRange(value: DecimalText, { low, high }: ValueRange): number {
  const bottom = toChartNumber(low)
  const span = toChartNumber(high) - bottom
  return span === 0 ? 0.5 : Math.min(1, Math.max(0, (toChartNumber(value) - bottom) / span))
}

/** The range of the last 24 hours in words. It includes `value`, which may be newer than the range. */
export function rangeText(value: DecimalText, { low, high }: ValueRange, style: DisplayStyle): string {
  const bottom = isLess(value, low) ? value : low
  const top = isLess(high, value) ? value : high
  return `Last 24 hours: ${formatValue(bottom, style)} to ${formatValue(top, style)}`
}

/** Change, low and high of the last 24 hours, as on screen. */
export interface DayRange {
  change: ChangeTexts
  low: string
  high: string
  /** Published time of the baseline of the change. */
  sinceMs: number
}

/**
 * The last 24 hours from the provider's summary. A newer value on screen is included, because a low above it would be
 * wrong. Undefined if the provider sent fewer than two values.
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
