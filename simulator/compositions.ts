import type { HeldAssetName } from './asset-facts'
import { assets } from './assets'
import { baskets, type Basket, type BasketName } from './baskets'
import { chanceOf } from './noise'

/** Every basket is rebalanced at 00:00, 06:00, 12:00 and 18:00 UTC: often, so that a demo shows it. */
export const rebalanceEveryMs = 6 * 3_600_000
/** Before this the compositions are those of the first period. */
const firstRebalanceMs = Date.UTC(2023, 0, 1)
/** Approximate worth of a basket's holdings in dollars; gives the divisors a realistic size. */
const capital = 5e11
/** Maximum change of a member's units at a rebalance, as a fraction. */
const maxChange = 0.06
const divisorDecimals = 4

/** What a basket holds between two rebalances. The value is the sum of price times units, divided by the divisor. */
export interface Composition {
  readonly sinceMs: number
  /** Whole units of each member, heaviest first. */
  readonly units: ReadonlyMap<HeldAssetName, number>
  /** With four decimals. */
  readonly divisor: number
}

/** The dollar price of an asset at a time, as it is published with the constituents. */
export type PriceOf = (asset: HeldAssetName, timeMs: number) => number

/** Sum of price times units, divided by the divisor. */
export function valueOf({ units, divisor }: Composition, priceOf: (asset: HeldAssetName) => number): number {
  return worthOf(units, priceOf) / divisor
}

/**
 * The compositions of all baskets over time. At each rebalance units and one member change, and the divisor is set so
 * that the value is the same before and after. Every divisor therefore depends on the one before: they are calculated
 * from the first one on when needed, and kept.
 */
export class Compositions {
  readonly #seed: number
  readonly #priceOf: PriceOf
  readonly #known = new Map<BasketName, Composition[]>()

  constructor(seed: number, priceOf: PriceOf) {
    this.#seed = seed
    this.#priceOf = priceOf
  }

  /** The composition of a basket at a time; at the moment of a rebalance, the new one. */
  at(name: BasketName, timeMs: number): Composition {
    const known = this.#known.get(name) ?? [this.#first(name)]
    this.#known.set(name, known)
    const period = Math.max(0, Math.floor((timeMs - firstRebalanceMs) / rebalanceEveryMs))
    let composition = known[period]
    if (composition !== undefined) return composition
    composition = known[known.length - 1] ?? this.#first(name)
    while (known.length <= period) {
      composition = this.#after(name, composition, known.length)
      known.push(composition)
    }
    return composition
  }

  #first(name: BasketName): Composition {
    const basket: Basket = baskets[name]
    const units = this.#units(name, 0)
    return { sinceMs: firstRebalanceMs, units, divisor: rounded(worthOf(units, baseLevel) / basket.level) }
  }

  #after(name: BasketName, before: Composition, period: number): Composition {
    const sinceMs = firstRebalanceMs + period * rebalanceEveryMs
    const prices = new Map<HeldAssetName, number>()
    const priceOf = (asset: HeldAssetName) => {
      const price = prices.get(asset) ?? this.#priceOf(asset, sinceMs)
      prices.set(asset, price)
      return price
    }
    const units = this.#units(name, period)
    return { sinceMs, units, divisor: rounded(worthOf(units, priceOf) / valueOf(before, priceOf)) }
  }

  #units(name: BasketName, period: number): Map<HeldAssetName, number> {
    const { weights, lastPlace }: Basket = baskets[name]
    const holder = lastPlace.candidates[period % lastPlace.candidates.length] ?? lastPlace.candidates[0]
    const members = [...(Object.entries(weights) as [HeldAssetName, number][]), [holder, lastPlace.weight] as const]
    return new Map(
      members.map(([asset, weight]) => {
        const change = maxChange * (2 * chanceOf(this.#seed, name, asset, period) - 1)
        return [asset, Math.round((((weight / 100) * capital) / baseLevel(asset)) * (1 + change))]
      }),
    )
  }
}

function baseLevel(asset: HeldAssetName): number {
  return assets[asset].level
}

function worthOf(units: ReadonlyMap<HeldAssetName, number>, priceOf: (asset: HeldAssetName) => number): number {
  let worth = 0
  for (const [asset, count] of units) worth += count * priceOf(asset)
  return worth
}

function rounded(divisor: number): number {
  return Number(divisor.toFixed(divisorDecimals))
}

/** A divisor as it is published. */
export function divisorText(divisor: number): string {
  return divisor.toFixed(divisorDecimals)
}
