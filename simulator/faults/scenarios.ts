import type { Delivery } from '../stream/client'
import { Dam, silent, swapped, twice, withGaps, withGarbage } from './deliveries'
import type { FrontDoor } from './front-door'

const second = 1_000
const slowHandshakeMs = 12 * second

/** What a scenario has its hands on. */
export interface Stage {
  readonly door: FrontDoor
  /** The time of the clock, milliseconds since the Unix epoch. */
  wallMs(): number
  /** How updates go to each client, those to come included; faithfully when nothing is given. */
  deliverBy(newDelivery?: () => Delivery): void
  /** Makes every present connection one that is open in name only; the answer cuts them. */
  freezeConnections(): () => void
  dropConnections(): void
  revokeKey(): void
  restoreKey(): void
  /** Amends a value of a minute ago in every real-time index that somebody listens to. */
  amendLate(): void
}

/** Something that goes wrong, again and again. */
export interface Scenario {
  /** For `--help` and the README: what happens. */
  readonly summary: string
  /** How long it lasts each time; absent when it lasts until the scenario ends. */
  readonly faultMs?: number
  /** How long all is well afterwards. */
  readonly calmMs: number
  /** Makes it happen; the answer puts things right again. */
  begin(stage: Stage): () => void
}

function delivering(newDelivery: () => Delivery): Scenario['begin'] {
  return (stage) => {
    stage.deliverBy(newDelivery)
    return () => {
      stage.deliverBy()
    }
  }
}

const nothingToPutRight = () => undefined

const rateLimitMs = 10 * second

export const scenarios = {
  burst: {
    summary: 'updates are held back for 5 s, then come all at once',
    ...{ faultMs: 5 * second, calmMs: 5 * second },
    begin(stage) {
      const dam = new Dam()
      stage.deliverBy(() => dam.delivery())
      return () => {
        stage.deliverBy()
        dam.open()
      }
    },
  },
  drop: {
    summary: 'every 20 s all connections are cut without a word; new ones are welcome',
    ...{ faultMs: 0, calmMs: 20 * second },
    begin(stage) {
      stage.dropConnections()
      return nothingToPutRight
    },
  },
  'silent-stall': {
    summary: 'for 20 s no update comes and none is made up for; commands and pings are answered',
    ...{ faultMs: 20 * second, calmMs: 20 * second },
    begin: delivering(silent),
  },
  'half-open': {
    summary: 'for 60 s present connections neither send nor read, not even a ping, then they are cut',
    ...{ faultMs: 60 * second, calmMs: 30 * second },
    begin: (stage) => stage.freezeConnections(),
  },
  duplicate: { summary: 'every update comes twice', calmMs: 0, begin: delivering(twice) },
  reorder: { summary: 'of every two updates the second comes first', calmMs: 0, begin: delivering(swapped) },
  'amend-late': {
    summary: 'every 10 s each real-time index amends its value of a minute ago',
    ...{ faultMs: 0, calmMs: 10 * second },
    begin(stage) {
      stage.amendLate()
      return nothingToPutRight
    },
  },
  gap: { summary: 'one update in five never comes', calmMs: 0, begin: delivering(withGaps) },
  garbage: {
    summary: 'before one update in five comes something that is none',
    ...{ calmMs: 0, begin: delivering(withGarbage) },
  },
  refuse: {
    summary: 'for 15 s connections are cut and everything is refused with 503',
    ...{ faultMs: 15 * second, calmMs: 15 * second },
    begin(stage) {
      const refusal = { status: 503, error: 'Service unavailable' }
      stage.door.handshakeRefusal = refusal
      stage.door.requestRefusal = () => refusal
      stage.dropConnections()
      return () => {
        stage.door.handshakeRefusal = undefined
        stage.door.requestRefusal = undefined
      }
    },
  },
  'slow-handshake': {
    summary: 'a WebSocket handshake is answered after 12 s',
    calmMs: 0,
    begin({ door }) {
      door.handshakeDelayMs = slowHandshakeMs
      return () => {
        door.handshakeDelayMs = 0
      }
    },
  },
  'rate-limit': {
    summary: 'for 10 s every request is answered by 429 with Retry-After',
    ...{ faultMs: rateLimitMs, calmMs: 10 * second },
    begin(stage) {
      const endMs = stage.wallMs() + rateLimitMs
      stage.door.requestRefusal = () => {
        const seconds = Math.max(1, Math.ceil((endMs - stage.wallMs()) / second))
        return { status: 429, error: 'Too many requests', headers: { 'Retry-After': String(seconds) } }
      }
      return () => {
        stage.door.requestRefusal = undefined
      }
    },
  },
  'key-revoked': {
    summary: 'for 30 s the key opens nothing, and who used it is sent away',
    ...{ faultMs: 30 * second, calmMs: 30 * second },
    begin(stage) {
      stage.revokeKey()
      return () => {
        stage.restoreKey()
      }
    },
  },
} as const satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof scenarios

export const scenarioNames = Object.keys(scenarios) as ScenarioName[]
