import type { AlertDraft, AlertRule, AlertSnooze, AlertView, RuleDraft } from '../../core/alerts'
import type { WhenAlreadyMet } from '../../core/evaluation/state'
import { isJudged } from '../../core/freshness'
import { done, failure, ok, type DecimalText, type IndexId, type Outcome, type Quote } from '../../core/model'
import { isSame } from '../../core/same'
import { maxTimeMs } from '../../core/shapes'
import { withoutSnooze, withSnooze } from '../../core/snoozes'
import { inTurns } from '../base/work-queue'
import type { Commits, EvaluationResult } from './commits'
import { changed, noResult, type Evaluator, type EvaluatorParts, type Received } from './evaluator'
import { tracePassed } from './fold'
import { hasExpired, renewed } from './policy/notification-policy'
import { isFolded, lastKnownMs, newRecord, reachedBack, runWith, viewOf, type RuleRecord, type Run } from './record'
import { reduce, type Reduced } from './reduce'
import type { RefoldQueue } from './refold-queue'
import {
  cannotUndo,
  draftRefusal,
  DraftsCheck,
  maxRules,
  tooMany,
  notReady,
  putBackRefusal,
  takesPlaceOf,
  unknownRule,
} from './refusals'
import type { Place, TablePlace } from './rule-table'

interface Options extends EvaluatorParts {
  commits: Commits
  evaluator: Evaluator
  refolds: RefoldQueue
}

/** A deleted rule whose deletion can be undone. */
interface Deleted {
  record: RuleRecord
  snooze: AlertSnooze | undefined
  /** The earliest published time of values that the rule has not seen. */
  missedFromMs: number
}

/** A rule that is ready to be taken in. */
interface Made {
  place: TablePlace
  /** Adds the rule to what is written next. */
  begin: () => void
  checkpoint: Reduced['checkpoint']
  /** The received value to show the rule first. */
  latest: Quote | undefined
}

/**
 * Creates, edits, re-arms, deletes and restores rules of one history. Commands take `latest`, the latest value of the
 * index that the app has. A cached one is ignored.
 */
export class RuleChanges {
  readonly #options: Options
  /** Values received during `createAll`, one list for each call. */
  readonly #missed = new Set<Received[]>()
  /** Published time of the newest value minus the monotonic clock at its receipt, in ms. */
  readonly #aheadMs = new Map<IndexId, number>()
  /** The deleted rules of each index, oldest first. Each value of the index updates them. */
  readonly #deleted = new Map<IndexId, Deleted[]>()

  constructor(options: Options) {
    this.#options = options
  }

  async create(
    draft: AlertDraft,
    whenAlreadyMet: WhenAlreadyMet,
    latest: Quote | undefined,
  ): Promise<Outcome<AlertView>> {
    const { rules, clock } = this.#options
    const check = new DraftsCheck(rules, clock.wallMs())
    check.look(draft)
    const fault = check.refusal()
    if (fault !== undefined) return fault
    // An equal rule that has finished is already in the inbox. The new rule replaces it.
    const finished = takesPlaceOf(draft, rules)
    if (finished !== undefined) this.#drop(finished)
    return this.#begin(this.#newRule(draft), whenAlreadyMet, latest)
  }

  /** See `AlertEngine.createAll`. */
  async createAll(
    drafts: readonly RuleDraft[],
    latestOf: (id: IndexId) => Quote | undefined,
  ): Promise<Outcome<{ adds: number }>> {
    const { clock, commits, evaluator, records, rules } = this.#options
    const check = new DraftsCheck(rules, clock.wallMs())
    await inTurns(clock, drafts, (draft) => check.look(draft))
    // The history may have been switched in the meantime.
    const fault = check.refusal() ?? records.refusal
    if (fault !== undefined) return fault
    const firstPosition = rules.takePositions(drafts.length)
    const missed: Received[] = []
    this.#missed.add(missed)
    const made: Made[] = []
    await inTurns(clock, drafts, (draft) => {
      const latest = latestOf(draft.indexId)
      const run = this.#newRun(this.#newRule(draft), 'wait', latest)
      const record = newRecord(run, firstPosition + made.length)
      const isValue = isChecked(latest) && isFolded(draft.terms)
      // A rule that begins with 'wait' does not fire at its first value.
      const reduced = isValue
        ? reduce(record, { kind: 'value', tick: evaluator.tickOf(evaluator.received(latest)) }, evaluator.now())
        : { record, events: [], firings: [] }
      made.push({
        place: rules.prepare(reduced.record),
        begin: records.prepare(reduced.record),
        checkpoint: reduced.checkpoint,
        latest: isChecked(latest) && !isValue ? latest : undefined,
      })
    })
    let adds: number | undefined
    await commits.evaluate(() => {
      this.#missed.delete(missed)
      if (records.refusal !== undefined) return []
      // In one stretch, because the rules take effect and are stored together.
      const taken = made.filter((each) => this.#takeIn(each))
      adds = taken.length
      return this.#afterTakingIn(taken, missed)
    })
    return adds === undefined ? notReady : ok({ adds })
  }

  async edit(
    ruleId: string,
    draft: RuleDraft,
    whenAlreadyMet: WhenAlreadyMet,
    latest: Quote | undefined,
  ): Promise<Outcome<AlertView>> {
    const { rules, clock } = this.#options
    const place = rules.get(ruleId)
    if (place === undefined) return unknownRule
    const createdAtMs = clock.wallMs()
    const fault = draftRefusal(draft, rules, createdAtMs, ruleId)
    if (fault !== undefined) return fault
    const version = place.record.run.rule.version + 1
    return this.#begin({ ...draft, id: ruleId, version, createdAtMs }, whenAlreadyMet, latest)
  }

  /** See `AlertEngine.adopt`. */
  async adopt(rule: AlertRule, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    const { rules } = this.#options
    const known = rules.get(rule.id)?.record
    if (known === undefined && rules.size >= maxRules) return tooMany
    if (known !== undefined && isSame(known.run.rule, rule)) return ok(viewOf(known))
    return this.#begin(rule, 'wait', latest)
  }

  async setLevel(ruleId: string, level: DecimalText, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    const rule = this.#options.rules.get(ruleId)?.record.run.rule
    if (rule === undefined) return unknownRule
    const { terms } = rule
    if (!('level' in terms)) return failure('level', 'This alert has no level.')
    return this.edit(ruleId, { ...rule, terms: { ...terms, level } }, 'wait', latest)
  }

  async arm(ruleId: string, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    const rule = this.#options.rules.get(ruleId)?.record.run.rule
    if (rule === undefined) return unknownRule
    if (hasExpired(rule, {}, this.#options.clock.wallMs())) {
      return failure('expiresAt', 'This alert has expired. Edit it and choose a later expiry, or none.')
    }
    return this.#begin(rule, 'wait', latest)
  }

  async remove(ruleId: string): Promise<Outcome<null>> {
    const { rules, commits, refolds } = this.#options
    const place = rules.get(ruleId)
    if (place === undefined) return unknownRule
    commits.mute(ruleId)
    const { record } = place
    const { snooze } = this.#drop(record)
    const { indexId } = record.run.rule
    const dueFromMs = refolds.dueOf(indexId)?.fromMs ?? Infinity
    const missedFromMs = Math.min(lastKnownMs(record) ?? Infinity, dueFromMs)
    // As many as can exist, so that deleting all can be undone.
    this.#deleted.set(indexId, [...this.#deletedOf(indexId), { record, snooze, missedFromMs }].slice(-maxRules))
    await commits.commit()
    return done
  }

  async putBack(ruleId: string): Promise<Outcome<AlertView>> {
    const { agenda, commits, evaluator, records, refolds, rules } = this.#options
    const isIt = ({ record: { run } }: Deleted) => run.rule.id === ruleId
    const deleted = [...this.#deleted.values()].flat().find(isIt)
    if (deleted === undefined) return cannotUndo
    const { record, snooze, missedFromMs } = deleted
    const fault = putBackRefusal(record, rules)
    if (fault !== undefined) return fault
    const { indexId } = record.run.rule
    this.#deleted.set(
      indexId,
      this.#deletedOf(indexId).filter((each) => each !== deleted),
    )
    commits.unmute(ruleId)
    record.memory.quiet = undefined
    record.memory.suppressed = undefined
    const place = rules.put(record)
    records.begin(record)
    if (snooze !== undefined) evaluator.setSnoozes(withSnooze(evaluator.snoozes, snooze))
    agenda.outdate()
    if (missedFromMs < Infinity) {
      refolds.addWithNextCommit(indexId, { fromMs: missedFromMs, toMs: maxTimeMs, cause: 'history' })
    }
    await commits.commit()
    return ok(viewOf(place.record))
  }

  /** Call for the next value of each index, so that new and restored rules miss none. */
  sawNext(value: Received): void {
    const { clock, cadenceOf } = this.#options
    const { id, publication } = value
    const { publishedAtMs } = publication
    this.#aheadMs.set(id, publishedAtMs - clock.monotonicMs())
    for (const deleted of this.#deletedOf(id)) {
      const { record } = deleted
      deleted.record = { ...record, run: runWith(record.run, publishedAtMs, cadenceOf(id)) }
      deleted.missedFromMs = Math.min(deleted.missedFromMs, publishedAtMs)
    }
    for (const missed of this.#missed) missed.push(value)
  }

  /** Call for late values, so that restored rules miss none. */
  sawLate(id: IndexId, timesMs: readonly number[]): void {
    for (const deleted of this.#deletedOf(id)) {
      deleted.record = reachedBack(deleted.record, timesMs)
      deleted.missedFromMs = timesMs.reduce((minMs, atMs) => Math.min(minMs, atMs), deleted.missedFromMs)
    }
  }

  #deletedOf(id: IndexId): readonly Deleted[] {
    return this.#deleted.get(id) ?? []
  }

  #newRule(draft: RuleDraft): AlertRule {
    const { newId, clock } = this.#options
    return { ...draft, id: newId(), version: 1, createdAtMs: clock.wallMs() }
  }

  #newRun(rule: AlertRule, first: WhenAlreadyMet, latest: Quote | undefined, before?: Run): Run {
    const { clock } = this.#options
    const isOfThisRun = isChecked(latest)
    const latestMs = latest?.publishedAtMs ?? 0
    // Current publication time, extrapolated from the last received value. Never ahead of the real one.
    const publishedNowMs = isOfThisRun
      ? (this.#aheadMs.get(rule.indexId) ?? -Infinity) + clock.monotonicMs()
      : clock.serviceMs()
    return {
      number: (before?.number ?? 0) + 1,
      rule,
      first,
      startedAtMs: clock.wallMs(),
      sinceMs: Math.max(latestMs, Math.ceil(publishedNowMs) - 1),
      ...(!isOfThisRun && { keptMs: latestMs }),
    }
  }

  /** Starts the rule, or restarts the one with its id. A received latest value is its first. */
  async #begin(rule: AlertRule, first: WhenAlreadyMet, latest: Quote | undefined): Promise<Outcome<AlertView>> {
    const { agenda, clock, commits, evaluator, records, rules } = this.#options
    const before = rules.get(rule.id)?.record
    const run = this.#newRun(rule, first, latest, before?.run)
    const record = newRecord(run, before?.position ?? rules.takePositions(1))
    if (before !== undefined) {
      // The old run ends here and keeps what it has seen.
      records.run({ ...before.run, endedAtMs: clock.wallMs(), toMs: lastKnownMs(before) ?? 0 })
      record.memory.suppressed = before.memory.suppressed
      if (before.run.rule.version === rule.version) {
        tracePassed(before)
        record.memory.quiet = before.memory.quiet
        record.memory.trace = before.memory.trace
      }
    }
    const begun = { ...record, policy: renewed(before?.policy ?? {}) }
    records.begin(begun)
    if (before !== undefined) records.policy(rule.id, begun.policy)
    const place = rules.put(begun)
    agenda.outdate()
    const shown = isChecked(latest) ? [...evaluator.showLatest(place, latest)] : []
    await commits.commit(shown.flatMap(({ events }) => events))
    return ok(viewOf(place.record))
  }

  /** Deletes a rule. Returns its snooze, if it has one of its own. */
  #drop({ run: { rule } }: RuleRecord): { snooze: AlertSnooze | undefined } {
    const { agenda, evaluator, records, rules } = this.#options
    const snooze = evaluator.snoozes.find(({ scope }) => scope.of === 'rule' && scope.ruleId === rule.id)
    rules.remove(rule.id)
    records.remove(rule.id)
    if (snooze !== undefined) evaluator.setSnoozes(withoutSnooze(evaluator.snoozes, snooze.scope))
    agenda.outdate()
    return { snooze }
  }

  /** Skips a rule that expired or got an equal in the meantime. Replaces an equal rule that has finished. */
  #takeIn({ place, begin, checkpoint }: Made): boolean {
    const { agenda, clock, records, rules } = this.#options
    const { run } = place.record
    const equal = rules.findEqual(place.key)
    if (equal?.state.isDone === false || hasExpired(run.rule, {}, clock.wallMs())) return false
    if (equal !== undefined) this.#drop(equal)
    begin()
    if (checkpoint !== undefined) records.checkpoint(run, checkpoint)
    agenda.outdate()
    rules.put(place)
    return true
  }

  /** Evaluates the new rules on the values received since they were created. */
  *#afterTakingIn(
    taken: readonly { place: Place; latest: Quote | undefined }[],
    missed: readonly Received[],
  ): Generator<EvaluationResult> {
    const { evaluator, rules } = this.#options
    // Thousands of rules may use up the turn. Evaluate in the next one.
    yield noResult
    if (taken.length > 0) yield changed
    for (const { place, latest } of taken) if (latest !== undefined) yield* evaluator.showLatest(place, latest)
    const isTaken = new Set(missed.length === 0 ? [] : taken.map(({ place }) => place))
    for (const value of missed) {
      const folded = rules.foldedOf(value.id).filter((place) => isTaken.has(place))
      yield* evaluator.step(evaluator.pass(folded, evaluator.tickOf(value)), value)
    }
  }
}

/** Whether there is a value on which a new or edited rule is checked at once. */
function isChecked(latest: Quote | undefined): latest is Quote {
  return latest !== undefined && isJudged(latest)
}
