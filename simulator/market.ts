import type { HeldAssetName } from './asset-facts'
import { assets, marketVolatility, type Asset, type AssetName } from './assets'
import type { BasketName } from './baskets'
import { Compositions, valueOf, type Composition } from './compositions'
import { decimalText, type DecimalFormat } from './decimal-text'
import { keyOf, NoisePath } from './noise'

const dayMs = 86_400_000
const yearMs = 365 * dayMs
/** Longest period of a movement. Keeps levels realistic over the years. */
const maxSwingMs = 120 * dayMs
/** Longest period of the difference between two venues. It never becomes a trend. */
const maxBasisMs = 5_000
const basisVolatility = 0.12

/** What an index measures. */
export type Underlying =
  | { readonly asset: AssetName }
  /** The same asset at another venue: within a basis point or so. */
  | { readonly asset: AssetName; readonly venue: string }
  /** The asset with its rewards reinvested: `units` at the start of 2026, growing by `growth` a year. */
  | { readonly asset: AssetName; readonly units: number; readonly growth: number }
  | { readonly basket: BasketName }

const reinvestedSinceMs = Date.UTC(2026, 0, 1)

/**
 * A realistic market. Every level depends only on the seed and the time. Therefore stream, latest values and history
 * agree without storage, and a restarted market continues where it would have been.
 */
export class Market {
  readonly #seed: number
  readonly #common: NoisePath
  readonly #assets = new Map<AssetName, NoisePath>()
  readonly #venues = new Map<string, NoisePath>()
  readonly #compositions: Compositions

  constructor(seed: number) {
    this.#seed = seed
    this.#common = this.#path('market', { volatility: marketVolatility, maxPeriodMs: maxSwingMs })
    this.#compositions = new Compositions(seed, (asset, timeMs) => Number(this.priceText(asset, timeMs)))
  }

  /** The unrounded level of an index's underlying. `factor` is that of an amendment and multiplies the prices. */
  level(underlying: Underlying, timeMs: number, factor = 1): number {
    if ('basket' in underlying) {
      return valueOf(this.composition(underlying.basket, timeMs), (asset) =>
        Number(this.priceText(asset, timeMs, factor)),
      )
    }
    const level = factor * this.#assetLevel(underlying.asset, timeMs)
    if ('venue' in underlying) return level * Math.exp(this.#basis(underlying.venue, timeMs))
    if ('units' in underlying) return level * underlying.units * reinvested(underlying.growth, timeMs)
    return level
  }

  /** The composition of a basket at a time. */
  composition(basket: BasketName, timeMs: number): Composition {
    return this.#compositions.at(basket, timeMs)
  }

  /** The published price of an asset in a basket. The basket's value is calculated from exactly these digits. */
  priceText(asset: HeldAssetName, timeMs: number, factor = 1): string {
    return decimalText(factor * this.#assetLevel(asset, timeMs), priceFormat(asset))
  }

  #assetLevel(name: AssetName, timeMs: number): number {
    const { level, beta, ownVolatility }: Asset = assets[name]
    let own = this.#assets.get(name)
    if (own === undefined) {
      own = this.#path(`asset ${name}`, { volatility: ownVolatility, maxPeriodMs: maxSwingMs })
      this.#assets.set(name, own)
    }
    return level * Math.exp(beta * this.#common.at(timeMs) + own.at(timeMs))
  }

  #basis(venue: string, timeMs: number): number {
    let path = this.#venues.get(venue)
    if (path === undefined) {
      path = this.#path(`venue ${venue}`, { volatility: basisVolatility, maxPeriodMs: maxBasisMs })
      this.#venues.set(venue, path)
    }
    return path.at(timeMs)
  }

  #path(name: string, shape: { volatility: number; maxPeriodMs: number }): NoisePath {
    return new NoisePath(keyOf(this.#seed, name), shape)
  }
}

function reinvested(growth: number, timeMs: number): number {
  return Math.exp((growth * (timeMs - reinvestedSinceMs)) / yearMs)
}

const tinyPrices: DecimalFormat = { decimals: 10, isScientific: true }
const smallPrices: DecimalFormat = { decimals: 6 }
const prices: DecimalFormat = { decimals: 4 }

/** Four decimals, more below one dollar, and an exponent if the decimals would be only zeros. */
function priceFormat(asset: HeldAssetName): DecimalFormat {
  const { level } = assets[asset]
  if (level < 0.001) return tinyPrices
  return level < 1 ? smallPrices : prices
}
