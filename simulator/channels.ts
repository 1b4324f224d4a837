import type { Publications } from './publications'
import type { Channel } from './stream/channel'
import { constituentsStream } from './stream/constituents-stream'
import { CorporateActionChannel } from './stream/corporate-action-channel'
import { PublicationChannel } from './stream/publication-channel'
import { rtiStatsStream } from './stream/rti-stats-stream'
import { valueStream } from './stream/value-stream'
import { weightStream } from './stream/weight-stream'

/** What the channels send from. */
export interface ChannelSources {
  readonly seed: number
  readonly publications: Publications
  /** The time of the market. */
  readonly marketMs: () => number
}

/** Every channel of the WebSocket interface; `values` is the one that tells of values put in by hand, too. */
export function openChannels({ seed, publications, marketMs }: ChannelSources): {
  readonly values: PublicationChannel
  readonly all: readonly Channel[]
} {
  const values = new PublicationChannel(valueStream, publications, marketMs)
  const beside = [constituentsStream(publications), rtiStatsStream(seed), weightStream(publications)]
  return {
    values,
    all: [
      values,
      ...beside.map((kind) => new PublicationChannel(kind, publications, marketMs)),
      new CorporateActionChannel(seed, marketMs),
    ],
  }
}
