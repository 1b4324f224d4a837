import { decimalText } from '../decimal-text'
import type { Publications, PublishedValue } from '../publications'
import type { RefusalStatus } from '../listener'
import type { Delivery } from '../stream/client'
import type { Gateway } from '../stream/gateway'
import type { Channel } from '../stream/channel'

/** Age of the value that a late amendment changes. */
const lateMs = 60_000

/** An error answered in place of an interface. */
export interface Refusal {
  readonly status: RefusalStatus
  readonly error: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Checks every request and handshake first. Admits all of them by default. */
export class Admission {
  /** Delay before a WebSocket handshake is answered. */
  handshakeDelayMs = 0
  /** Refuses each REST and MCP request while set. */
  requestRefusal: (() => Refusal) | undefined
  /** Refuses each WebSocket handshake while set. */
  handshakeRefusal: Refusal | undefined
}

/** What a scenario can change. */
export interface FaultControls {
  readonly admission: Admission
  /** The time of the clock, milliseconds since the Unix epoch. */
  wallMs(): number
  /** Sets how updates reach each current and future client. Default: unchanged. */
  deliverBy(newDelivery?: () => Delivery): void
  /** Keeps all connections open without any traffic. The returned function cuts them. */
  freezeConnections(): () => void
  dropConnections(): void
  revokeKey(): void
  restoreKey(): void
  /** In every subscribed real-time index, amends the value of a minute ago. */
  amendLate(): void
}

/** Hooks of the simulator that tests use too. */
interface Hooks {
  dropConnections(): void
  revokeKey(): void
  restoreKey(): void
  publish(id: string, published: PublishedValue): void
}

interface Parts extends Pick<FaultControls, 'admission' | 'wallMs'> {
  readonly gateway: Gateway
  readonly values: Channel<PublishedValue>
  readonly publications: Publications
  /** The time of the market. */
  readonly marketMs: () => number
}

/** The controls of a simulator for its scenarios. */
export function controlsOf({ gateway, values, publications, marketMs, ...shared }: Parts, hooks: Hooks): FaultControls {
  return {
    ...shared,
    deliverBy: (newDelivery) => gateway.deliverBy(newDelivery),
    freezeConnections() {
      const frozen = [...gateway.clients]
      for (const client of frozen) client.freeze()
      return () => {
        for (const client of frozen) client.drop()
      }
    },
    dropConnections: () => hooks.dropConnections(),
    revokeKey: () => hooks.revokeKey(),
    restoreKey: () => hooks.restoreKey(),
    amendLate() {
      const nowMs = marketMs()
      for (const index of values.subscribedIndices.filter(({ schedule }) => 'stepMs' in schedule)) {
        const late = publications.asOf(index, nowMs - lateMs, nowMs)
        const value = decimalText(Number(late.value) + 10 ** -index.decimals, index)
        hooks.publish(index.id, { ...late, value, amendTime: nowMs })
      }
    },
  }
}
