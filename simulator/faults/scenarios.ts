import type { Delivery } from '../stream/client'
import type { FaultControls, Refusal } from './controls'
import { BurstBuffer, silent, swapped, twice, withGaps, withGarbage } from './deliveries'

const second = 1_000
const slowHandshakeMs = 12 * second

/** A fault that comes and goes until the scenario ends. */
export interface Scenario {
  /** Description for `--help` and the README. */
  readonly summary: string
  /** Duration of the fault. Undefined if it lasts until the scenario ends. */
  readonly faultMs?: number
  /** Duration of normal operation afterwards. */
  readonly calmMs: number
  /** Starts the fault. The returned function ends it. */
  begin(controls: FaultControls): () => void
}

function delivering(newDelivery: () => Delivery): Scenario['begin'] {
  return (controls) => {
    controls.deliverBy(newDelivery)
    return () => controls.deliverBy()
  }
}

const nothingToRestore = () => undefined

const rateLimitMs = 10 * second

export const scenarios = {
  burst: {
    summary: 'updates are held back for 5 s, then arrive all at once',
    ...{ faultMs: 5 * second, calmMs: 5 * second },
    begin(controls) {
      const buffer = new BurstBuffer()
      controls.deliverBy(() => buffer.delivery())
      return () => {
        controls.deliverBy()
        buffer.flush()
      }
    },
  },
  drop: {
    summary: 'every 20 s all connections are cut without a close frame; new ones are accepted',
    ...{ faultMs: 0, calmMs: 20 * second },
    begin(controls) {
      controls.dropConnections()
      return nothingToRestore
    },
  },
  'silent-stall': {
    summary: 'for 20 s no update is sent, then or later; commands and pings are answered',
    ...{ faultMs: 20 * second, calmMs: 20 * second },
    begin: delivering(silent),
  },
  'half-open': {
    summary: 'for 60 s open connections neither send nor read, not even a ping, then they are cut',
    ...{ faultMs: 60 * second, calmMs: 30 * second },
    begin: (controls) => controls.freezeConnections(),
  },
  duplicate: { summary: 'every update is sent twice', calmMs: 0, begin: delivering(twice) },
  reorder: { summary: 'of every two updates the second is sent first', calmMs: 0, begin: delivering(swapped) },
  'amend-late': {
    summary: 'every 10 s each real-time index amends its value of a minute ago',
    ...{ faultMs: 0, calmMs: 10 * second },
    begin(controls) {
      controls.amendLate()
      return nothingToRestore
    },
  },
  gap: { summary: 'one update in five is lost', calmMs: 0, begin: delivering(withGaps) },
  garbage: {
    summary: 'one update in five is preceded by an unreadable message',
    ...{ calmMs: 0, begin: delivering(withGarbage) },
  },
  refuse: {
    summary: 'for 15 s connections are cut and everything is refused with 503',
    ...{ faultMs: 15 * second, calmMs: 15 * second },
    begin(controls) {
      const refusal: Refusal = { status: 503, error: 'Service unavailable' }
      controls.admission.handshakeRefusal = refusal
      controls.admission.requestRefusal = () => refusal
      controls.dropConnections()
      return () => {
        controls.admission.handshakeRefusal = undefined
        controls.admission.requestRefusal = undefined
      }
    },
  },
  'slow-handshake': {
    summary: 'a WebSocket handshake is answered after 12 s',
    calmMs: 0,
    begin({ admission }) {
      admission.handshakeDelayMs = slowHandshakeMs
      return () => {
        admission.handshakeDelayMs = 0
      }
    },
  },
  'rate-limit': {
    summary: 'for 10 s every request is answered with 429 and Retry-After',
    ...{ faultMs: rateLimitMs, calmMs: 10 * second },
    begin(controls) {
      const endMs = controls.wallMs() + rateLimitMs
      controls.admission.requestRefusal = () => {
        const seconds = Math.max(1, Math.ceil((endMs - controls.wallMs()) / second))
        return { status: 429, error: 'Too many requests', headers: { 'Retry-After': String(seconds) } }
      }
      return () => {
        controls.admission.requestRefusal = undefined
      }
    },
  },
  'key-revoked': {
    summary: 'for 30 s the key is refused and its connections are closed',
    ...{ faultMs: 30 * second, calmMs: 30 * second },
    begin(controls) {
      controls.revokeKey()
      return () => controls.restoreKey()
    },
  },
} as const satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof scenarios

export const scenarioNames = Object.keys(scenarios) as ScenarioName[]
