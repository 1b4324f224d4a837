import { assets } from './assets'
import type { HeldAssetName } from './asset-facts'
import { baskets } from './baskets'
import { chanceOf } from './noise'

const dayMs = 86_400_000

/** The six factors, as prefixes of the service's field names (protocol, 4.2). */
const factors = ['liquidity', 'size', 'downsideBeta', 'momentum', 'growth', 'value'] as const

/** The kinds of factor data and the fields of their rows besides `time`, `asset` and `broadCapConstituent`. */
const factorFields = {
  returns: factors.map((factor) => `${factor}FactorReturn`),
  scores: factors.flatMap((factor) => [`${factor}FactorScore`, `${factor}FactorScoreAll`]),
  betas: [...factors.map((factor) => `${factor}FactorBeta`), 'marketFactorBeta'],
} as const

export type FactorDataKind = keyof typeof factorFields

export const factorDataKinds = Object.keys(factorFields) as FactorDataKind[]

/** The day's return of each factor, as a fraction. */
export function factorReturns(seed: number, day: number): Record<string, number> {
  const fields = factorFields.returns.map(
    (field) => [field, rounded(0.02 * around(chanceOf(seed, field, day)))] as const,
  )
  return { time: day * dayMs, ...Object.fromEntries(fields) }
}

/** Scores or betas of an asset on a day: constant per asset, with some daily noise. */
export function factorExposures(
  seed: number,
  kind: 'scores' | 'betas',
  { asset, day }: { asset: HeldAssetName; day: number },
): Record<string, number | string | boolean> {
  const fields = factorFields[kind].map((field) => {
    const base = field === 'marketFactorBeta' ? assets[asset].beta : 1.5 * around(chanceOf(seed, field, asset))
    return [field, rounded(base + 0.1 * around(chanceOf(seed, field, asset, day)))] as const
  })
  const broadCapConstituent = Object.hasOwn(baskets['Broad Cap'].weights, asset)
  return { asset, time: day * dayMs, broadCapConstituent, ...Object.fromEntries(fields) }
}

/** Maps [0, 1) to [-1, 1). */
function around(chance: number): number {
  return 2 * chance - 1
}

function rounded(number: number): number {
  return Number(number.toFixed(6))
}
