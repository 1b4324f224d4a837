import { conditionsAt, hasConditions } from '../conditions'
import type { PublicationStream } from './publication-channel'

/** The channel `rti_stats`, beyond the spec: each value of a real-time index with its market conditions. */
export function rtiStatsStream(seed: number): PublicationStream {
  return {
    stream: 'rti_stats',
    hasResolution: false,
    offers: hasConditions,
    frame(index, published) {
      const { time, value, ...flags } = published
      const conditions = conditionsAt(seed, index, published)
      return JSON.stringify({ type: 'rti_stats', time, id: index.id, value, ...flags, ...conditions })
    },
  }
}
