import { weightsByAsset, hasWeights } from '../calculations'
import { conditionsAt, hasConditions } from '../conditions'
import { corporateActionAt, corporateActionsBetween, type CorporateActionState } from '../corporate-actions'
import type { Publications, PublishedValue } from '../publications'
import { Channel, type ChannelKind } from './channel'

/** The data sources of the channels. */
interface ChannelSources {
  readonly seed: number
  readonly publications: Publications
  /** The time of the market. */
  readonly marketMs: () => number
}

/** Every channel of the WebSocket interface. Tests publish their values through `values`. */
export function openChannels({ seed, publications, marketMs }: ChannelSources): {
  readonly values: Channel<PublishedValue>
  readonly all: readonly Channel[]
} {
  const perValue = (kind: Omit<ChannelKind<PublishedValue>, 'latest' | 'between'>) =>
    new Channel<PublishedValue>(
      {
        ...kind,
        latest: (index, nowMs, resolution) => publications.latest(index, nowMs, resolution),
        between: (index, ...span) => publications.between(index, ...span),
      },
      marketMs,
    )
  /** Every index has this channel (protocol, 2.1, 2.3, 2.4 and 6). */
  const values = perValue({
    stream: 'value',
    hasResolution: true,
    offers: () => true,
    message: ({ id }, published) => valueMessage('value', id, published),
  })
  /** Baskets and the indices of the exchange family (protocol, 2.2 and 2.5). */
  const constituents = perValue({
    stream: 'constituents',
    offers: (index) => index.constituents !== undefined,
    message: (index, published) => ({
      ...valueMessage('constituents', index.id, published),
      ...publications.calculation(index, published),
    }),
  })
  /** Each value of a real-time index with its market conditions (protocol, 2.8). */
  const conditions = perValue({
    stream: 'rti_stats',
    offers: hasConditions,
    message: (index, published) => ({
      ...valueMessage('rti_stats', index.id, published),
      ...conditionsAt(seed, index, published),
    }),
  })
  /** The weights of a basket with every calculation (protocol, 2.10). */
  const weights = perValue({
    stream: 'weight',
    offers: hasWeights,
    message: (index, published) => ({
      ...{ type: 'weight', time: published.time, id: index.id },
      weights: weightsByAsset(publications.calculation(index, published)),
    }),
  })
  /** Tokenized equities (protocol, 2.9 and 4.1). */
  const corporateActions = new Channel<CorporateActionState>(
    {
      stream: 'active_corporate_action',
      offers: ({ isTokenizedEquity }) => isTokenizedEquity === true,
      latest: (index, nowMs) => corporateActionAt(seed, index, nowMs),
      between: (index, afterMs, untilMs) => corporateActionsBetween(seed, index, { afterMs, untilMs }),
      message: ({ id }, { time, action }) => ({ type: 'active_corporate_action', time, id, action }),
    },
    marketMs,
  )
  return { values, all: [values, constituents, conditions, weights, corporateActions] }
}

/** A message with a published value (protocol, 2.4). Its keys are in the order of the production service. */
export function valueMessage(type: string, id: string, { time, value, ...flags }: PublishedValue): object {
  return { type, time, id, value, ...flags }
}
