/** Texts about means of published values. */
import { fractionText, roundedText, type Fraction } from '../../core/decimal'
import { placeOf } from '../../core/fixings'
import type { DecimalText } from '../../core/model'
import { present } from '../../core/present'
import { isFinal, type BoundMean } from '../../core/settlement/bound-window'
import { strikeKinds, type RestBound, type Strike } from '../../core/settlement/strikes'
import { clockText, dayText } from './published-time'
import { wallClock } from './time-zone'
import { formatValue, type DisplayStyle } from './value'

/** A remaining time to the second: `38 s`, `12 min 30 s`, `3 h 2 min`. A second that has begun counts. */
function countdownText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}

/** `58 of 60 values, 2 carried forward`. */
export function countText(
  { counted, expected, carried }: Pick<BoundMean, 'counted' | 'expected' | 'carried'>,
  zeros = 0,
): string {
  return present(
    `${counted} of ${expected} values`,
    carried > 0 && `${carried} carried forward`,
    zeros > 0 && `${zeros} ${zeros === 1 ? 'zero counts' : 'zeros count'} as missing`,
  ).join(', ')
}

/** What a bound window waits for, or how it ended. */
export function stateText({ state, firstMs, lastMs, counted, expected }: BoundMean, nowMs: number): string {
  const missing = expected - counted
  switch (state) {
    case 'before':
      return `First value in ${countdownText(firstMs - nowMs)}`
    case 'running':
      return `Last value in ${countdownText(lastMs - nowMs)}`
    case 'waiting':
      return 'Waiting for the last values'
    case 'complete':
      return 'All values are there'
    case 'incomplete':
      return `Incomplete: ${missing === 1 ? '1 value does not count' : `${missing} values do not count`}. A late value still joins.`
    case 'amended':
      return 'Amended after its end'
  }
}

/** The name of a mean that can still grow, and of a final one. */
export function meanName(result: Pick<BoundMean, 'state'>): string {
  return isFinal(result.state) ? 'Final mean of published values' : 'Provisional mean of published values'
}

/** Rounded to these decimals, with grouped digits. A dash if there is no mean. */
export function meanText(mean: Fraction | undefined, decimals: number, style: DisplayStyle): string {
  return mean === undefined ? '—' : formatValue(roundedText(mean, decimals), style)
}

/** `mean 84,000.12 of 58 of 60 values, 2 carried forward, 1 amended`. */
export function meanReadingText(
  {
    mean,
    amended,
    ...count
  }: Pick<BoundMean, 'counted' | 'expected' | 'carried'> & { mean: Fraction; amended: number },
  decimals: number,
  style: DisplayStyle,
): string {
  return `mean ${meanText(mean, decimals, style)} of ${countText(count)}${amended === 0 ? '' : `, ${amended} amended`}`
}

/** With four further digits, cut off: `100.3133…`. */
export function longMeanText(mean: Fraction, decimals: number, style: DisplayStyle): string {
  const places = decimals + 4
  const text = fractionText(mean, places)
  const isCut = (mean.units * 10n ** BigInt(places)) % mean.over !== 0n
  return `${formatValue(text, style)}${isCut ? '…' : ''}`
}

/** `at least 84,000.00`, `between 1 and 2`. */
export function strikeText({ kind, level, high }: Strike, style: DisplayStyle): string {
  const end = high === undefined ? '' : ` and ${formatValue(high, style)}`
  return `${strikeKinds[kind]} ${formatValue(level, style)}${end}`
}

const sideWords: Record<RestBound['side'], string> = {
  from: 'at least',
  above: 'more than',
  to: 'at most',
  below: 'less than',
}
/** Rounding includes its own edge from below and excludes it from above. */
const roundedSideWords: Record<RestBound['side'], string> = {
  from: 'at least',
  above: 'at least',
  to: 'less than',
  below: 'less than',
}

/** `The other 2 must average at least 103.00 (at least 102.98 with rounding).` Empty if there is no rest. */
export function restText(rest: readonly RestBound[], missing: number, style: DisplayStyle): string {
  if (rest.length === 0) return ''
  const show = (value: DecimalText) => formatValue(value, style)
  const bounds = rest.map(({ side, exact, withRounding }) => {
    return `${sideWords[side]} ${show(exact)} (${roundedSideWords[side]} ${show(withRounding)} with rounding)`
  })
  return `The ${missing === 1 ? 'value' : `${missing} values`} not there must average ${bounds.join(' and ')}.`
}

/** `1 Jul 17:00:00 New York`. */
export function zoneTimeText(atMs: number, zone: string): string {
  const wall = wallClock(atMs, zone)
  return `${dayText(wall)} ${clockText(wall, 'seconds')} ${placeOf({ zone })}`
}
