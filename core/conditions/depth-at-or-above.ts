import { compareDecimals, parseDecimal, subtractDecimals } from '../decimal'
import { checkBandUnit, marketCondition, placeWords } from '../evaluation/market'

/** The utilized depth as the service publishes it. The service states neither side nor unit. */
export const depthAtOrAbove = marketCondition({
  fields: { depth: 'required', rearmBand: 'optional' },
  sentence: 'has a utilized depth [at or above] {depth}',
  offered: 'has a utilized depth at or above',
  samples: [{ depth: '0' }],
  name: 'utilized depth',
  place: 'at or above',
  unit: '',
  amount: ({ depth }, number) => number(depth),
  check: ({ rearmBand }) => checkBandUnit(rearmBand, ''),
  unpublished: ({ utilizedDepth }) => (utilizedDepth === undefined ? 'no depth' : undefined),

  measured({ depth: level, rearmBand }, { utilizedDepth }) {
    const arming = rearmBand === undefined ? level : subtractDecimals(level, rearmBand.size)
    const [depth, limit, armingLimit] = [utilizedDepth ?? '', level, arming].map(parseDecimal)
    if (utilizedDepth === undefined || depth === undefined || limit === undefined || armingLimit === undefined) {
      return 'No utilized depth to compare.'
    }
    const order = compareDecimals(depth, limit)
    return {
      up: { holds: order >= 0, arms: compareDecimals(depth, armingLimit) < 0 },
      measure: utilizedDepth,
      fact: `The utilized depth of ${utilizedDepth} is ${placeWords[order]} ${level}`,
      rearm: `it is below ${arming}`,
    }
  },
})
