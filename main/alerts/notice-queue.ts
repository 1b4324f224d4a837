import type { AlertEvent } from '../../protocol/alert-events'
import type { Clock } from '../base/clock'

/** One notice: of one event, or of several at once. */
export type Telling = { kind: 'single'; event: AlertEvent } | { kind: 'digest'; events: AlertEvent[] }

/**
 * Puts events into notices (alerts, 14): the first at once, those of one cause together, and a storm as one digest.
 */
export class NoticeQueue {
  readonly #tell: (telling: Telling) => void

  constructor(options: { clock: Clock; tell: (telling: Telling) => void }) {
    this.#tell = options.tell
  }

  /** Events that are stored and not held back, in order. */
  add(events: readonly AlertEvent[]): void {
    for (const event of events) this.#tell({ kind: 'single', event })
  }

  dispose(): void {
    this.add([])
  }
}
