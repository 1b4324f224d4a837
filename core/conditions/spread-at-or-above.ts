import { subtractDecimals, isAtLeast, readExact } from '../decimal'
import { checkBandUnit, marketCondition, placeWords } from '../evaluation/market'
import { compareSpread, spreadText } from '../spread'

/** Ask minus bid, in basis points of the middle between them. */
export const spreadAtOrAbove = marketCondition({
  fields: { spreadBps: 'required', rearmBand: 'optional' },
  sentence: 'has a bid–ask spread [at or above] {spreadBps}',
  offered: 'has a bid–ask spread at or above',
  samples: [{ spreadBps: '10' }, { spreadBps: '7.50', rearmBand: { size: '1.5', unit: 'points' } }],
  name: 'bid–ask spread',
  place: 'at or above',
  unit: ' bp',
  amount: ({ spreadBps }, number) => `${number(spreadBps)} bp`,
  check({ spreadBps, rearmBand }) {
    const problems = checkBandUnit(rearmBand, ' (bp)')
    if (rearmBand === undefined || problems.length > 0 || !isAtLeast(rearmBand.size, spreadBps)) return problems
    return [{ field: 'rearmBand', message: 'The re-arm band is as wide as the threshold itself. Make it narrower.' }]
  },
  unpublished: ({ valueBid, valueAsk }) =>
    valueBid === undefined || valueAsk === undefined ? 'no bid and ask' : undefined,
  /** Compared exactly. Written with the decimals of the level, but at least two. */
  measured({ spreadBps, rearmBand }, conditions) {
    const arming = rearmBand === undefined ? spreadBps : subtractDecimals(spreadBps, rearmBand.size)
    const measure = spreadText(conditions, Math.max(2, readExact(spreadBps)?.scale ?? 0))
    const order = compareSpread(conditions, spreadBps)
    const armingOrder = compareSpread(conditions, arming)
    if (measure === undefined || order === undefined || armingOrder === undefined) return 'No bid and ask to compare.'
    return {
      up: { holds: order >= 0, arms: armingOrder < 0 },
      measure,
      fact: `The bid–ask spread of ${measure} bp is ${placeWords[order]} ${spreadBps} bp`,
      rearm: `it is below ${arming} bp`,
    }
  },
})
