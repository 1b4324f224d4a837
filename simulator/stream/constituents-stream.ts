import type { Publications } from '../publications'
import type { PublicationStream } from './publication-channel'

/** The channel `constituents` (spec 2.2, 2.5): baskets, and the indices of the exchange family. */
export function constituentsStream(publications: Publications): PublicationStream {
  return {
    stream: 'constituents',
    hasResolution: false,
    offers: ({ constituents }) => constituents !== undefined,
    frame(index, published) {
      const { time, value, ...flags } = published
      const calculation = publications.calculation(index, published)
      return JSON.stringify({ type: 'constituents', time, id: index.id, value, ...flags, ...calculation })
    },
  }
}
