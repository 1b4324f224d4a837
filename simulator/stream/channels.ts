import { weightsByAsset, hasWeights } from '../calculations'
import { conditionsAt, hasConditions } from '../conditions'
import type { Publications, PublishedValue } from '../publications'
import type { Channel } from './channel'
import { CorporateActionChannel } from './corporate-action-channel'
import { PublicationChannel, type PublicationStream } from './publication-channel'

/** What the channels send from. */
interface ChannelSources {
  readonly seed: number
  readonly publications: Publications
  /** The time of the market. */
  readonly marketMs: () => number
}

/** Every channel of the WebSocket interface; `values` also sends the values that tests publish. */
export function openChannels({ seed, publications, marketMs }: ChannelSources): {
  readonly values: PublicationChannel
  readonly all: readonly Channel[]
} {
  const values = new PublicationChannel(valueStream, publications, marketMs)
  const others = [constituentsStream(publications), rtiStatsStream(seed), weightStream(publications)]
  return {
    values,
    all: [
      values,
      ...others.map((stream) => new PublicationChannel(stream, publications, marketMs)),
      new CorporateActionChannel(seed, marketMs),
    ],
  }
}

/** A value update message (spec 2.4), its keys in the order in which the production service writes them. */
export function valueFrame(id: string, published: PublishedValue): string {
  return frameOf('value', id, published)
}

/** A message with a published value, and behind it what `more` has. */
function frameOf(type: string, id: string, { time, value, ...flags }: PublishedValue, more: object = {}): string {
  return JSON.stringify({ type, time, id, value, ...flags, ...more })
}

/** The channel `value` (spec 2.1, 2.3, 2.4, 6), which every index has. */
const valueStream: PublicationStream = {
  stream: 'value',
  hasResolution: true,
  offers: () => true,
  frame: ({ id }, published) => valueFrame(id, published),
}

/** The channel `constituents` (spec 2.2, 2.5): baskets, and the indices of the exchange family. */
function constituentsStream(publications: Publications): PublicationStream {
  return {
    stream: 'constituents',
    hasResolution: false,
    offers: ({ constituents }) => constituents !== undefined,
    frame: (index, published) =>
      frameOf('constituents', index.id, published, publications.calculation(index, published)),
  }
}

/** The channel `rti_stats`, beyond the spec: each value of a real-time index with its market conditions. */
function rtiStatsStream(seed: number): PublicationStream {
  return {
    stream: 'rti_stats',
    hasResolution: false,
    offers: hasConditions,
    frame: (index, published) => frameOf('rti_stats', index.id, published, conditionsAt(seed, index, published)),
  }
}

/** The channel `weight`, beyond the spec: the weights of a basket with every calculation. */
function weightStream(publications: Publications): PublicationStream {
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
