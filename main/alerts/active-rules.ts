import { draftKey } from '../../protocol/alert-words'
import type { AlertPhase, AlertView } from '../../protocol/alerts'
import type { DecimalText, IndexId } from '../../protocol/model'
import type { ActiveRule } from './active-rule'
import type { RulePolicyState } from './policy/notification-policy'
import { isFolded } from './refold'
import { heldMsOf, phaseOf, type RuleState } from './rules/state'

type RuleLists<Key> = Map<Key, readonly ActiveRule[]>

/** The rules at work in the order of creation, found by their id, by their index and by what they wait for. */
export class ActiveRules {
  readonly #byId = new Map<string, ActiveRule>()
  readonly #byIndex: RuleLists<IndexId> = new Map()
  readonly #foldedByIndex: RuleLists<IndexId> = new Map()
  readonly #observingByIndex: RuleLists<IndexId> = new Map()
  readonly #byKey: RuleLists<string> = new Map()

  readonly #expiring = new Set<string>()
  #revision = 0
  #lastPosition = 0

  /** Counts up when there are other rules than before. */
  get revision(): number {
    return this.#revision
  }

  get size(): number {
    return this.#byId.size
  }

  all(): ActiveRule[] {
    return [...this.#byId.values()]
  }

  get(ruleId: string): ActiveRule | undefined {
    return this.#byId.get(ruleId)
  }

  /** The place of the next rule to be made. */
  get nextPosition(): number {
    return this.#lastPosition + 1
  }

  ofIndex(id: IndexId): readonly ActiveRule[] {
    return this.#byIndex.get(id) ?? []
  }

  /** Those of an index whose state is the fold of its values. */
  foldedOf(id: IndexId): readonly ActiveRule[] {
    return this.#foldedByIndex.get(id) ?? []
  }

  /** All others of an index. */
  observingOf(id: IndexId): readonly ActiveRule[] {
    return this.#observingByIndex.get(id) ?? []
  }

  /** Ids of those that have an end. */
  get expiring(): ReadonlySet<string> {
    return this.#expiring
  }

  /** Another rule with this `draftKey`, that is, one that waits for the same. */
  findEqual(key: string, exceptRuleId?: string): ActiveRule | undefined {
    return this.#byKey.get(key)?.find(({ rule }) => rule.id !== exceptRuleId)
  }

  /** Adds a rule, or puts it in the place of the one with its id. */
  put(active: ActiveRule): void {
    this.#revision++
    const isNew = !this.#byId.has(active.rule.id)
    const isLast = active.position > this.#lastPosition
    this.#byId.set(active.rule.id, active)
    if (isNew && !isLast) this.#sort()
    this.#lastPosition = Math.max(this.#lastPosition, active.position)
    if (active.rule.expiresAt === undefined) this.#expiring.delete(active.rule.id)
    else this.#expiring.add(active.rule.id)
    if (isNew && isLast) this.#enter(active)
    else this.#indexAll()
  }

  remove(ruleId: string): void {
    this.#revision++
    this.#byId.delete(ruleId)
    this.#expiring.delete(ruleId)
    this.#indexAll()
  }

  /** Brings a rule that is put back to its place. */
  #sort(): void {
    const rules = this.all().sort((a, b) => a.position - b.position)
    this.#byId.clear()
    for (const active of rules) this.#byId.set(active.rule.id, active)
  }

  #indexAll(): void {
    this.#byIndex.clear()
    this.#foldedByIndex.clear()
    this.#observingByIndex.clear()
    this.#byKey.clear()
    for (const active of this.#byId.values()) this.#enter(active)
  }

  #enter(active: ActiveRule): void {
    const { rule } = active
    append(this.#byIndex, rule.indexId, active)
    append(isFolded(rule.terms) ? this.#foldedByIndex : this.#observingByIndex, rule.indexId, active)
    append(this.#byKey, draftKey(rule), active)
  }
}

/** Lists are replaced, never changed: one may be gone through at the moment. */
function append<Key>(lists: RuleLists<Key>, key: Key, active: ActiveRule): void {
  lists.set(key, [...(lists.get(key) ?? []), active])
}

interface Shown {
  state: RuleState
  policy: RulePolicyState
  measure: DecimalText | undefined
  view: AlertView
}

/** Rules as they are shown. The view of a rule is the very same object while nothing of it has changed. */
export class RuleViews {
  readonly #shown = new WeakMap<ActiveRule, Shown>()

  of(active: ActiveRule, policy: RulePolicyState): AlertView {
    const { state, measure } = active
    const shown = this.#shown.get(active)
    if (shown?.state === state && shown.policy === policy && shown.measure === measure) return shown.view
    const view = viewOf(active, policy)
    this.#shown.set(active, { state, policy, measure, view })
    return view
  }
}

/** A rule with its present state. What it is done with, it stays done with; what ends it counts before what pauses it. */
function viewOf({ rule, state, measure }: ActiveRule, policy: RulePolicyState): AlertView {
  const phase = phaseOf(state)
  const heldMs = heldMsOf(state)
  const { cooldown, suspension, reach } = policy
  return {
    ...rule,
    phase: phase === 'triggered' ? phase : (policyPhase(policy) ?? phase),
    ...(heldMs !== undefined && { heldMs }),
    ...(suspension !== undefined && { suspension }),
    ...(reach !== undefined && { reach }),
    ...(cooldown !== undefined && { cooldown: { untilMs: cooldown.untilMs, heldBack: cooldown.heldBack } }),
    ...(measure !== undefined && { measure }),
  }
}

function policyPhase({ isExpired, suspension }: RulePolicyState): AlertPhase | undefined {
  if (isExpired === true) return 'expired'
  return suspension === undefined ? undefined : 'suspended'
}
