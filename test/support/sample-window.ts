import { writeOut } from '../../core/decimal'
import { sampleTools } from './sample-tools'
import { noAssistants } from '../../protocol/assistants'
import { defaultPreferences } from '../../core/preferences'
import { sampleInbox, sampleRules } from './sample-alerts'
import { sampleNowMs } from './sample-now'
import type { QuoteUpdate, RowFacts, WindowSnapshot } from '../../protocol/desktop'
import type { IndexInfo, QuoteSource, Resolution, WatchlistEntry } from '../../core/model'

export { sampleNowMs } from './sample-now'

const hour = 3_600_000

interface Sample {
  id: string
  name: string
  resolution: Resolution
  value: string
  reference: string
  ageMs: number
  decimals: number
  pair?: [base: string, quote: string]
  everyTick?: true
  flags?: Pick<QuoteUpdate, 'amendedAtMs' | 'isRepeatOfPrevious'>
}

const fast = { resolution: 'PER_200MS', everyTick: true } as const
const steady = { resolution: 'PER_SECOND' } as const

const samples: Sample[] = [
  {
    id: 'BRTI',
    name: 'CME CF Bitcoin Real Time Index',
    ...fast,
    value: '68123.40',
    reference: '67711.23',
    ageMs: 200,
    decimals: 2,
    pair: ['BTC', 'USD'],
  },
  {
    id: 'ETHUSD_RTI',
    name: 'CME CF Ether-Dollar Real Time Index',
    ...fast,
    value: '3456.70',
    reference: '3468.74',
    ageMs: 200,
    decimals: 2,
    pair: ['ETH', 'USD'],
  },
  {
    id: 'SOLUSD_RTI',
    name: 'CME CF Solana-Dollar Real Time Index',
    ...fast,
    value: '146.2107',
    reference: '142.3267',
    ageMs: 400,
    decimals: 4,
    pair: ['SOL', 'USD'],
  },
  {
    id: 'XRPUSD_RTI',
    name: 'CME CF XRP-Dollar Real Time Index',
    resolution: 'PER_200MS',
    value: '1.2044',
    reference: '1.2013',
    ageMs: 600,
    decimals: 4,
    pair: ['XRP', 'USD'],
  },
  {
    id: 'NCI',
    name: 'Exchange-Family Crypto Index',
    ...steady,
    value: '2835.55',
    reference: '2826.43',
    ageMs: 600,
    decimals: 2,
    flags: { amendedAtMs: sampleNowMs - 400 },
  },
  {
    id: 'UC5_RTI_TR',
    name: 'CF Ultra Cap 5, total return',
    ...steady,
    value: '2811.08',
    reference: '2815.74',
    ageMs: 600,
    decimals: 2,
  },
  {
    id: 'BRR',
    name: 'CME CF Bitcoin Reference Rate',
    resolution: 'DAILY',
    value: '67999.99',
    reference: '66795.66',
    ageMs: 22 * hour + 131_600,
    decimals: 2,
    pair: ['BTC', 'USD'],
  },
  {
    id: 'SHIBUSD_RTI',
    name: 'CF Shiba Inu-Dollar Spot Rate',
    ...steady,
    value: '1.3504e-5',
    reference: '1.3525e-5',
    ageMs: 600,
    decimals: 9,
    pair: ['SHIB', 'USD'],
  },
  {
    id: 'APT_SRR',
    name: 'CF Aptos Staking Reward Rate',
    resolution: 'DAILY',
    value: '0.064751',
    reference: '0.064751',
    ageMs: 14 * hour + 131_600,
    decimals: 6,
    flags: { isRepeatOfPrevious: true },
  },
  {
    id: 'TSLAXUSD_RTI',
    name: 'Tokenized Tesla Real Time Index',
    ...steady,
    value: '435.12',
    reference: '433.04',
    ageMs: 33_600,
    decimals: 2,
    pair: ['TSLAX', 'USD'],
  },
]

/** A deterministic series that ends at the sample's change. */
function trendOf({ value, reference, id }: Sample): (number | null)[] {
  const end = Number(value)
  const start = Number(reference)
  const swing = Math.abs(end) * 0.002
  return Array.from({ length: 60 }, (_, at) => {
    if (id === 'XRPUSD_RTI' && at > 20 && at < 28) return null
    const wave = Math.sin(at * 0.7 + id.length) + Math.sin(at * 1.9 + id.charCodeAt(0)) * 0.6
    return start + ((end - start) * at) / 59 + wave * swing * Math.min(1, (59 - at) / 6)
  })
}

function quoteOf(sample: Sample, source: QuoteSource): QuoteUpdate {
  const publishedAtMs = sampleNowMs - sample.ageMs
  return { id: sample.id, value: sample.value, publishedAtMs, ageMs: sample.ageMs, source, ...sample.flags }
}

function factsOf(sample: Sample): RowFacts {
  const { id, value, reference: from } = sample
  const trend = trendOf(sample)
  if (sample.resolution === 'DAILY') {
    const reference = { kind: 'previousPublished', value: from, publishedAtMs: sampleNowMs - 30 * hour } as const
    return { id, reference, trend }
  }
  const publishedAtMs = Math.floor(sampleNowMs / (24 * hour)) * 24 * hour - 200
  const places = writeOut(value).split('.')[1]?.length ?? 0
  const known = trend.filter((point) => point !== null)
  const range = { low: Math.min(...known).toFixed(places), high: Math.max(...known).toFixed(places) }
  // 00:00 UTC is ten hours after the begin of the trend.
  return { id, reference: { kind: 'previousClose', value: from, publishedAtMs }, trend, referenceAt: 25, range }
}

function infoOf({ id, name, resolution, decimals, pair }: Sample): IndexInfo {
  return { id, name, maxResolution: resolution, decimals, ...(pair && { base: pair[0], quote: pair[1] }) }
}

const furtherInfos: IndexInfo[] = [
  {
    id: 'BRRNY',
    name: 'CME CF Bitcoin Reference Rate - New York Variant',
    maxResolution: 'DAILY',
    decimals: 2,
    base: 'BTC',
    quote: 'USD',
  },
  {
    id: 'LINKUSD_RTI',
    name: 'CF Chainlink-Dollar Real Time Index',
    maxResolution: 'PER_SECOND',
    decimals: 4,
    base: 'LINK',
    quote: 'USD',
  },
  {
    id: 'DOGEUSD_RTI',
    name: 'CF Dogecoin-Dollar Real Time Index',
    maxResolution: 'PER_200MS',
    decimals: 7,
    base: 'DOGE',
    quote: 'USD',
  },
  { id: 'BVX', name: 'CF Bitcoin Volatility Index', maxResolution: 'PER_SECOND', decimals: 2 },
]

/** A busy window: ten indices of every kind, one unknown id, three rules, two new alerts. */
export function sampleSnapshot({ source = 'stream' }: { source?: QuoteSource } = {}): WindowSnapshot {
  const entries = samples.map<WatchlistEntry>(({ id, everyTick }) => ({
    id,
    maxResolution: everyTick ? 'PER_200MS' : 'PER_SECOND',
  }))
  return {
    number: 7,
    quotes: samples.map((sample) => quoteOf(sample, source)),
    rows: [...samples.map(factsOf), { id: 'NOPE_RTI', refusal: 'Unrecognised stream ID' }],
    state: {
      status: { state: 'live', name: 'Demo', isDemo: true, streamCount: 10 },
      connections: [{ id: 'demo', name: 'Demo', isDemo: true, state: 'live', streamCount: 10, indexCount: 137 }],
      settings: {
        ...defaultPreferences(),
        density: 'compact',
        pinnedIds: [],
        profiles: [],
        webhooks: [],
        watchlists: [
          {
            id: 'watchlist',
            name: 'My list',
            entries: [...entries, { id: 'NOPE_RTI', maxResolution: 'PER_SECOND' }],
          },
        ],
      },
      catalogue: [...samples.map(infoOf), ...furtherInfos],
      alerts: sampleRules,
      inbox: sampleInbox,
      unreadCount: 2,
      olderEventsVersion: 0,
      latePastVersion: 0,
      snoozes: [],
      listAlerts: [],
      judging: { state: 'judged' },
      missingData: { indices: [], ruleCount: 0 },
      toolCalls: [],
      assistants: noAssistants,
      spreadsheets: { hasToken: false },
      notices: [],
      away: null,
      unsaved: null,
      tools: {
        state: 'listed',
        tools: sampleTools,
      },
      secretsKept: {},
      webhookFaults: {},
      desk: null,
      deskSeen: {},
      awaitingKeyring: [],
      hasProxyAsked: false,
      placesWindows: true,
      appVersion: '0.1.0',
    },
  }
}
