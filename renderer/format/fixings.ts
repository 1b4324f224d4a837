/** Texts about fixings. */
import { percentChange, writeOut } from '../../core/decimal'
import type { DecimalText } from '../../core/model'
import { formatValue, type DisplayStyle } from './value'

/** A remaining time in words: `19 h 44 min`, `3 d 2 h`, `less than a minute`. */
export function untilWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24]
  if (minutes < 1) return 'less than a minute'
  if (days > 0) return hours === 0 ? `${days} d` : `${days} d ${hours} h`
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`
}

/** The distance of `to` from `from` in basis points of |from|, with one decimal. Undefined if `from` is zero. */
export function basisPoints(from: DecimalText, to: DecimalText): DecimalText | undefined {
  const percent = percentChange(from, to, 3)
  return percent === undefined ? undefined : writeOut(`${percent}e2`)
}

/** The same as on screen: `+18.1 bp`. A dash if `from` is zero. */
export function basisPointsText(from: DecimalText, to: DecimalText, style: DisplayStyle): string {
  const points = basisPoints(from, to)
  return points === undefined ? '–' : `${formatValue(points, style, { signed: true })} bp`
}
