import { draftKey } from '../../protocol/alert-words'
import type { AlertDraft } from '../../protocol/alerts'
import type { IndexId } from '../../protocol/model'
import type { RuleRun } from './rule-run'

/** The rules at work in the order of creation, found by their id and by their index. */
export class Runs {
  readonly #byId = new Map<string, RuleRun>()
  #byIndex: ReadonlyMap<IndexId, readonly RuleRun[]> = new Map()

  get size(): number {
    return this.#byId.size
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
    const key = draftKey(draft)
    return this.ofIndex(draft.indexId).find(({ rule }) => rule.id !== exceptRuleId && draftKey(rule) === key)
  }

  /** Adds a rule, or puts it in the place of the one with its id. */
  put(run: RuleRun): void {
    this.#byId.set(run.rule.id, run)
    this.#index()
  }

  remove(ruleId: string): void {
    this.#byId.delete(ruleId)
    this.#index()
  }

  clear(): void {
    this.#byId.clear()
    this.#index()
  }

  #index(): void {
    const byIndex = new Map<IndexId, RuleRun[]>()
    for (const run of this.#byId.values()) {
      const ofIndex = byIndex.get(run.rule.indexId)
      if (ofIndex === undefined) byIndex.set(run.rule.indexId, [run])
      else ofIndex.push(run)
    }
    this.#byIndex = byIndex
  }
}
