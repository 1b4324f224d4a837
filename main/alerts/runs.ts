import { draftKey } from '../../protocol/alert-words'
import type { AlertDraft } from '../../protocol/alerts'
import type { IndexId } from '../../protocol/model'
import { reachAmong, type Reach } from './rule-log'
import type { RuleRun } from './rule-run'

type RunLists<Key> = Map<Key, readonly RuleRun[]>

/** The rules at work in the order of creation, found by their id, by their index and by what they wait for. */
export class Runs {
  readonly #byId = new Map<string, RuleRun>()
  readonly #byIndex: RunLists<IndexId> = new Map()
  readonly #byKey: RunLists<string> = new Map()

  get size(): number {
    return this.#byId.size
  }

  /** How far back each of them can be judged anew. */
  get reach(): Reach {
    return reachAmong(this.#byIndex.size)
  }

  all(): RuleRun[] {
    return [...this.#byId.values()]
  }

  get(ruleId: string): RuleRun | undefined {
    return this.#byId.get(ruleId)
  }

  ofIndex(id: IndexId): readonly RuleRun[] {
    return this.#byIndex.get(id) ?? []
  }

  /** Another rule of the same index and terms, however its numbers are written. */
  findEqual(draft: AlertDraft, exceptRuleId?: string): RuleRun | undefined {
    return this.#byKey.get(draftKey(draft))?.find(({ rule }) => rule.id !== exceptRuleId)
  }

  /** Adds a rule, or puts it in the place of the one with its id. */
  put(run: RuleRun): void {
    const isNew = !this.#byId.has(run.rule.id)
    this.#byId.set(run.rule.id, run)
    if (isNew) this.#enter(run)
    else this.#indexAll()
  }

  remove(ruleId: string): void {
    this.#byId.delete(ruleId)
    this.#indexAll()
  }

  #indexAll(): void {
    this.#byIndex.clear()
    this.#byKey.clear()
    for (const run of this.#byId.values()) this.#enter(run)
  }

  #enter(run: RuleRun): void {
    append(this.#byIndex, run.rule.indexId, run)
    append(this.#byKey, draftKey(run.rule), run)
  }
}

/** Lists are replaced, never changed: one may be gone through at the moment. */
function append<Key>(lists: RunLists<Key>, key: Key, run: RuleRun): void {
  lists.set(key, [...(lists.get(key) ?? []), run])
}
