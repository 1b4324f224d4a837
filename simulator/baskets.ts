import type { HeldAssetName } from './asset-facts'

/** A portfolio index: which assets it holds and in which proportion. */
export interface Basket {
  /** Value at the assets' base levels, before the first rebalance. */
  readonly level: number
  /** Weights in percent at the base levels. With the weight of the last place they add up to 100. */
  readonly weights: Readonly<Partial<Record<HeldAssetName, number>>>
  /** One more place. Its member changes at every rebalance. */
  readonly lastPlace: { readonly weight: number; readonly candidates: readonly [HeldAssetName, ...HeldAssetName[]] }
}

export const baskets = {
  'Ultra Cap 5': {
    level: 2_812.46,
    weights: { BTC: 66, ETH: 18, XRP: 8, SOL: 6 },
    lastPlace: { weight: 2, candidates: ['ADA', 'BNB', 'DOGE'] },
  },
  'Broad Cap': {
    level: 3_890.86,
    weights: {
      ...{ BTC: 60, ETH: 17, XRP: 6, SOL: 5, BNB: 3, DOGE: 2, ADA: 1.2, LINK: 1, BCH: 0.9, AVAX: 0.8, LTC: 0.7 },
      ...{ SUI: 0.5, XLM: 0.5, HBAR: 0.4, DOT: 0.3, UNI: 0.2, AAVE: 0.2, SHIB: 0.1 },
    },
    lastPlace: { weight: 0.2, candidates: ['NEAR', 'TAO', 'ICP', 'ETC'] },
  },
  'Large Cap': {
    level: 2_146.3,
    weights: { BTC: 40, ETH: 25, XRP: 13, SOL: 12, BNB: 6 },
    lastPlace: { weight: 4, candidates: ['DOGE', 'ADA'] },
  },
  DeFi: {
    level: 1_284.91,
    weights: { AAVE: 30, UNI: 28, LINK: 26, HYPE: 12 },
    lastPlace: { weight: 4, candidates: ['ONDO', 'INJ'] },
  },
  'Smart Contract': {
    level: 1_732.08,
    weights: { ETH: 30, SOL: 25, ADA: 12, AVAX: 10, SUI: 8, NEAR: 6, DOT: 5, HBAR: 2, ALGO: 1 },
    lastPlace: { weight: 1, candidates: ['XTZ', 'APT', 'ICP'] },
  },
  'Nasdaq Crypto': {
    level: 2_835.55,
    weights: { BTC: 72.4, ETH: 14.6, XRP: 5.8, SOL: 3.9, LINK: 1.27, ADA: 1.13, LTC: 0.5 },
    lastPlace: { weight: 0.4, candidates: ['XLM', 'BCH', 'UNI'] },
  },
  'Nasdaq Crypto US': {
    level: 2_614.77,
    weights: { BTC: 74, ETH: 15, XRP: 6, SOL: 4 },
    lastPlace: { weight: 1, candidates: ['ADA', 'LINK'] },
  },
} as const satisfies Record<string, Basket>

export type BasketName = keyof typeof baskets
