import type { HeldAssetName } from './asset-facts'
import type { IndexDefinition } from './index-definition'
import { divisorText } from './compositions'
import { ExchangeShares, type Share } from './exchanges'
import type { Market } from './market'

/** A constituent of an index (protocol, 2.5). */
export interface ConstituentPart {
  readonly constituent: string
  readonly value: string
  readonly weightPercent: string
  readonly exchanges?: readonly { readonly exchange: string; readonly weightPercent: string }[]
}

/** The inputs of an index value (protocol, 2.5). Only the exchange family has `divisor` and `exchanges`. */
export interface Calculation {
  readonly divisor?: string
  readonly constituents: readonly ConstituentPart[]
}

/** The time of a calculation, and the price factor of an amendment. */
export interface CalculationMoment {
  readonly timeMs: number
  readonly factor: number
  /** The value that was published for this time. */
  readonly value: string
}

/** Calculates the constituents behind a value. */
export class Calculations {
  readonly #market: Market
  readonly #shares: ExchangeShares

  constructor(market: Market, seed: number) {
    this.#market = market
    this.#shares = new ExchangeShares(seed)
  }

  /** The constituents of an index at a moment, heaviest first. Empty for an index without that channel. */
  of(index: IndexDefinition, moment: CalculationMoment): Calculation {
    if (index.constituents === undefined) return { constituents: [] }
    const { underlying } = index
    if ('basket' in underlying) {
      const { units, divisor } = this.#market.composition(underlying.basket, moment.timeMs)
      const parts = this.#parts(units, moment)
      if (index.constituents === 'plain') return { constituents: parts }
      return {
        divisor: divisorText(divisor),
        constituents: parts.map((part) => this.#onExchanges(part, moment.timeMs)),
      }
    }
    // One asset makes up the whole index, so its price is the value.
    const whole = { constituent: underlying.asset, value: moment.value, weightPercent: '100.00' }
    return { divisor: divisorText(1), constituents: [this.#onExchanges(whole, moment.timeMs)] }
  }

  /** How the trade in an asset was divided among its exchanges at a time. */
  exchangeShares(asset: HeldAssetName, timeMs: number): Share[] {
    return this.#shares.at(asset, timeMs)
  }

  #parts(units: ReadonlyMap<HeldAssetName, number>, { timeMs, factor }: CalculationMoment): ConstituentPart[] {
    const priced = [...units].map(([asset, count]) => {
      const value = this.#market.priceText(asset, timeMs, factor)
      return { constituent: asset, value, worth: count * Number(value) }
    })
    const total = priced.reduce((sum, { worth }) => sum + worth, 0)
    return priced
      .toSorted((a, b) => b.worth - a.worth)
      .map(({ constituent, value, worth }) => {
        return { constituent, value, weightPercent: ((100 * worth) / total).toFixed(2) }
      })
  }

  #onExchanges(part: ConstituentPart, timeMs: number): ConstituentPart {
    const shares = this.exchangeShares(part.constituent as HeldAssetName, timeMs)
    return { ...part, exchanges: shares.map(({ name, percent }) => ({ exchange: name, weightPercent: percent })) }
  }
}

/** Whether an index publishes weights. Baskets do, indices of one asset do not. */
export function hasWeights({ underlying }: IndexDefinition): boolean {
  return 'basket' in underlying
}

/** Weights by asset as the provider's own site receives them: Bitcoin is XBT there (protocol, 2.10). */
export function weightsByAsset({ constituents }: Calculation): Record<string, { weightPercent: string }> {
  return Object.fromEntries(
    constituents.map(({ constituent, weightPercent }) => [
      constituent === 'BTC' ? 'XBT' : constituent,
      { weightPercent },
    ]),
  )
}
