import { assetFacts, type HeldAssetName } from './asset-facts'
import type { IndexDefinition } from './index-definition'
import { everySecond, everyTick, hongKong, london, newYork, type Schedule } from './schedule'

type Family = 'CME-CF' | 'CF'
type Variant = 'RTI' | 'RR' | 'NY' | 'AP'

const schedules: Readonly<Record<Exclude<Variant, 'RTI'>, Schedule>> = { RR: london, NY: newYork, AP: hongKong }

/** Titles of the two families' publications. */
const titles: Readonly<Record<Family, Readonly<Record<Variant, string>>>> = {
  'CME-CF': {
    RTI: 'Real Time Index',
    RR: 'Reference Rate',
    NY: 'Reference Rate - New York Variant',
    AP: 'Reference Rate - Asia Pacific Variant',
  },
  CF: { RTI: 'Spot Rate', RR: 'Settlement Price', NY: 'US Settlement Price', AP: 'AP Settlement Price' },
}

/** An asset against the dollar, in several variants. */
type Row = readonly [asset: HeldAssetName, family: Family, decimals: number, variants: string]

const rows: readonly Row[] = [
  ['ETH', 'CME-CF', 2, 'RTI RR NY AP'],
  ['SOL', 'CME-CF', 4, 'RTI RR NY AP'],
  ['XRP', 'CME-CF', 4, 'RTI RR NY AP'],
  ['DOGE', 'CF', 7, 'RTI RR NY'],
  ['BNB', 'CF', 2, 'RTI RR NY AP'],
  ['HYPE', 'CF', 4, 'RTI'],
  ['ADA', 'CME-CF', 4, 'RTI RR NY AP'],
  ['NEAR', 'CME-CF', 4, 'RTI RR NY'],
  ['TON', 'CF', 4, 'RTI'],
  ['ZEC', 'CF', 4, 'RTI'],
  ['BCH', 'CME-CF', 2, 'RTI RR NY'],
  ['LTC', 'CME-CF', 2, 'RTI RR NY AP'],
  ['AAVE', 'CME-CF', 2, 'RTI RR'],
  ['LINK', 'CME-CF', 4, 'RTI RR NY AP'],
  ['DOT', 'CME-CF', 4, 'RTI RR NY AP'],
  ['SUI', 'CME-CF', 4, 'RTI RR NY'],
  ['XLM', 'CME-CF', 4, 'RTI RR NY'],
  ['HBAR', 'CME-CF', 4, 'RTI RR NY AP'],
  ['WLD', 'CF', 4, 'RTI'],
  ['VVV', 'CF', 4, 'RTI'],
  ['SHIB', 'CF', 10, 'RTI RR'],
  ['UNI', 'CME-CF', 4, 'RTI RR'],
  ['AVAX', 'CME-CF', 4, 'RTI RR NY'],
  ['ALGO', 'CME-CF', 4, 'RTI RR'],
  ['XTZ', 'CME-CF', 4, 'RTI RR'],
  ['ATOM', 'CME-CF', 4, 'RTI RR'],
  ['FIL', 'CME-CF', 4, 'RTI RR'],
  ['ICP', 'CME-CF', 4, 'RTI RR'],
  ['ETC', 'CF', 4, 'RTI RR'],
  ['APT', 'CME-CF', 4, 'RTI RR NY AP'],
  ['ARB', 'CME-CF', 4, 'RTI RR NY'],
  ['OP', 'CF', 4, 'RTI'],
  ['ONDO', 'CME-CF', 4, 'RTI RR NY'],
  ['TAO', 'CME-CF', 2, 'RTI RR NY AP'],
  ['INJ', 'CF', 4, 'RTI NY'],
]

const everyTickAssets = new Set<HeldAssetName>(['ETH', 'SOL', 'XRP', 'DOGE'])

function one([asset, family, decimals]: Row, variant: Variant): IndexDefinition {
  const prefix = family === 'CF' ? 'CF' : 'CME CF'
  const realTime = everyTickAssets.has(asset) ? everyTick : everySecond
  return {
    id: `${asset}USD_${variant}`,
    name: `${prefix} ${assetFacts[asset].name}-Dollar ${titles[family][variant]}`,
    ...{ family, decimals, base: asset, quote: 'USD' },
    schedule: variant === 'RTI' ? realTime : schedules[variant],
    underlying: { asset },
    ...(asset === 'SHIB' && { isScientific: true }),
  }
}

/** The base asset is the traded token: TSLAX, not TSLA. */
function tokenizedEquity(asset: 'TSLA' | 'NVDA'): IndexDefinition {
  const row: Row = [asset, 'CF', 2, 'RTI']
  const id = `${asset}XUSD_RTI`
  const name = `CF ${assetFacts[asset].name}-Dollar Real Time Index`
  return { ...one(row, 'RTI'), id, name, base: `${asset}X`, isTokenizedEquity: true }
}

const bitcoin = { family: 'CME-CF', base: 'BTC', quote: 'USD', decimals: 2, underlying: { asset: 'BTC' } } as const
const bitcoinRate = 'CME CF Bitcoin Reference Rate'

/** Every index of one asset against the dollar, real-time ones first. */
export const singleAssets: readonly IndexDefinition[] = [
  { ...bitcoin, id: 'BRTI', name: 'CME CF Bitcoin Real Time Index', schedule: everyTick },
  ...rows.map((row) => one(row, 'RTI')),
  tokenizedEquity('TSLA'),
  tokenizedEquity('NVDA'),
  { ...bitcoin, id: 'BRR', name: bitcoinRate, schedule: london },
  { ...bitcoin, id: 'BRRNY', name: `${bitcoinRate} - New York Variant`, schedule: newYork },
  { ...bitcoin, id: 'BRRAP', name: `${bitcoinRate} - Asia Pacific Variant`, schedule: hongKong },
  ...rows.flatMap((row) => {
    const daily = row[3].split(' ').filter((variant) => variant !== 'RTI')
    return daily.map((variant) => one(row, variant as Exclude<Variant, 'RTI'>))
  }),
]
