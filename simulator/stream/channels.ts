import { weightsByAsset, hasWeights } from '../calculations'
import { conditionsAt, hasConditions } from '../conditions'
import { corporateActionAt, corporateActionsBetween, type CorporateActionState } from '../corporate-actions'
import type { Publications, PublishedValue } from '../publications'
import { Channel, type ChannelKind } from './channel'

/** What the channels send from. */
interface ChannelSources {
  readonly seed: number
  readonly publications: Publications
  /** The time of the market. */
  readonly marketMs: () => number
}

/** Every channel of the WebSocket interface; `values` also sends the values that tests publish. */
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
  /** Spec 2.1, 2.3, 2.4, 6: every index has it. */
  const values = perValue({
    stream: 'value',
    hasResolution: true,
    offers: () => true,
    message: ({ id }, published) => valueMessage('value', id, published),
  })
  /** Spec 2.2, 2.5: baskets, and the indices of the exchange family. */
  const constituents = perValue({
    stream: 'constituents',
    offers: (index) => index.constituents !== undefined,
    message: (index, published) => ({
      ...valueMessage('constituents', index.id, published),
      ...publications.calculation(index, published),
    }),
  })
  /** Beyond the spec: each value of a real-time index with its market conditions. */
  const conditions = perValue({
    stream: 'rti_stats',
    offers: hasConditions,
    message: (index, published) => ({
      ...valueMessage('rti_stats', index.id, published),
      ...conditionsAt(seed, index, published),
    }),
  })
  /** Beyond the spec: the weights of a basket with every calculation. */
  const weights = perValue({
    stream: 'weight',
    offers: hasWeights,
    message: (index, published) => ({
      ...{ type: 'weight', time: published.time, id: index.id },
      weights: weightsByAsset(publications.calculation(index, published)),
    }),
  })
  /** Spec 4.1, 6.4: tokenized equities. */
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

/** A message with a published value (protocol, 2.4), its keys in the order in which the production service writes them. */
export function valueMessage(type: string, id: string, { time, value, ...flags }: PublishedValue): object {
  return { type, time, id, value, ...flags }
}
