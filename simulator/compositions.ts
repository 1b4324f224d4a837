import type { HeldAssetName } from './asset-facts'
import { assets } from './assets'
import { baskets, type Basket, type BasketName } from './baskets'
import { chanceFrom, keyOf } from './noise'

/** Every basket is rebalanced at 00:00, 06:00, 12:00 and 18:00 UTC, often enough for a demo to show it. */
export const rebalanceEveryMs = 6 * 3_600_000
/** Earlier times have the compositions of the first period. */
const firstRebalanceMs = Date.UTC(2023, 0, 1)
/** Approximate value of a basket's holdings in dollars. Gives the divisors a realistic size. */
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

/** The published dollar price of a constituent at a time. */
export type PriceOf = (asset: HeldAssetName, timeMs: number) => number

/** Sum of price times units, divided by the divisor. */
export function valueOf({ units, divisor }: Composition, priceOf: (asset: HeldAssetName) => number): number {
  return worthOf(units, priceOf) / divisor
}

/** A constituent of a basket. */
interface Member {
  readonly asset: HeldAssetName
  /** Units before any changes. */
  readonly baseUnits: number
  /** Random key of its changes. */
  readonly key: number
}

/** The divisors of a basket so far, one a period. */
interface History {
  /** Heaviest first. */
  readonly members: readonly Member[]
  /** The candidates take the last place in turn. */
  readonly candidates: readonly [Member, ...Member[]]
  readonly divisors: number[]
  /** Compositions calculated so far, by period. */
  readonly compositions: Map<number, Composition>
}

/**
 * The compositions of all baskets over time. At each rebalance the units and one constituent change. The divisor is set
 * so that the value is the same before and after, and therefore depends on the previous divisor. Divisors are
 * calculated from the first one when needed and kept. Of periods that were never queried nothing else is kept.
 */
export class Compositions {
  readonly #seed: number
  readonly #priceOf: PriceOf
  readonly #histories = new Map<BasketName, History>()

  constructor(seed: number, priceOf: PriceOf) {
    this.#seed = seed
    this.#priceOf = priceOf
  }

  /** The composition of a basket at a time. At the moment of a rebalance it is the new one. */
  at(name: BasketName, timeMs: number): Composition {
    const period = Math.max(0, Math.floor((timeMs - firstRebalanceMs) / rebalanceEveryMs))
    const history = this.#histories.get(name) ?? this.#begin(name)
    this.#histories.set(name, history)
    const known = history.compositions.get(period)
    if (known !== undefined) return known
    this.#continue(history, period)
    const units = new Map(membersIn(history, period).map((member) => [member.asset, unitsIn(member, period)]))
    const sinceMs = firstRebalanceMs + period * rebalanceEveryMs
    const composition = { sinceMs, units, divisor: history.divisors[period] ?? Number.NaN }
    history.compositions.set(period, composition)
    return composition
  }

  #begin(name: BasketName): History {
    const { weights, lastPlace, level }: Basket = baskets[name]
    const member = (asset: HeldAssetName, weight: number): Member => ({
      asset,
      baseUnits: ((weight / 100) * capital) / baseLevel(asset),
      key: keyOf(this.#seed, name, asset),
    })
    const members = (Object.entries(weights) as [HeldAssetName, number][]).map(([asset, weight]) =>
      member(asset, weight),
    )
    const [first, ...others] = lastPlace.candidates
    const candidate = (asset: HeldAssetName) => member(asset, lastPlace.weight)
    const candidates = [candidate(first), ...others.map(candidate)] as const
    const history: History = { members, candidates, divisors: [], compositions: new Map() }
    let worth = 0
    for (const each of membersIn(history, 0)) worth += unitsIn(each, 0) * baseLevel(each.asset)
    history.divisors.push(rounded(worth / level))
    return history
  }

  /** Calculates the divisors of all rebalances up to a period. */
  #continue({ members, candidates, divisors }: History, throughPeriod: number): void {
    if (divisors.length > throughPeriod) return
    let units = members.map((member) => unitsIn(member, divisors.length - 1))
    for (let period = divisors.length; period <= throughPeriod; period++) {
      const sinceMs = firstRebalanceMs + period * rebalanceEveryMs
      const next = members.map((member) => unitsIn(member, period))
      let [worth, worthBefore] = [0, 0]
      for (const [at, { asset }] of members.entries()) {
        const price = this.#priceOf(asset, sinceMs)
        worth += (next[at] ?? 0) * price
        worthBefore += (units[at] ?? 0) * price
      }
      const [holder, holderBefore] = [lastIn(candidates, period), lastIn(candidates, period - 1)]
      worth += unitsIn(holder, period) * this.#priceOf(holder.asset, sinceMs)
      worthBefore += unitsIn(holderBefore, period - 1) * this.#priceOf(holderBefore.asset, sinceMs)
      divisors.push(rounded(worth / (worthBefore / (divisors[period - 1] ?? Number.NaN))))
      units = next
    }
  }
}

function membersIn({ members, candidates }: History, period: number): Member[] {
  return [...members, lastIn(candidates, period)]
}

function lastIn(candidates: History['candidates'], period: number): Member {
  return candidates[period % candidates.length] ?? candidates[0]
}

function unitsIn({ baseUnits, key }: Member, period: number): number {
  return Math.round(baseUnits * (1 + maxChange * (2 * chanceFrom(key, period) - 1)))
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

/** The published text of a divisor. */
export function divisorText(divisor: number): string {
  return divisor.toFixed(divisorDecimals)
}
