import type { OpenedIndex } from '../../protocol/desktop'
import type { Membership } from '../../protocol/history'
import type { Constituent, ConstituentsPublication } from '../../core/model'
import { sampleOpened } from './sample-opened'
import { sampleNowMs } from './sample-window'

/** A basket of `count` constituents. Another `tick` has other values and some other weights. */
export function manyConstituents(count: number, tick: number): ConstituentsPublication {
  const constituents = Array.from({ length: count }, (_, at): Constituent => {
    const value = (100 + at * 7 + tick / 100).toFixed(2)
    return { constituent: `M${at}`, value, weightPercent: (0.2 + ((at + tick) % 5) / 1_000).toFixed(3) }
  })
  return { value: (1_000 + tick).toFixed(2), publishedAtMs: sampleNowMs - 60_000 + tick * 1_000, constituents }
}

/** The exchange family at the last 00:00 UTC: same constituents and divisor, other prices and weights. */
export function familyClosing(): ConstituentsPublication {
  const { constituents } = sampleOpened('NCI')
  if (constituents === undefined) throw new Error('the sample has no constituents')
  const then: Record<string, [value: string, weightPercent: string]> = {
    BTC: ['67890.12', '58.131'],
    ETH: ['3470.05', '25.023'],
    SOL: ['145.9004', '8.409'],
    XRP: ['1.1998', '5.021'],
    LINK: ['12.7702', '3.418'],
  }
  return {
    ...constituents,
    value: '2831.07',
    publishedAtMs: Math.floor(sampleNowMs / 86_400_000) * 86_400_000 - 121_000,
    constituents: constituents.constituents.map((each) => {
      const [value = each.value, weightPercent = each.weightPercent] = then[each.constituent] ?? []
      return { ...each, value, weightPercent }
    }),
  }
}

/** A rebalance and a new constituent overnight, while the app was not running. */
export const sampleMembership: Membership = {
  changes: [
    {
      afterMs: sampleNowMs - 7_500_000,
      publishedAtMs: sampleNowMs - 7_200_000,
      joined: [{ key: 'LINK', weightPercent: '3.452' }],
      left: [{ key: 'BCH', weightPercent: '3.570' }],
      reweighted: [
        { key: 'BTC', before: '58.001', after: '58.190' },
        { key: 'ETH', before: '24.992', after: '24.871' },
      ],
      divisor: { before: '203100918.0021', after: '203484212.3109' },
    },
    {
      afterMs: sampleNowMs - 40 * 3_600_000,
      publishedAtMs: sampleNowMs - 26 * 3_600_000,
      joined: [],
      left: [],
      reweighted: ['BTC', 'ETH', 'SOL', 'XRP', 'BCH', 'UNI', 'AVAX'].map((key, at) => ({
        key,
        before: `${58 - 8 * at}.10`,
        after: `${57 - 8 * at}.95`,
      })),
    },
  ],
  hasMore: false,
  knownSinceMs: sampleNowMs - 6 * 86_400_000,
}

/**
 * A baseline for the sample of the exchange family. At that time SOL was lighter, LINK was missing and UNI was
 * included.
 */
export function familyBase(): NonNullable<OpenedIndex['base']> {
  const { constituents } = sampleOpened('NCI')
  if (constituents === undefined) throw new Error('the sample has no constituents')
  const weights: Record<string, string> = { BTC: '58.000', ETH: '25.1', SOL: '8.412', XRP: '5.0305' }
  const before = constituents.constituents
    .filter(({ constituent }) => constituent in weights)
    .map(({ constituent }, at) => ({
      constituent,
      value: ['65000.00', '3500', '146.21070', '1.2'][at] ?? '1',
      weightPercent: weights[constituent] ?? '0',
    }))
  return {
    setAtMs: sampleNowMs - 26 * 3_600_000,
    constituents: {
      value: '2700.10',
      publishedAtMs: sampleNowMs - 26 * 3_600_000 - 400,
      divisor: '203484000.0000',
      constituents: [...before, { constituent: 'UNI', value: '9.1', weightPercent: '0.26' }],
    },
  }
}
