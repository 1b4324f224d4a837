import type { AlertEvent } from '../../protocol/alert-events'
import type { Clock } from '../base/clock'

const groupWaitMs = 1_500

type Cause = 'silence' | 'recovery'

/** What silences and their ends have in common: a feed that fails takes many indices with it. */
export function causeOf({ kind, terms }: AlertEvent): Cause | undefined {
  if (kind === 'recovered') return 'recovery'
  return kind === 'fired' && terms.condition === 'noUpdate' ? 'silence' : undefined
}

/**
 * Collects silences, and ends of silences, for a second and a half from the first, so that those of one cause become
 * one notice. A rule's silence is told before its end.
 */
export class SilenceGroups {
  readonly #clock: Clock
  readonly #tell: (events: readonly AlertEvent[]) => void
  readonly #groups = new Map<Cause, { events: AlertEvent[]; cancel: () => void }>()

  constructor(options: { clock: Clock; tell: (events: readonly AlertEvent[]) => void }) {
    this.#clock = options.clock
    this.#tell = options.tell
  }

  add(cause: Cause, event: AlertEvent): void {
    const opposite: Cause = cause === 'silence' ? 'recovery' : 'silence'
    if (this.#groups.get(opposite)?.events.some(({ ruleId }) => ruleId === event.ruleId)) this.#tellGroup(opposite)
    const group = this.#groups.get(cause)
    if (group !== undefined) {
      group.events.push(event)
      return
    }
    const cancel = this.#clock.after(groupWaitMs, () => {
      this.#tellGroup(cause)
    })
    this.#groups.set(cause, { events: [event], cancel })
  }

  /** Tells what is collected without waiting. */
  flush(): void {
    for (const cause of [...this.#groups.keys()]) this.#tellGroup(cause)
  }

  #tellGroup(cause: Cause): void {
    const group = this.#groups.get(cause)
    if (group === undefined) return
    group.cancel()
    this.#groups.delete(cause)
    this.#tell(group.events)
  }
}
