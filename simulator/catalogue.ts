import type { DecimalFormat } from './decimal-text'
import type { AssetName } from './assets'
import type { BasketName } from './baskets'
import type { Underlying } from './market'
import { everySecond, everyTick, type Schedule } from './schedule'

/** An index of the catalogue: its reference data (spec 2.7) and how its values come about. */
export interface IndexDefinition extends DecimalFormat {
  readonly id: string
  readonly name: string
  /** Absent when the index has no base or quote asset, as reward rates have none. */
  readonly base?: string
  readonly quote?: string
  readonly schedule: Schedule
  readonly underlying: Underlying
  /** Days on which the calculation always fails; for the others see `corrections.ts`. */
  readonly failsOn?: 'evenDays' | 'oddDays'
}

const london: Schedule = { dailyIn: 'Europe/London' }
const newYork: Schedule = { dailyIn: 'America/New_York' }
const hongKong: Schedule = { dailyIn: 'Asia/Hong_Kong' }

function pair(id: string, name: string, asset: AssetName, decimals: number, schedule: Schedule): IndexDefinition {
  return { id, name, base: asset, quote: 'USD', decimals, schedule, underlying: { asset } }
}

function nasdaqBitcoin(id: string, name: string, schedule: Schedule): IndexDefinition {
  const underlying = { asset: 'BTC', venue: 'Nasdaq' } as const
  return { id, name, base: 'BTC', quote: 'USD', decimals: 2, schedule, underlying }
}

/** Portfolios have no base asset. */
function portfolio(id: string, name: string, basket: BasketName, schedule: Schedule): IndexDefinition {
  return { id, name, quote: 'USD', decimals: 2, schedule, underlying: { basket } }
}

function rewardRate(id: string, name: string, asset: AssetName): IndexDefinition {
  return { id, name, decimals: 6, schedule: london, underlying: { asset } }
}

function volatility(id: string, name: string, schedule: Schedule): IndexDefinition {
  return { id, name, decimals: 2, schedule, underlying: { asset: 'BTC volatility' } }
}

const realTimePairs: readonly IndexDefinition[] = [
  pair('BRTI', 'CME CF Bitcoin Real Time Index', 'BTC', 2, everyTick),
  pair('ETHUSD_RTI', 'CME CF Ether-Dollar Real Time Index', 'ETH', 2, everyTick),
  pair('SOLUSD_RTI', 'CME CF Solana-Dollar Real Time Index', 'SOL', 4, everyTick),
  pair('XRPUSD_RTI', 'CME CF XRP-Dollar Real Time Index', 'XRP', 4, everyTick),
  pair('DOGEUSD_RTI', 'CF Dogecoin-Dollar Spot Rate', 'DOGE', 7, everyTick),
  pair('BNBUSD_RTI', 'CF BNB-Dollar Spot Rate', 'BNB', 2, everySecond),
  pair('HYPEUSD_RTI', 'CF Hyperliquid-Dollar Spot Rate', 'HYPE', 4, everySecond),
  pair('ADAUSD_RTI', 'CME CF Cardano-Dollar Real Time Index', 'ADA', 4, everySecond),
  pair('NEARUSD_RTI', 'CME CF NEAR Protocol-Dollar Real Time Index', 'NEAR', 4, everySecond),
  pair('TONUSD_RTI', 'CF Toncoin-Dollar Spot Rate', 'TON', 4, everySecond),
  pair('ZECUSD_RTI', 'CF Zcash-Dollar Spot Rate', 'ZEC', 4, everySecond),
  pair('BCHUSD_RTI', 'CME CF Bitcoin Cash-Dollar Real Time Index', 'BCH', 2, everySecond),
  pair('LTCUSD_RTI', 'CME CF Litecoin-Dollar Real Time Index', 'LTC', 2, everySecond),
  pair('AAVEUSD_RTI', 'CME CF Aave-Dollar Real Time Index', 'AAVE', 2, everySecond),
  pair('LINKUSD_RTI', 'CME CF Chainlink-Dollar Real Time Index', 'LINK', 4, everySecond),
  pair('DOTUSD_RTI', 'CME CF Polkadot-Dollar Real Time Index', 'DOT', 4, everySecond),
  pair('SUIUSD_RTI', 'CME CF Sui-Dollar Real Time Index', 'SUI', 4, everySecond),
  pair('XLMUSD_RTI', 'CME CF Stellar Lumens-Dollar Real Time Index', 'XLM', 4, everySecond),
  pair('HBARUSD_RTI', 'CME CF Hedera-Dollar Real Time Index', 'HBAR', 4, everySecond),
  pair('WLDUSD_RTI', 'CF Worldcoin-Dollar Spot Rate', 'WLD', 4, everySecond),
  pair('VVVUSD_RTI', 'CF Venice Token-Dollar Spot Rate', 'VVV', 4, everySecond),
  { ...pair('SHIBUSD_RTI', 'CF Shiba Inu-Dollar Spot Rate', 'SHIB', 10, everySecond), isScientific: true },
  // A tokenized equity: what is traded is the token, TSLAx, so that is its base asset.
  { ...pair('TSLAXUSD_RTI', 'CF Tesla xStock-Dollar Real Time Index', 'TSLA', 2, everySecond), base: 'TSLAX' },
]

const dailyPairs: readonly IndexDefinition[] = [
  pair('BRR', 'CME CF Bitcoin Reference Rate', 'BTC', 2, london),
  pair('BRRNY', 'CME CF Bitcoin Reference Rate - New York Variant', 'BTC', 2, newYork),
  pair('BRRAP', 'CME CF Bitcoin Reference Rate - Asia Pacific Variant', 'BTC', 2, hongKong),
  pair('ETHUSD_RR', 'CME CF Ether-Dollar Reference Rate', 'ETH', 2, london),
  pair('ETHUSD_NY', 'CME CF Ether-Dollar Reference Rate - New York Variant', 'ETH', 2, newYork),
  pair('SOLUSD_RR', 'CME CF Solana-Dollar Reference Rate', 'SOL', 4, london),
  pair('XRPUSD_RR', 'CME CF XRP-Dollar Reference Rate', 'XRP', 4, london),
  pair('UNIUSD_RR', 'CME CF Uniswap-Dollar Reference Rate', 'UNI', 4, london),
  pair('AVAXUSD_RR', 'CME CF Avalanche-Dollar Reference Rate', 'AVAX', 4, london),
  pair('ALGOUSD_RR', 'CME CF Algorand-Dollar Reference Rate', 'ALGO', 4, london),
  pair('XTZUSD_RR', 'CME CF Tezos-Dollar Reference Rate', 'XTZ', 4, london),
]

const portfolios: readonly IndexDefinition[] = [
  portfolio('UC5_RTI_TR', 'CF Ultra Cap 5 - Spot Rate', 'Ultra Cap 5', everySecond),
  portfolio('UC5_RR_TR', 'CF Ultra Cap 5 - Settlement Price', 'Ultra Cap 5', london),
  portfolio(
    'CFFBCLDN_RTI_TR',
    'CF Broad Cap Index (Free Float Market Cap Weight) - London - Spot Rate',
    'Broad Cap',
    everySecond,
  ),
  portfolio('CFDLCLDN_RTI_TR', 'CF Large Cap (Diversified Weight) - London - Spot Rate', 'Large Cap', everySecond),
  portfolio(
    'CFDFMWLDN_RTI_TR',
    'CF DeFi Composite Index (Modified Market Cap Weight) - London - Spot Rate',
    'DeFi',
    everySecond,
  ),
  portfolio(
    'CFSPMWLDN_RTI_TR',
    'CF Web 3.0 Smart Contract Platforms Index - London - Spot Rate',
    'Smart Contract',
    everySecond,
  ),
]

const exchangeFamily: readonly IndexDefinition[] = [
  portfolio('NCI', 'Nasdaq Crypto Index', 'Nasdaq Crypto', everySecond),
  portfolio('NCIS', 'Nasdaq Crypto Settlement Price Index', 'Nasdaq Crypto', newYork),
  portfolio('NCIUS', 'Nasdaq Crypto US Index', 'Nasdaq Crypto US', everySecond),
  nasdaqBitcoin('NQBTC', 'Nasdaq Bitcoin Reference Price Index', everySecond),
  nasdaqBitcoin('NQBTCS', 'Nasdaq Bitcoin Settlement Price Index', newYork),
]

const ratesAndVolatilities: readonly IndexDefinition[] = [
  // On every day one of these two is carried over, so that a watchlist with both always shows the flag.
  { ...rewardRate('ETH_SRR', 'CF ETH Staking Reward Rate Index', 'ETH reward'), failsOn: 'evenDays' },
  { ...rewardRate('APT_SRR', 'CF APT Staking Reward Rate Index', 'APT reward'), failsOn: 'oddDays' },
  rewardRate('SOL_SRR', 'CF SOL Staking Reward Rate Index', 'SOL reward'),
  {
    id: 'ETHUSD_SRIC_NY',
    name: 'CF ETH Staked Return Index - Compounded - New York Variant',
    ...{ base: 'ETH', quote: 'USD', decimals: 4 },
    schedule: newYork,
    underlying: { asset: 'ETH', units: 1.1043, growth: 0.03 },
  },
  volatility('BVX', 'CME CF Bitcoin Volatility Index - Real Time', everySecond),
  volatility('BVXS', 'CME CF Bitcoin Volatility Index - Settlement', london),
]

/** Every index the simulator publishes, in the order in which it lists them. */
export const catalogue: readonly IndexDefinition[] = [
  ...realTimePairs,
  ...dailyPairs,
  ...portfolios,
  ...exchangeFamily,
  ...ratesAndVolatilities,
]

const byId = new Map(catalogue.map((index) => [index.id, index]))

/** The index with exactly this id. */
export function findIndex(id: string): IndexDefinition | undefined {
  return byId.get(id)
}
