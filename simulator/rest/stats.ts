import type { StatsStreamType } from '../../protocol/rest'
import { assetNamed } from '../asset-facts'
import { hasWeights, weightsByAsset } from '../calculations'
import { findIndex } from '../catalogue'
import { isRealTimeAsset, type IndexDefinition } from '../index-definition'
import { conditionsAt, hasConditions } from '../conditions'
import { corporateActionAt, corporateActionsBetween } from '../corporate-actions'
import { chanceOf } from '../noise'
import type { PublishedValue } from '../publications'
import { historySpanMs } from '../schedule'
import { unknownId, type Endpoint, type RestResponse, type RestRequest } from './endpoint'

/** One stream type: its indices and its rows, ascending. */
interface StatsStream {
  offers(index: IndexDefinition): boolean
  rows(request: RestRequest, index: IndexDefinition): readonly object[]
}

const streams: Readonly<Record<StatsStreamType, StatsStream>> = {
  volume: {
    offers: ({ base, schedule, isTokenizedEquity }) =>
      base !== undefined && 'dailyIn' in schedule && isTokenizedEquity !== true,
    rows: perValue((request, index, { time }) => volumesOf(request, index, time)),
  },
  weight: {
    offers: hasWeights,
    rows: perValue(({ publications }, index, published) => ({
      weights: weightsByAsset(publications.calculation(index, published)),
    })),
  },
  constituentresult: {
    offers: ({ constituents }) => constituents !== undefined,
    rows: perValue(({ publications }, index, published) => publications.calculation(index, published)),
  },
  rti: {
    offers: hasConditions,
    rows: perValue(({ seed }, index, published) => conditionsAt(seed, index, published)),
  },
  activecorporateaction: {
    offers: (index) => index.isTokenizedEquity === true && isRealTimeAsset(index),
    rows({ seed, nowMs }, index) {
      const afterMs = nowMs - historySpanMs(index.schedule)
      // The state at the start of the span, then every change.
      const first = corporateActionAt(seed, index, afterMs)
      return [first, ...corporateActionsBetween(seed, index, { afterMs, untilMs: nowMs })]
    },
  },
}

/**
 * `GET stats`: the data behind the values of an index, one row per minute of the last hour or per day of the last year.
 */
export const stats: Endpoint = {
  path: 'stats',
  respond(request) {
    const index = findIndex(request.query.get('id') ?? '')
    if (index === undefined) return unknownId
    const stream = requestedStream(request.query)
    if (stream === undefined) return { status: 400, error: `streamtype must be one of ${names.join(', ')}` }
    if (!stream.offers(index)) return unavailable
    return { payload: stream.rows(request, index) }
  },
}

const names = Object.keys(streams)
const unavailable: RestResponse = { status: 400, error: 'streamtype not available for this id' }

function requestedStream(query: URLSearchParams): StatsStream | undefined {
  const text = query.get('streamtype') ?? ''
  return Object.hasOwn(streams, text) ? streams[text as StatsStreamType] : undefined
}

/** Rows of value, time and flags, each with additional fields. */
function perValue(
  more: (request: RestRequest, index: IndexDefinition, published: PublishedValue) => object,
): StatsStream['rows'] {
  return (request, index) =>
    request.publications
      .minutes(index, request.nowMs)
      .map((published) => ({ ...published, ...more(request, index, published) }))
}

/** Units of the base asset traded for a daily value, and their division by exchange, with lower-case names. */
function volumesOf({ seed, publications }: RestRequest, index: IndexDefinition, time: number): object {
  const asset = assetNamed(index.base ?? '')
  if (asset === undefined) return {}
  const shares = publications.exchangeShares(asset, time)
  return {
    volume: (200 + 3_000 * chanceOf(seed, index.id, time, 'volume')).toFixed(4),
    volumes: Object.fromEntries(
      shares.map(({ name, percent }) => [name.toLowerCase().replaceAll(' ', ''), { volumePercent: percent }]),
    ),
  }
}
