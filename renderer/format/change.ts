import { compareDecimals, parseDecimal, percentChange, subtractDecimals } from '../../protocol/decimal'
import type { ChangeReference, DecimalText } from '../../protocol/model'
import { fullTimeText } from './published-time'
import { formatValue } from './value'

export type Direction = 'up' | 'down' | 'flat'

/** A change ready for the screen: exact difference, percent without a sign. */
export interface ChangeTexts {
  direction: Direction
  difference: string
  /** Absent when the change is counted from zero. */
  percent?: string
}

const minus = '\u2212'
const directions = { '-1': 'down', '0': 'flat', '1': 'up' } as const

function unsigned(text: DecimalText): string {
  return formatValue(text).replace('-', '')
}

/** How `to` differs from `from`. */
export function changeTexts(from: DecimalText, to: DecimalText): ChangeTexts {
  const start = parseDecimal(from)
  const end = parseDecimal(to)
  const direction = start === undefined || end === undefined ? 'flat' : directions[`${compareDecimals(end, start)}`]
  const percent = percentChange(from, to)
  return {
    direction,
    difference: formatValue(subtractDecimals(to, from), { signed: true }),
    ...(percent === undefined ? {} : { percent: `${unsigned(percent)} %` }),
  }
}

/** Beyond ten times the value a percentage tells nothing but digits. */
function isPastReach(value: DecimalText, level: DecimalText): boolean {
  const percent = parseDecimal((percentChange(value, level) ?? '0').replace('-', ''))
  const most = parseDecimal('1000')
  return percent !== undefined && most !== undefined && compareDecimals(percent, most) > 0
}

/** How far `level` lies from `value`: `376.60 away, 0.55 %`. */
export function distanceText(value: DecimalText, level: DecimalText): string {
  const { difference, percent } = changeTexts(value, level)
  const distance = difference.replace(/^[+\u2212]/, '')
  if (percent === undefined) return `${distance} away`
  return `${distance} away, ${isPastReach(value, level) ? 'more than 1,000 %' : percent}`
}

/** The sign to be read out where the eye sees an arrow. */
export function signOf(direction: Direction): string {
  return { up: '+', down: minus, flat: '' }[direction]
}

const referenceWords: Record<ChangeReference['kind'], string> = {
  sessionFirst: 'the first value of this session',
  dayAgo: 'the value 24 hours ago',
  previousClose: 'the last value before midnight UTC',
  previousPublished: 'the publication before the latest',
}

/** What a change is counted from, in words. */
export function referenceText(reference: ChangeReference): string {
  return `Since ${formatValue(reference.value)}, ${referenceWords[reference.kind]}: ${fullTimeText(reference.publishedAtMs)}`
}
