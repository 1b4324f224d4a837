import { decimalText } from '../decimal-text'
import type { Publications, PublishedValue } from '../publications'
import type { Gateway } from '../stream/gateway'
import type { PublicationChannel } from '../stream/publication-channel'
import type { Stage } from './scenarios'

/** How long after a value its late amendment comes. */
const lateMs = 60_000

/** What a test can do to the simulator, and so can a scenario. */
interface Hooks {
  dropConnections(): void
  revokeKey(): void
  restoreKey(): void
  publish(id: string, published: PublishedValue): void
}

interface Parts extends Pick<Stage, 'door' | 'wallMs'> {
  readonly gateway: Gateway
  readonly values: PublicationChannel
  readonly publications: Publications
  /** The time of the market. */
  readonly marketMs: () => number
}

/** Puts the parts of a simulator into the hands of its scenarios. */
export function stageOf({ gateway, values, publications, marketMs, ...shared }: Parts, hooks: Hooks): Stage {
  return {
    ...shared,
    deliverBy: (newDelivery) => {
      gateway.deliverBy(newDelivery)
    },
    freezeConnections() {
      const frozen = [...gateway.clients]
      for (const client of frozen) client.freeze()
      return () => {
        for (const client of frozen) client.drop()
      }
    },
    dropConnections: () => {
      hooks.dropConnections()
    },
    revokeKey: () => {
      hooks.revokeKey()
    },
    restoreKey: () => {
      hooks.restoreKey()
    },
    amendLate() {
      const nowMs = marketMs()
      for (const index of values.heard.filter(({ schedule }) => 'stepMs' in schedule)) {
        const late = publications.asOf(index, nowMs - lateMs, nowMs)
        const value = decimalText(Number(late.value) + 10 ** -index.decimals, index)
        hooks.publish(index.id, { ...late, value, amendTime: nowMs })
      }
    },
  }
}
