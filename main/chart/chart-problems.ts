/** What a chart says where it shows less than was asked for. */
import type { ChartRange } from '../../protocol/answers'
import type { IndexId, Resolution } from '../../protocol/model'
import { isSlow } from './gaps'

const cadences: Readonly<Record<Resolution, string>> = {
  PER_200MS: 'every 200 ms',
  PER_SECOND: 'every second',
  PER_MINUTE: 'every minute',
  PER_HOUR: 'once an hour',
  DAILY: 'once a day',
  BUSINESS_DAYS: 'once on each business day',
}

const spans: Readonly<Record<ChartRange, string>> = {
  '1m': 'minute',
  '5m': '5 minutes',
  '1h': 'hour',
  '24h': '24 hours',
  '1y': 'year',
}

export const notConnected = 'There is no connection to a service, which would tell the values of the past.'
export const withoutRest =
  'This connection has no REST address, so the chart has only what was received since its page was opened. Enter an address in Settings.'

/** `message` says why REST did not answer. */
export function restFailed(message: string): string {
  return `${message} The chart has only what was received before.`
}

/** A year of an index of which the service keeps an hour by its own cadence and a day by the minute. */
export function yearNotTold(resolution: Resolution): string {
  return `The service tells only the last 24 hours of an index that publishes ${cadences[resolution]}: choose 24 h or less.`
}

/** The service answered, and nothing lies in the range. */
export function nothingWithin(id: IndexId, range: ChartRange, resolution: Resolution): string {
  if (isSlow(resolution) && range !== '1y') {
    const better = resolution === 'PER_HOUR' && range !== '24h' ? '24 h' : '1 y'
    return `${id} publishes ${cadences[resolution]}: choose ${better}.`
  }
  return `${id} published nothing in the last ${spans[range]}.`
}
