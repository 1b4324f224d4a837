import { condition, ofConstituents } from '../evaluation/condition'
import { readPercent } from '../evaluation/percent'

export const exchangeShareAtOrBelow = condition({
  ...ofConstituents,
  fields: { constituent: 'required', exchange: 'required', sharePercent: 'required' },
  requires: 'divisor',
  sentence: 'has {exchange} [at or below] {sharePercent} of {constituent}',
  offered: 'has an exchange share at or below',
  samples: [{ constituent: 'BTC', exchange: 'LMAX Digital', sharePercent: '10' }],
  words: ({ exchange, constituent }) => `share of ${exchange} in ${constituent} at or below`,
  amount: ({ sharePercent }, number) => `${number(sharePercent)} %`,
  past: ({ exchange, constituent }, amount) => `share of ${exchange} in ${constituent} was at or below ${amount}`,
  fired: ({ exchange, constituent }, { value, amount }) =>
    `share of ${exchange} in ${constituent} is ${value} % (threshold ${amount})`,
  met: ({ exchange, constituent }, { already, amount }) =>
    `The share of ${exchange} in ${constituent} ${already} at or below ${amount}.`,
  unit: ' %',
  read({ constituent, exchange, sharePercent: level }, seen) {
    const found = seen.publication.constituents
      .find((each) => each.constituent === constituent)
      ?.exchanges?.find((each) => each.exchange === exchange)
    if (found === undefined) return `${exchange} has no share in ${constituent}.`
    return readPercent(found.weightPercent, { isUp: false, level, what: 'The share', constituent }, seen)
  },
})
