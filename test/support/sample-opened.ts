import type { OpenedIndex } from '../../protocol/desktop'
import type { Constituent, ConstituentsPublication, Fact, IndexId, IndexSummary } from '../../core/model'
import type { ConditionsPoint } from '../../core/spread'
import { sampleNowMs } from './sample-window'

const hour = 3_600_000

/** Reads a text such as `BTC 67711.23 58.000`: name, value, weight in percent. */
function constituentOf(text: string): Constituent {
  const [constituent = '', value = '', weightPercent = ''] = text.split(' ')
  return { constituent, value, weightPercent }
}

/** A constituent with the weights of its exchanges. */
function listed(text: string, ...weights: [exchange: string, weightPercent: string][]): Constituent {
  const exchanges = weights.map(([exchange, weightPercent]) => ({ exchange, weightPercent }))
  return { ...constituentOf(text), exchanges }
}

const constituentsOf = (...texts: string[]): Constituent[] => texts.map(constituentOf)

function factsOf(texts: Record<string, string>): Fact[] {
  return Object.entries(texts).map(([name, text]) => ({ name, text }))
}

/**
 * An exchange family whose weights do not add up to 100 because of rounding. The exchange shares of each constituent
 * do.
 */
const family: Constituent[] = [
  listed(
    'BTC 68123.40 58.214',
    ['Coinbase', '46.10'],
    ['Kraken', '21.35'],
    ['Bitstamp', '18.05'],
    ['LMAX Digital', '14.50'],
  ),
  listed('ETH 3456.70 24.880', ['Coinbase', '51.02'], ['Kraken', '30.00'], ['Bitstamp', '18.98']),
  listed('SOL 146.2107 8.412', ['Coinbase', '70.00'], ['Kraken', '30.00']),
  listed('XRP 1.2044 5.031', ['Bitstamp', '64.40'], ['Kraken', '35.60']),
  listed('LINK 12.8841 3.460', ['Coinbase', '100.00']),
]

const familyAtOpening = constituentsOf(
  'BTC 67711.23 58.000',
  'ETH 3468.74 24.990',
  'SOL 146.2107 8.400',
  'XRP 1.2013 5.030',
  'BCH 793.3554 3.570',
)

const basket = constituentsOf(
  'BTC 68123.40 40.0',
  'ETH 3456.70 30.0',
  'SHIB 1.3504e-5 1.5e1',
  'XRP 1.2044 10.00',
  'DOGE 0.1010484 5.00',
)

function published(value: string, constituents: Constituent[], divisor?: string): ConstituentsPublication {
  const publication = { value, publishedAtMs: sampleNowMs - 600, constituents }
  return divisor === undefined ? publication : { ...publication, divisor }
}

/** A day by the hour around `value`, which is the last value. */
function dayAround(value: string): IndexSummary {
  const decimals = value.split('.')[1]?.length ?? 0
  const last24Hours = Array.from({ length: 24 }, (_, at) => ({
    value: (Number(value) * (1 + Math.sin(at + 4) / 200)).toFixed(decimals),
    publishedAtMs: sampleNowMs - (24 - at) * hour,
  }))
  const latest = { value, publishedAtMs: sampleNowMs - 600 }
  return { ...latest, last24Hours: [...last24Hours, latest] }
}

const facts = factsOf({
  underlyingAssetsType: 'PORTFOLIO',
  family: 'Exchange Crypto',
  inceptionValue: '1000',
  publicationTimeZone: 'Europe/London',
  constituentExchanges: 'Bitstamp, Coinbase, Kraken, LMAX Digital',
})

const split = factsOf({
  actionId: 'TSLAX-2026-11',
  status: 'pending',
  actionType: 'SPLIT',
  effectiveTime: '1795444200000',
  currentMultiplier: '1.000000',
  newMultiplier: '10.000000',
  ratio: '10:1',
})

const message = 'Unrecognised id'
const refused: OpenedIndex['problems'] = [
  { part: 'constituents', message },
  { part: 'active_corporate_action', message },
]

/** An hour of market conditions by the minute, with one strain, and two gaps with one value between them. */
function marketHour(): ConditionsPoint[] {
  const minutes = Array.from({ length: 59 }, (_, at) => 59 - at)
  const known = minutes.filter((ago) => (ago > 44 || ago < 34 || ago === 39) && (ago > 20 || ago < 17))
  return known.map((ago) => {
    const strain = Math.max(0, 1 - Math.abs(ago - 26) / 5)
    const recent = Math.max(0, 1 - ago / 5)
    return {
      publishedAtMs: sampleNowMs - 600 - ago * 60_000,
      spreadBps: (4.8 + 0.6 * Math.sin(ago * 1.7) + 12 * strain + 14 * recent).toFixed(2),
      utilizedDepth: (300 + 40 * Math.sin(ago / 3) - 240 * strain).toFixed(1),
    }
  })
}

const openedById: Record<IndexId, () => OpenedIndex> = {
  BRTI: () => ({
    id: 'BRTI',
    summary: dayAround('68123.40'),
    conditions: {
      value: '68123.40',
      publishedAtMs: sampleNowMs - 600,
      utilizedDepth: '311.0',
      valueAsk: '68189.115',
      valueBid: '68058.29',
      midPrice: '68123.7025',
    },
    conditionsHistory: marketHour(),
    problems: refused,
  }),
  BRR: () => ({
    id: 'BRR',
    detail: {
      ...{ id: 'BRR', name: 'CME CF Bitcoin Reference Rate', maxResolution: 'DAILY', decimals: 2 },
      facts: factsOf({
        publicationTime: '16:00',
        publicationTimeZone: 'Europe/London',
        referenceRateParameters: '{"windowDuration":"PT1H","partitionCount":12}',
      }),
    },
    problems: [],
  }),
  NCI: () => ({
    id: 'NCI',
    detail: { id: 'NCI', name: 'Exchange-Family Crypto Index', maxResolution: 'PER_SECOND', decimals: 2, facts },
    summary: dayAround('2835.55'),
    constituents: published('2835.55', family, '203484212.3109'),
    firstConstituents: {
      ...published('2826.43', familyAtOpening, '203484212.3109'),
      publishedAtMs: sampleNowMs - 3_600_600,
    },
    problems: [],
  }),
  UC5_RTI_TR: () => ({
    id: 'UC5_RTI_TR',
    summary: dayAround('2811.08'),
    constituents: published('2811.08', basket),
    firstConstituents: published('2811.08', basket),
    problems: [],
  }),
  TSLAXUSD_RTI: () => ({
    id: 'TSLAXUSD_RTI',
    corporateAction: { publishedAtMs: sampleNowMs - 2 * hour, facts: split },
    problems: [{ part: 'constituents', message }],
  }),
}

/** The app's data of an opened index. Empty for an index without a sample. */
export function sampleOpened(id: IndexId): OpenedIndex {
  return openedById[id]?.() ?? { id, problems: [] }
}
