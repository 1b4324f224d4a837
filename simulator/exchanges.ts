import type { HeldAssetName } from './asset-facts'
import { chanceOf, keyOf, NoisePath } from './noise'

const majors = ['Bitstamp', 'Coinbase', 'Gemini', 'itBit', 'Kraken', 'LMAX Digital'] as const
const minors = ['Coinbase', 'Kraken'] as const
/** Shares move by some points within a day and return. */
const shape = { volatility: 3, maxPeriodMs: 3 * 86_400_000 }

/** The exchanges behind the price of an asset (protocol, 10). */
export function exchangesOf(asset: HeldAssetName): readonly string[] {
  switch (asset) {
    case 'BTC':
      return majors
    case 'ETH':
      return [...majors, 'Bullish']
    case 'SOL':
    case 'XRP':
    case 'LTC':
    case 'LINK':
      return ['Bitstamp', 'Coinbase', 'Kraken', 'LMAX Digital']
    case 'TSLA':
    case 'NVDA':
      return ['Kraken']
    default:
      return minors
  }
}

/** A share of a whole, in percent. */
export interface Share {
  readonly name: string
  readonly percent: string
}

/** The division of an asset's trade among its exchanges, which moves slowly. */
export class ExchangeShares {
  readonly #seed: number
  readonly #paths = new Map<string, NoisePath>()

  constructor(seed: number) {
    this.#seed = seed
  }

  /** Shares of an asset's exchanges, two decimals each, that add up to 100.00 exactly. */
  at(asset: HeldAssetName, timeMs: number): Share[] {
    const names = exchangesOf(asset)
    const sizes = names.map((name) => {
      const base = 0.5 + chanceOf(this.#seed, 'exchange', asset, name)
      return base * Math.exp(this.#path(`${asset} ${name}`).at(timeMs))
    })
    return apportion(names, sizes)
  }

  #path(name: string): NoisePath {
    const path = this.#paths.get(name) ?? new NoisePath(keyOf(this.#seed, 'exchange', name), shape)
    this.#paths.set(name, path)
    return path
  }
}

/** Percentages with two decimals that add up to 100.00. The rounding remainder goes to those rounded down most. */
export function apportion(names: readonly string[], sizes: readonly number[]): Share[] {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const parts = names.map((name, at) => {
    const exact = ((sizes[at] ?? 0) / total) * 10_000
    return { name, hundredths: Math.floor(exact), cut: exact - Math.floor(exact) }
  })
  let left = 10_000 - parts.reduce((sum, { hundredths }) => sum + hundredths, 0)
  for (const part of parts.toSorted((a, b) => b.cut - a.cut)) {
    if (left-- > 0) part.hundredths++
  }
  return parts.map(({ name, hundredths }) => ({ name, percent: (hundredths / 100).toFixed(2) }))
}
