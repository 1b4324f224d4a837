import { specOf } from '../../core/conditions/list'
import type { Condition } from '../../core/evaluation/condition'
import type { IndexId } from '../../core/model'
import type { ActiveRule } from './active-rule'
import { isFolded } from './refold'

/** Rules by what they have in common, in the order of creation. A list is never changed: one may be gone through at the moment. */
class RuleLists<Key> {
  readonly #members = new Map<Key, Set<ActiveRule>>()
  /** Made when they are asked for: thousands that come one after the other are put in order once. */
  readonly #lists = new Map<Key, readonly ActiveRule[]>()

  of(key: Key): readonly ActiveRule[] {
    const known = this.#lists.get(key)
    if (known !== undefined) return known
    const members = this.#members.get(key)
    if (members === undefined) return none
    const list = [...members].sort((a, b) => a.position - b.position)
    this.#lists.set(key, list)
    return list
  }

  keys(): Iterable<Key> {
    return this.#members.keys()
  }

  add(key: Key, active: ActiveRule): void {
    const members = this.#members.get(key)
    if (members === undefined) this.#members.set(key, new Set<ActiveRule>().add(active))
    else members.add(active)
    this.#lists.delete(key)
  }

  remove(key: Key, active: ActiveRule): void {
    const members = this.#members.get(key)
    members?.delete(active)
    if (members?.size === 0) this.#members.delete(key)
    this.#lists.delete(key)
  }
}

const none: readonly ActiveRule[] = []

/**
 * The rules at work in the order of creation, found by their id, by their index and by what they wait for. What one of them
 * costs as it comes or goes is the same however many there are.
 */
export class ActiveRules {
  readonly #byId = new Map<string, ActiveRule>()
  readonly #byIndex = new RuleLists<IndexId>()
  readonly #foldedByIndex = new RuleLists<IndexId>()
  readonly #observingByIndex = new RuleLists<IndexId>()
  readonly #byWatch = new RuleLists<Condition['watch']>()
  readonly #byKey = new RuleLists<string>()
  readonly #expiring = new Set<string>()
  #all: readonly ActiveRule[] | undefined
  #revision = 0
  #lastPosition = 0

  /** Counts up when there are other rules than before. */
  get revision(): number {
    return this.#revision
  }

  get size(): number {
    return this.#byId.size
  }

  /** The very same list while there are no others. */
  all(): readonly ActiveRule[] {
    return (this.#all ??= [...this.#byId.values()].sort((a, b) => a.position - b.position))
  }

  get(ruleId: string): ActiveRule | undefined {
    return this.#byId.get(ruleId)
  }

  /** Of the rule made last, or a place kept for one. */
  get lastPosition(): number {
    return this.#lastPosition
  }

  /** Keeps so many places for rules that are about to be made; answers the first. */
  takePositions(count: number): number {
    const first = this.#lastPosition + 1
    this.#lastPosition += count
    return first
  }

  /** The indices that rules are about. */
  indexIds(): Iterable<IndexId> {
    return this.#byIndex.keys()
  }

  ofIndex(id: IndexId): readonly ActiveRule[] {
    return this.#byIndex.of(id)
  }

  /** Those of an index whose state is the fold of its values. */
  foldedOf(id: IndexId): readonly ActiveRule[] {
    return this.#foldedByIndex.of(id)
  }

  /** All others of an index. */
  observingOf(id: IndexId): readonly ActiveRule[] {
    return this.#observingByIndex.of(id)
  }

  /** Those that this watch looks out for; the very same list while there are no others. */
  watched(watch: NonNullable<Condition['watch']>): readonly ActiveRule[] {
    return this.#byWatch.of(watch)
  }

  /** Ids of those that have an end. */
  get expiring(): ReadonlySet<string> {
    return this.#expiring
  }

  /** Another rule with this `draftKey`, that is, one that waits for the same. */
  findEqual(key: string, exceptRuleId?: string): ActiveRule | undefined {
    return this.#byKey.of(key).find(({ rule }) => rule.id !== exceptRuleId)
  }

  /** Adds a rule, or puts it in the place of the one with its id. */
  put(active: ActiveRule): void {
    const { rule, position, key } = active
    this.#revision++
    this.#all = undefined
    const before = this.#byId.get(rule.id)
    if (before !== undefined) this.#leave(before)
    this.#byId.set(rule.id, active)
    this.#lastPosition = Math.max(this.#lastPosition, position)
    if (rule.expiresAt !== undefined) this.#expiring.add(rule.id)
    this.#byIndex.add(rule.indexId, active)
    this.#kindOf(active).add(rule.indexId, active)
    this.#byWatch.add(specOf(rule.terms.condition).watch, active)
    this.#byKey.add(key, active)
  }

  remove(ruleId: string): void {
    const active = this.#byId.get(ruleId)
    if (active === undefined) return
    this.#revision++
    this.#all = undefined
    this.#byId.delete(ruleId)
    this.#leave(active)
  }

  #leave(active: ActiveRule): void {
    const { rule, key } = active
    this.#expiring.delete(rule.id)
    this.#byIndex.remove(rule.indexId, active)
    this.#kindOf(active).remove(rule.indexId, active)
    this.#byWatch.remove(specOf(rule.terms.condition).watch, active)
    this.#byKey.remove(key, active)
  }

  #kindOf({ rule }: ActiveRule): RuleLists<IndexId> {
    return isFolded(rule.terms) ? this.#foldedByIndex : this.#observingByIndex
  }
}
