import type { OpenedIndex } from '../../protocol/desktop'
import type { Constituent, ConstituentsPublication } from '../../protocol/model'
import { sampleOpened } from './sample-opened'
import { sampleNowMs } from './sample-window'

/** A basket of `count` members; at another `tick` all values and some weights are others. */
export function manyConstituents(count: number, tick: number): ConstituentsPublication {
  const constituents = Array.from({ length: count }, (_, at): Constituent => {
    const value = (100 + at * 7 + tick / 100).toFixed(2)
    return { constituent: `M${at}`, value, weightPercent: (0.2 + ((at + tick) % 5) / 1_000).toFixed(3) }
  })
  return { value: (1_000 + tick).toFixed(2), publishedAtMs: sampleNowMs - 60_000 + tick * 1_000, constituents }
}

/** A base for the sample of the exchange family: before it SOL was lighter, LINK was not in it and UNI was. */
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
