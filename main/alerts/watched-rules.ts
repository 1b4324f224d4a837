import { compareDecimals } from '../../protocol/decimal'
import type { Decimal } from '../../protocol/decimal'
import type { AlertCondition, AlertRule, IndexId } from '../../protocol/model'
import type { RuleState } from './rules'

/** A rule with its level read and its state. */
export interface Watched {
  rule: AlertRule
  level: Decimal
  state: RuleState
}

/** The rules in the order of creation, found by their id and by their index. */
export class WatchedRules {
  readonly #byId = new Map<string, Watched>()
  readonly #byIndex = new Map<IndexId, readonly Watched[]>()

  get size(): number {
    return this.#byId.size
  }

  all(): Watched[] {
    return [...this.#byId.values()]
  }

  get(ruleId: string): Watched | undefined {
    return this.#byId.get(ruleId)
  }

  ofIndex(id: IndexId): readonly Watched[] {
    return this.#byIndex.get(id) ?? []
  }

  /** The rule of this index and condition whose level is equal by value, however it is written. */
  find(indexId: IndexId, condition: AlertCondition, level: Decimal, except?: Watched): Watched | undefined {
    return this.ofIndex(indexId).find(
      (watched) =>
        watched !== except && watched.rule.condition === condition && compareDecimals(watched.level, level) === 0,
    )
  }

  add(rule: AlertRule, level: Decimal, state: RuleState): Watched {
    const watched: Watched = { rule, level, state }
    this.#byId.set(rule.id, watched)
    this.#byIndex.set(rule.indexId, [...this.ofIndex(rule.indexId), watched])
    return watched
  }

  remove(gone: Watched): void {
    const { id, indexId } = gone.rule
    this.#byId.delete(id)
    const others = this.ofIndex(indexId).filter((watched) => watched !== gone)
    if (others.length === 0) this.#byIndex.delete(indexId)
    else this.#byIndex.set(indexId, others)
  }

  clear(): void {
    this.#byId.clear()
    this.#byIndex.clear()
  }
}
