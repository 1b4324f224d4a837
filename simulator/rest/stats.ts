import type { StatsStreamType } from '../../protocol/rest'
import { assetNamed } from '../asset-facts'
import { findIndex } from '../catalogue'
import { isRealTimeAsset, type IndexDefinition } from '../index-definition'
import { conditionsAt, hasConditions } from '../conditions'
import { corporateActionAt, corporateActionsBetween } from '../corporate-actions'
import { chanceOf } from '../noise'
import type { PublishedValue } from '../publications'
import { historySpanMs } from '../schedule'
import { hasWeights, weightsByAsset } from '../stream/weight-stream'
import { unknownId, type Endpoint, type RestAnswer, type RestQuestion } from './endpoint'

/** One stream type: which indices have it, and its rows, ascending. */
interface StatsStream {
  offers(index: IndexDefinition): boolean
  rows(question: RestQuestion, index: IndexDefinition): readonly object[]
}

const streams: Readonly<Record<StatsStreamType, StatsStream>> = {
  volume: {
    offers: ({ base, schedule, isTokenizedEquity }) =>
      base !== undefined && 'dailyIn' in schedule && isTokenizedEquity !== true,
    rows: perValue((question, index, { time }) => volumesOf(question, index, time)),
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
      // What was in force when the span began, then every change.
      const first = corporateActionAt(seed, index, afterMs)
      return [first, ...corporateActionsBetween(seed, index, { afterMs, untilMs: nowMs })]
    },
  },
}

/** `GET stats`: what stands behind the values of an index, one row a minute of the last hour, or a day of the year. */
export const stats: Endpoint = {
  path: 'stats',
  answer(question) {
    const index = findIndex(question.query.get('id') ?? '')
    if (index === undefined) return unknownId
    const stream = streamAsked(question.query)
    if (stream === undefined) return { status: 400, error: `streamtype must be one of ${names.join(', ')}` }
    if (!stream.offers(index)) return unavailable
    return { payload: stream.rows(question, index) }
  },
}

const names = Object.keys(streams)
const unavailable: RestAnswer = { status: 400, error: 'streamtype not available for this id' }

function streamAsked(query: URLSearchParams): StatsStream | undefined {
  const asked = query.get('streamtype') ?? ''
  return Object.hasOwn(streams, asked) ? streams[asked as StatsStreamType] : undefined
}

/** Rows of value, time and flags, each with more beside them. */
function perValue(
  more: (question: RestQuestion, index: IndexDefinition, published: PublishedValue) => object,
): StatsStream['rows'] {
  return (question, index) =>
    question.publications
      .minutes(index, question.nowMs)
      .map((published) => ({ ...published, ...more(question, index, published) }))
}

/** Units of the base asset traded behind a daily value, and how they were spread, by exchanges in lower case. */
function volumesOf({ seed, publications }: RestQuestion, index: IndexDefinition, time: number): object {
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
