/** A simulated series: an asset, a reward rate or a volatility. Levels have the right order of magnitude, not today's value. */
export interface Asset {
  /** Base level: dollars for assets, a fraction for rates, points for volatilities. */
  readonly level: number
  /** Sensitivity to the common movement of the market. */
  readonly beta: number
  /** Annual volatility of its own movement, as a fraction. */
  readonly ownVolatility: number
}

/** Annual volatility of the common movement. */
export const marketVolatility = 0.45

export const assets = {
  BTC: { level: 79_767.34, beta: 1, ownVolatility: 0.2 },
  ETH: { level: 2_503.18, beta: 1.2, ownVolatility: 0.35 },
  SOL: { level: 73.4302, beta: 1.3, ownVolatility: 0.5 },
  XRP: { level: 1.2147, beta: 1.1, ownVolatility: 0.5 },
  DOGE: { level: 0.1010484, beta: 1.4, ownVolatility: 0.55 },
  BNB: { level: 579.83, beta: 0.8, ownVolatility: 0.3 },
  HYPE: { level: 59.0979, beta: 1.2, ownVolatility: 0.7 },
  ADA: { level: 0.3056, beta: 1.3, ownVolatility: 0.5 },
  NEAR: { level: 2.0318, beta: 1.4, ownVolatility: 0.6 },
  TON: { level: 1.9842, beta: 1, ownVolatility: 0.5 },
  ZEC: { level: 303.7715, beta: 0.9, ownVolatility: 0.8 },
  BCH: { level: 401.62, beta: 1.1, ownVolatility: 0.45 },
  LTC: { level: 70.44, beta: 1.1, ownVolatility: 0.4 },
  AAVE: { level: 151.37, beta: 1.4, ownVolatility: 0.55 },
  LINK: { level: 12.0834, beta: 1.3, ownVolatility: 0.45 },
  DOT: { level: 2.0577, beta: 1.3, ownVolatility: 0.5 },
  SUI: { level: 1.9926, beta: 1.5, ownVolatility: 0.6 },
  XLM: { level: 0.2031, beta: 1.1, ownVolatility: 0.5 },
  HBAR: { level: 0.1042, beta: 1.3, ownVolatility: 0.55 },
  WLD: { level: 0.5119, beta: 1.5, ownVolatility: 0.7 },
  VVV: { level: 3.0463, beta: 1.2, ownVolatility: 0.9 },
  SHIB: { level: 0.0000135, beta: 1.4, ownVolatility: 0.5 },
  UNI: { level: 6.0391, beta: 1.3, ownVolatility: 0.55 },
  AVAX: { level: 20.1173, beta: 1.4, ownVolatility: 0.5 },
  ALGO: { level: 0.2018, beta: 1.3, ownVolatility: 0.5 },
  XTZ: { level: 0.6074, beta: 1.2, ownVolatility: 0.45 },
  ATOM: { level: 2.4861, beta: 1.3, ownVolatility: 0.5 },
  FIL: { level: 1.5132, beta: 1.3, ownVolatility: 0.55 },
  ICP: { level: 4.0277, beta: 1.3, ownVolatility: 0.6 },
  ETC: { level: 14.83, beta: 1.2, ownVolatility: 0.45 },
  APT: { level: 2.6094, beta: 1.4, ownVolatility: 0.55 },
  ARB: { level: 0.2517, beta: 1.4, ownVolatility: 0.55 },
  OP: { level: 0.3381, beta: 1.4, ownVolatility: 0.6 },
  ONDO: { level: 0.6042, beta: 1.3, ownVolatility: 0.6 },
  TAO: { level: 321.54, beta: 1.3, ownVolatility: 0.7 },
  INJ: { level: 6.1183, beta: 1.4, ownVolatility: 0.6 },
  TSLA: { level: 435.12, beta: 0.4, ownVolatility: 0.5 },
  NVDA: { level: 188.36, beta: 0.4, ownVolatility: 0.35 },
  // Reward rates hardly move, and not with the market. Volatility rises when prices fall.
  'ETH reward': { level: 0.0304, beta: 0, ownVolatility: 0.06 },
  'SOL reward': { level: 0.0651, beta: 0, ownVolatility: 0.05 },
  'APT reward': { level: 0.064751, beta: 0, ownVolatility: 0.04 },
  'BTC volatility': { level: 49.6, beta: -0.5, ownVolatility: 0.6 },
} as const satisfies Record<string, Asset>

export type AssetName = keyof typeof assets
