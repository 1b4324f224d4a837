/** Weights and shares in percent compared with a threshold (alert engine, 18). */
import { compareDecimals, parseDecimal } from '../decimal'
import type { DecimalText } from '../model'
import { condition, ofConstituents, type Condition, type FieldValues } from './condition'
import type { Reading } from './latch'
import { publicationInputs, type ConstituentsSeen } from './observation'

/** Reads a percentage of a constituent. Zero counts: it is the weight of an exchange that was left out. */
export function readPercent(
  percent: DecimalText,
  { isUp, level, what, constituent }: { isUp: boolean; level: DecimalText; what: string; constituent: string },
  seen: ConstituentsSeen,
): Reading | string {
  const limit = parseDecimal(level)
  const weight = parseDecimal(percent)
  if (limit === undefined || weight === undefined) return `${what} is not a number.`
  const order = compareDecimals(weight, limit)
  const place = order === 0 ? 'at' : order < 0 ? 'below' : 'above'
  return {
    seen,
    ...(isUp ? { up: { holds: order >= 0, arms: order < 0 } } : { down: { holds: order <= 0, arms: order > 0 } }),
    atFirst: 'asSaid',
    inputs: () => ({ ...publicationInputs(seen.publication), value: percent, constituent }),
    measure: percent,
    fact: `${what} of ${percent} % is ${place} ${level} %`,
    rearm: `it is ${isUp ? 'below' : 'above'} ${level} %`,
  }
}

const fields = { constituent: 'required', weightPercent: 'required' } as const
type Weight = typeof fields

export function weightCondition(
  place: 'at or above' | 'at or below',
  samples: readonly FieldValues<Weight>[],
): Condition<Weight, 'constituents'> {
  return condition({
    ...ofConstituents,
    fields,
    sentence: `has {constituent} [${place}] {weightPercent} weight`,
    offered: `has a weight ${place}`,
    samples,
    words: ({ constituent }) => `weight of ${constituent} ${place}`,
    amount: ({ weightPercent }, number) => `${number(weightPercent)} %`,
    past: ({ constituent }, amount) => `weight of ${constituent} was ${place} ${amount}`,
    fired: (_, { inputs, value, amount }) => `weight${ofConstituent(inputs)} is ${value} % (threshold ${amount})`,
    met: ({ constituent }, { already, amount }) => `The weight of ${constituent} ${already} ${place} ${amount}.`,
    unit: ' %',
    read: ({ constituent, weightPercent: level }, seen) => {
      const found = seen.publication.constituents.find((each) => each.constituent === constituent)
      if (found === undefined) return `${constituent} is not a constituent.`
      const isUp = place === 'at or above'
      return readPercent(found.weightPercent, { isUp, level, what: 'The weight', constituent }, seen)
    },
  })
}

/** ` of BTC`, if a firing names its constituent. */
export function ofConstituent({ constituent }: { constituent?: string }): string {
  return constituent === undefined ? '' : ` of ${constituent}`
}
