import type { AssetName } from './assets'

/** Facts about an asset, for reference data and for the assistant tools. */
export interface AssetFacts {
  /** As in the names of its indices. */
  readonly name: string
  readonly sector: string
  readonly category: 'Digital asset' | 'Tokenized equity'
  /** Other symbols in use for it. */
  readonly aliases?: readonly string[]
  /** Units in circulation: the right order of magnitude, not today's figure. */
  readonly supply: number
}

type RateName = 'ETH reward' | 'SOL reward' | 'APT reward' | 'BTC volatility'
/** An asset that can be held: neither a rate nor a volatility. */
export type HeldAssetName = Exclude<AssetName, RateName>

const category = 'Digital asset'

export const assetFacts = {
  BTC: { name: 'Bitcoin', sector: 'Store of value', category, aliases: ['XBT'], supply: 19_960_000 },
  ETH: { name: 'Ether', sector: 'Smart contract platform', category, supply: 120_700_000 },
  SOL: { name: 'Solana', sector: 'Smart contract platform', category, supply: 561_000_000 },
  XRP: { name: 'XRP', sector: 'Payments', category, supply: 60_500_000_000 },
  DOGE: { name: 'Dogecoin', sector: 'Meme', category, aliases: ['XDG'], supply: 152_000_000_000 },
  BNB: { name: 'BNB', sector: 'Exchange', category, supply: 137_700_000 },
  HYPE: { name: 'Hyperliquid', sector: 'Finance', category, supply: 333_900_000 },
  ADA: { name: 'Cardano', sector: 'Smart contract platform', category, supply: 36_600_000_000 },
  NEAR: { name: 'NEAR Protocol', sector: 'Smart contract platform', category, supply: 1_280_000_000 },
  TON: { name: 'Toncoin', sector: 'Smart contract platform', category, supply: 2_450_000_000 },
  ZEC: { name: 'Zcash', sector: 'Privacy', category, supply: 16_400_000 },
  BCH: { name: 'Bitcoin Cash', sector: 'Payments', category, supply: 19_950_000 },
  LTC: { name: 'Litecoin', sector: 'Payments', category, supply: 76_600_000 },
  AAVE: { name: 'Aave', sector: 'Finance', category, supply: 15_300_000 },
  LINK: { name: 'Chainlink', sector: 'Infrastructure', category, supply: 697_000_000 },
  DOT: { name: 'Polkadot', sector: 'Infrastructure', category, supply: 1_640_000_000 },
  SUI: { name: 'Sui', sector: 'Smart contract platform', category, supply: 3_700_000_000 },
  XLM: { name: 'Stellar Lumens', sector: 'Payments', category, supply: 32_300_000_000 },
  HBAR: { name: 'Hedera', sector: 'Smart contract platform', category, supply: 42_500_000_000 },
  WLD: { name: 'Worldcoin', sector: 'Identity', category, supply: 2_300_000_000 },
  VVV: { name: 'Venice Token', sector: 'Infrastructure', category, supply: 43_000_000 },
  SHIB: { name: 'Shiba Inu', sector: 'Meme', category, supply: 589_000_000_000_000 },
  UNI: { name: 'Uniswap', sector: 'Finance', category, supply: 630_000_000 },
  AVAX: { name: 'Avalanche', sector: 'Smart contract platform', category, supply: 428_000_000 },
  ALGO: { name: 'Algorand', sector: 'Smart contract platform', category, supply: 8_800_000_000 },
  XTZ: { name: 'Tezos', sector: 'Smart contract platform', category, supply: 1_060_000_000 },
  ATOM: { name: 'Cosmos', sector: 'Infrastructure', category, supply: 480_000_000 },
  FIL: { name: 'Filecoin', sector: 'Infrastructure', category, supply: 715_000_000 },
  ICP: { name: 'Internet Computer', sector: 'Smart contract platform', category, supply: 540_000_000 },
  ETC: { name: 'Ethereum Classic', sector: 'Smart contract platform', category, supply: 154_000_000 },
  APT: { name: 'Aptos', sector: 'Smart contract platform', category, supply: 735_000_000 },
  ARB: { name: 'Arbitrum', sector: 'Scaling', category, supply: 5_600_000_000 },
  OP: { name: 'Optimism', sector: 'Scaling', category, supply: 1_900_000_000 },
  ONDO: { name: 'Ondo Finance', sector: 'Finance', category, supply: 3_160_000_000 },
  TAO: { name: 'Bittensor', sector: 'Infrastructure', category, supply: 9_600_000 },
  INJ: { name: 'Injective', sector: 'Finance', category, supply: 100_000_000 },
  TSLA: { name: 'Tesla xStock', sector: 'Consumer', category: 'Tokenized equity', aliases: ['TSLAX'], supply: 41_000 },
  NVDA: {
    name: 'NVIDIA xStock',
    sector: 'Technology',
    category: 'Tokenized equity',
    aliases: ['NVDAX'],
    supply: 63_000,
  },
} as const satisfies Record<HeldAssetName, AssetFacts>

/** The asset with this symbol or alias. */
export function assetNamed(symbol: string): HeldAssetName | undefined {
  const all = Object.entries<AssetFacts>(assetFacts) as [HeldAssetName, AssetFacts][]
  return all.find(([asset, { aliases = [] }]) => asset === symbol || aliases.includes(symbol))?.[0]
}
