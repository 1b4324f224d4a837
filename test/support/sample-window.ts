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

const everyTick = { resolution: 'PER_200MS', everyTick: true } as const
const daily = { resolution: 'DAILY' } as const

const amended = { amendedAtMs: sampleNowMs - 400 }
const carried = { ...daily, flags: { isRepeatOfPrevious: true } } as const

/** Id, name, base, decimals, value, reference and age in ms. The last part differs from an index of each second. */
type SampleRow = [string, string, string | undefined, number, string, string, number, Partial<Sample>?]

const sampleRows: SampleRow[] = [
  ['BRTI', 'CME CF Bitcoin Real Time Index', 'BTC', 2, '68123.40', '67711.23', 200, everyTick],
  ['ETHUSD_RTI', 'CME CF Ether-Dollar Real Time Index', 'ETH', 2, '3456.70', '3468.74', 200, everyTick],
  ['SOLUSD_RTI', 'CME CF Solana-Dollar Real Time Index', 'SOL', 4, '146.2107', '142.3267', 400, everyTick],
  ['XRPUSD_RTI', 'CME CF XRP-Dollar Real Time Index', 'XRP', 4, '1.2044', '1.2013', 600, { resolution: 'PER_200MS' }],
  ['NCI', 'Exchange-Family Crypto Index', undefined, 2, '2835.55', '2826.43', 600, { flags: amended }],
  ['UC5_RTI_TR', 'CF Ultra Cap 5, total return', undefined, 2, '2811.08', '2815.74', 600],
  ['BRR', 'CME CF Bitcoin Reference Rate', 'BTC', 2, '67999.99', '66795.66', 22 * hour + 131_600, daily],
  ['SHIBUSD_RTI', 'CF Shiba Inu-Dollar Spot Rate', 'SHIB', 9, '1.3504e-5', '1.3525e-5', 600],
  ['APT_SRR', 'CF Aptos Staking Reward Rate', undefined, 6, '0.064751', '0.064751', 14 * hour + 131_600, carried],
  ['TSLAXUSD_RTI', 'Tokenized Tesla Real Time Index', 'TSLAX', 2, '435.12', '433.04', 33_600],
]

const samples = sampleRows.map(([id, name, base, decimals, value, reference, ageMs, more]): Sample => ({
  ...{ id, name, resolution: 'PER_SECOND', value, reference, ageMs, decimals },
  ...(base !== undefined && { pair: [base, 'USD'] }),
  ...more,
}))

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
  ['BRRNY', 'CME CF Bitcoin Reference Rate - New York Variant', 'BTC', 2, 'DAILY'] as const,
  ['LINKUSD_RTI', 'CF Chainlink-Dollar Real Time Index', 'LINK', 4, 'PER_SECOND'] as const,
  ['DOGEUSD_RTI', 'CF Dogecoin-Dollar Real Time Index', 'DOGE', 7, 'PER_200MS'] as const,
  ['BVX', 'CF Bitcoin Volatility Index', undefined, 2, 'PER_SECOND'] as const,
].map(([id, name, base, decimals, maxResolution]) => ({
  ...{ id, name, maxResolution, decimals },
  ...(base !== undefined && { base, quote: 'USD' }),
}))

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
