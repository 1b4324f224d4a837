import type { Calculation } from '../calculations'
import type { IndexDefinition } from '../index-definition'
import type { Publications } from '../publications'
import type { PublicationStream } from './publication-channel'

/** A basket has weights to speak of; an index of one asset has none. */
export function hasWeights({ underlying }: IndexDefinition): boolean {
  return 'basket' in underlying
}

/** Weights by asset as the provider's own site receives them: Bitcoin goes by XBT there (wire facts 1.3). */
export function weightsByAsset({ constituents }: Calculation): Record<string, { weightPercent: string }> {
  return Object.fromEntries(
    constituents.map(({ constituent, weightPercent }) => [
      constituent === 'BTC' ? 'XBT' : constituent,
      { weightPercent },
    ]),
  )
}

/** The channel `weight`, beyond the spec: the weights of a basket with every calculation. */
export function weightStream(publications: Publications): PublicationStream {
  return {
    stream: 'weight',
    hasResolution: false,
    offers: hasWeights,
    frame(index, published) {
      const weights = weightsByAsset(publications.calculation(index, published))
      return JSON.stringify({ type: 'weight', time: published.time, id: index.id, weights })
    },
  }
}
