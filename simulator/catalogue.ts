import { assetFacts, type HeldAssetName } from './asset-facts'
import type { AssetName } from './assets'
import type { BasketName } from './baskets'
import { isRealTimeAsset, type IndexDefinition } from './index-definition'
import { everySecond, london, newYork, type Schedule } from './schedule'
import { singleAssets } from './single-assets'

/** Portfolios have no base asset. */
function portfolio(id: string, name: string, basket: BasketName, schedule: Schedule): IndexDefinition {
  const underlying = { basket }
  return { id, name, family: 'CF', quote: 'USD', decimals: 2, schedule, underlying, constituents: 'plain' }
}

/** A portfolio per calculation: the spot rate and the settlement prices of its ids. */
function cfPortfolios(code: string, name: string, basket: BasketName): IndexDefinition[] {
  return [
    portfolio(`${code}LDN_RTI_TR`, `${name} - London - Spot Rate`, basket, everySecond),
    portfolio(`${code}LDN_RR_TR`, `${name} - London - Settlement Price`, basket, london),
    portfolio(`${code}US_RR_TR`, `${name} - US - Settlement Price`, basket, newYork),
  ]
}

function nasdaqPortfolio(id: string, name: string, basket: BasketName, schedule: Schedule): IndexDefinition {
  return { ...portfolio(id, name, basket, schedule), family: 'NASDAQ', constituents: 'withExchanges' }
}

/** Reference and settlement price of one asset from Nasdaq. The settlement price lists its exchanges. */
function nasdaqPair(asset: HeldAssetName, decimals: number): IndexDefinition[] {
  const { name } = assetFacts[asset]
  const shared = { family: 'NASDAQ', base: asset, quote: 'USD', decimals } as const
  const underlying = { asset, venue: 'Nasdaq' }
  return [
    { id: `NQ${asset}`, name: `Nasdaq ${name} Reference Price Index`, ...shared, schedule: everySecond, underlying },
    {
      id: `NQ${asset}S`,
      name: `Nasdaq ${name} Settlement Price Index`,
      ...{ ...shared, schedule: newYork, underlying, constituents: 'withExchanges' },
    },
  ]
}

function rewardRate(id: string, name: string, asset: AssetName): IndexDefinition {
  return { id, name, family: 'CF', decimals: 6, schedule: london, underlying: { asset } }
}

function volatility(id: string, name: string, schedule: Schedule): IndexDefinition {
  return { id, name, decimals: 2, schedule, underlying: { asset: 'BTC volatility' }, isHistoryWithheld: true }
}

const portfolios: readonly IndexDefinition[] = [
  portfolio('UC5_RTI_TR', 'CF Ultra Cap 5 - Spot Rate', 'Ultra Cap 5', everySecond),
  portfolio('UC5_RR_TR', 'CF Ultra Cap 5 - Settlement Price', 'Ultra Cap 5', london),
  ...cfPortfolios('CFFBC', 'CF Broad Cap Index (Free Float Market Cap Weight)', 'Broad Cap'),
  ...cfPortfolios('CFDLC', 'CF Large Cap (Diversified Weight)', 'Large Cap'),
  ...cfPortfolios('CFDFMW', 'CF DeFi Composite Index (Modified Market Cap Weight)', 'DeFi'),
  ...cfPortfolios('CFSPMW', 'CF Web 3.0 Smart Contract Platforms Index', 'Smart Contract').slice(0, 2),
]

const exchangeFamily: readonly IndexDefinition[] = [
  nasdaqPortfolio('NCI', 'Nasdaq Crypto Index', 'Nasdaq Crypto', everySecond),
  nasdaqPortfolio('NCIS', 'Nasdaq Crypto Settlement Price Index', 'Nasdaq Crypto', newYork),
  nasdaqPortfolio('NCIUS', 'Nasdaq Crypto US Index', 'Nasdaq Crypto US', everySecond),
  nasdaqPortfolio('NCIUSS', 'Nasdaq Crypto US Settlement Price Index', 'Nasdaq Crypto US', newYork),
  ...nasdaqPair('BTC', 2),
  ...nasdaqPair('ETH', 2),
  ...(['SOL', 'XRP', 'ADA', 'LINK', 'AVAX'] as const).flatMap((asset) => nasdaqPair(asset, 4)),
]

const ratesAndVolatilities: readonly IndexDefinition[] = [
  // One of these two is carried forward every day. A watchlist with both always shows the flag.
  { ...rewardRate('ETH_SRR', 'CF ETH Staking Reward Rate Index', 'ETH reward'), failsOn: 'evenDays' },
  { ...rewardRate('APT_SRR', 'CF APT Staking Reward Rate Index', 'APT reward'), failsOn: 'oddDays' },
  rewardRate('SOL_SRR', 'CF SOL Staking Reward Rate Index', 'SOL reward'),
  {
    id: 'ETHUSD_SRIC_NY',
    name: 'CF ETH Staked Return Index - Compounded - New York Variant',
    ...{ family: 'CF', base: 'ETH', quote: 'USD', decimals: 4 },
    schedule: newYork,
    underlying: { asset: 'ETH', units: 1.1043, growth: 0.03 },
  },
  volatility('BVX', 'CME CF Bitcoin Volatility Index - Real Time', everySecond),
  volatility('BVXS', 'CME CF Bitcoin Volatility Index - Settlement', london),
]

/** Every index the simulator publishes, in the order in which it lists them. */
export const catalogue: readonly IndexDefinition[] = [
  ...singleAssets,
  ...portfolios,
  ...exchangeFamily,
  ...ratesAndVolatilities,
]

const byId = new Map(catalogue.map((index) => [index.id, index]))

/** Real-time indices under the ids used by clients of the provider's unregulated host (protocol, 10). Never listed. */
const unregulated = new Map(
  catalogue.filter(isRealTimeAsset).map((index) => [`U_${index.id}`, { ...index, id: `U_${index.id}` }]),
)

/** `LOAD0001` to `LOAD1000`: Bitcoin at a thousand venues, once a second, for measurements. Never listed. */
function loadIndex(id: string): IndexDefinition | undefined {
  const count = /^LOAD(\d{4})$/.exec(id)?.[1]
  if (count === undefined || Number(count) < 1 || Number(count) > 1_000) return undefined
  const shared = { family: 'CF', base: 'BTC', quote: 'USD', decimals: 2, schedule: everySecond } as const
  return { id, name: `Load ${count}`, ...shared, underlying: { asset: 'BTC', venue: id } }
}

/** The index with exactly this id. */
export function findIndex(id: string): IndexDefinition | undefined {
  return byId.get(id) ?? unregulated.get(id) ?? loadIndex(id)
}
