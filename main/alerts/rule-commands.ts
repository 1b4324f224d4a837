import type { AlertEvent } from '../../protocol/alert-events'
import type { AlertDraft, AlertRule, AlertView } from '../../protocol/alerts'
import type { DecimalText, IndexId, Outcome, Quote } from '../../protocol/model'
import type { AlertWork } from './alert-work'
import { draftRefusal, draftsRefusal, failure, takesPlaceOf, unknownRule } from './refusals'
import { RuleRun } from './rule-run'
import { initialState, type WhenAlreadyMet } from './rules/state'

/** What the user does to rules. `latest` is the index's latest value as the app knows it; a cached one does not count. */
export class RuleCommands {
  readonly #work: AlertWork
  readonly #newId: () => string

  constructor(work: AlertWork, newId: () => string) {
    this.#work = work
    this.#newId = newId
  }

  async create(draft: AlertDraft, whenAlreadyMet: WhenAlreadyMet, latest: Quote | undefined) {
    const refusal = this.#refusalOf([draft])
    return refusal ?? this.#begin(this.#newRule(draft), whenAlreadyMet, latest)
  }

  async createAll(
    drafts: readonly AlertDraft[],
    latestOf: (id: IndexId) => Quote | undefined,
  ): Promise<Outcome<{ adds: number }>> {
    const refusal = this.#refusalOf(drafts)
    if (refusal !== undefined) return refusal
    const events = drafts.flatMap((draft) => {
      const run = new RuleRun(this.#newRule(draft), initialState('wait'))
      return this.#start(run, latestOf(draft.indexId))
    })
    await this.#work.commit(events)
    return { ok: true, value: { adds: drafts.length } }
  }

  async edit(
    ruleId: string,
    draft: AlertDraft,
    whenAlreadyMet: WhenAlreadyMet,
    latest: Quote | undefined,
  ): Promise<Outcome<AlertView>> {
    const { book, clock, refusal } = this.#work
    const run = book.runs.get(ruleId)
    if (refusal !== undefined || run === undefined) return refusal ?? unknownRule
    const fault = draftRefusal(draft, book.runs, clock.wallMs(), ruleId)
    if (fault !== undefined) return fault
    const version = run.rule.version + 1
    return this.#begin({ ...draft, id: ruleId, version, createdAtMs: clock.wallMs() }, whenAlreadyMet, latest)
  }

  async setLevel(ruleId: string, level: DecimalText, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    const { book, refusal } = this.#work
    const run = book.runs.get(ruleId)
    if (refusal !== undefined || run === undefined) return refusal ?? unknownRule
    const { terms } = run.rule
    if (!('level' in terms)) return failure('level', 'This alert has no level.')
    return this.edit(ruleId, { ...run.rule, terms: { ...terms, level } }, 'wait', latest)
  }

  async arm(ruleId: string, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    const { book, clock, refusal } = this.#work
    const run = book.runs.get(ruleId)
    if (refusal !== undefined || run === undefined) return refusal ?? unknownRule
    const { expiresAt } = run.rule
    if (expiresAt !== undefined && expiresAt.atMs <= clock.wallMs()) {
      return failure('expiry', 'This alert has expired. Edit it and choose a later end, or none.')
    }
    return this.#begin(run.rule, 'wait', latest)
  }

  async remove(ruleId: string): Promise<Outcome<null>> {
    const { book, refusal } = this.#work
    if (refusal !== undefined || book.runs.get(ruleId) === undefined) return refusal ?? unknownRule
    await this.#work.remove(ruleId)
    return { ok: true, value: null }
  }

  #refusalOf(drafts: readonly AlertDraft[]) {
    const { book, clock, refusal } = this.#work
    return refusal ?? draftsRefusal(drafts, book.runs, clock.wallMs())
  }

  #newRule(draft: AlertDraft): AlertRule {
    const { book, clock } = this.#work
    // One that has fired is done and in the inbox: making it anew takes its place.
    const done = takesPlaceOf(draft, book.runs)
    if (done !== undefined) book.remove(done.rule.id)
    return { ...draft, id: this.#newId(), version: 1, createdAtMs: clock.wallMs() }
  }

  async #begin(
    rule: AlertRule,
    whenAlreadyMet: WhenAlreadyMet,
    latest: Quote | undefined,
  ): Promise<Outcome<AlertView>> {
    const { book } = this.#work
    const run = new RuleRun(rule, initialState(whenAlreadyMet), book.runs.get(rule.id)?.firedAsPast)
    await this.#work.commit(this.#start(run, latest))
    return { ok: true, value: book.view(run) }
  }

  #start(run: RuleRun, latest: Quote | undefined): AlertEvent[] {
    const { book } = this.#work
    book.begin(run)
    const isReceived = latest !== undefined && latest.source !== 'cache'
    return isReceived ? book.see([run], this.#work.valueSeen(undefined, latest)).events : []
  }
}
