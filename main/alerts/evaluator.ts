import type { AlertEvent, AlertOrigin } from '../../core/alert-events'
import { dependsOn, type AlertSnooze, type RuleValidity, type SnoozeScope } from '../../core/alerts'
import { parseDecimal } from '../../core/decimal'
import type { Observation } from '../../core/evaluation/observation'
import { isHoldProgress, isOfOther } from '../../core/evaluation/state'
import type { IndexId, Publication, Quote, Resolution } from '../../core/model'
import { noSource, publicationOf, type Source } from '../../core/publication'
import type { TimeRange } from '../../core/ranges'
import { covers, running, snoozeReason, withSnooze } from '../../core/snoozes'
import type { Clock } from '../base/clock'
import { asDeskEvent, isStandIn } from '../base/stand-in'
import type { Agenda } from './agenda'
import type { EvaluationResult, EvaluationResults } from './commits'
import { pass } from './fold'
import type { Inbox } from './inbox'
import { utcDay } from './policy/notification-policy'
import { isAfterEnd, isFolded, type RuleRecord } from './record'
import type { Records } from './records'
import { reduce, type Input, type Now } from './reduce'
import { QuietBand } from './quiet-band'
import type { FoldedIndex } from './refold-queue'
import type { Place, RuleTable } from './rule-table'
import type { Tick } from './trace'

/** A value, with its index and source. */
export interface Received {
  id: IndexId
  publication: Publication
  source: Source
}

export interface EvaluatorOptions {
  clock: Clock
  newId: () => string
  cadenceOf: (id: IndexId) => Resolution | undefined
  /** Returns the connection that currently supplies an index. */
  originOf: (id: IndexId) => AlertOrigin
  /** The source of the latest value of an index. */
  sourceOf?: (id: IndexId) => Source | undefined
  /** Returns the user's local day of a time, for the daily limit. */
  dayOf?: (ms: number) => string
}

export interface EvaluatorParts extends EvaluatorOptions {
  records: Records
  rules: RuleTable
  inbox: Inbox
  agenda: Agenda
}

/** The source of an observation, and the kind of its firings. */
interface Context {
  source?: Source
  as?: 'lateFromHistory'
}

/** How many rules see a value before the turn may end. */
export const passedAtOnce = 250
export const noResult: EvaluationResult = { events: [], hasChanged: false, isToBeStored: false }
export const changed: EvaluationResult = { events: [], hasChanged: true, isToBeStored: true }

/**
 * Evaluates rules of one history, replaces their records, and collects the changes for the next commit. Long evaluations
 * are generators, so that the turn may end between two steps.
 */
export class Evaluator {
  readonly #options: EvaluatorParts
  #snoozes: AlertSnooze[]
  /** The connection named by the last `sourceChanged` event of each index. */
  readonly #sources = new Map<IndexId, string>()

  constructor(options: EvaluatorParts, snoozes: AlertSnooze[]) {
    this.#options = options
    this.#snoozes = snoozes
  }

  get snoozes(): AlertSnooze[] {
    return this.#snoozes
  }

  setSnoozes(snoozes: AlertSnooze[]): void {
    const { records, agenda } = this.#options
    this.#snoozes = snoozes
    records.snoozes(snoozes)
    agenda.outdate()
  }

  tickOf({ id, publication, source }: Received): Tick {
    const { clock, cadenceOf } = this.#options
    const decimal = parseDecimal(publication.value)
    return { publication, decimal, cadence: cadenceOf(id), source, atMs: clock.wallMs() }
  }

  /** A value in the form for rules that are not folded. */
  valueSeen(id: IndexId, value: Publication): Observation {
    return { kind: 'value', publication: publicationOf(value), cadence: this.#options.cadenceOf(id) }
  }

  received(latest: Quote): Received {
    const { id } = latest
    return { id, publication: publicationOf(latest), source: this.#options.sourceOf?.(id) ?? noSource }
  }

  /** Shows folded rules the next value on the fast path. Returns the rules that need `step`. */
  pass(places: readonly Place[], tick: Tick): Place[] {
    return places.filter(({ record }) => !pass(record, tick))
  }

  /** Ends the turn between chunks of rules, because thousands of rules take too long for one turn. */
  *passAndStep(places: readonly Place[], value: Received): Generator<EvaluationResult> {
    const concerned: Place[] = []
    const tick = this.tickOf(value)
    for (let at = 0; at < places.length; at += passedAtOnce) {
      concerned.push(...this.pass(places.slice(at, at + passedAtOnce), tick))
      yield noResult
    }
    if (concerned.length > 0) yield* this.step(concerned, value)
    else this.beginQuiet(value.id, tick)
  }

  /** Skips a value that changes no rule of its index. Returns false if a rule must see it. */
  passQuietly({ id, publication, source }: Received): boolean {
    const { rules, cadenceOf, clock } = this.#options
    return rules.bandOf(id)?.take(publication, source, cadenceOf(id), clock.wallMs()) === true
  }

  /** Call after a value that changed no rule. Later values like it are then skipped for all rules at once. */
  beginQuiet(id: IndexId, tick: Tick): void {
    const { rules } = this.#options
    // Other rules see each value.
    if (rules.observingOf(id).length > 0) return
    const records = rules.foldedOf(id).map(({ record }) => record)
    const band = QuietBand.around(records, tick)
    if (band !== undefined) rules.setBand(id, band)
  }

  /** Evaluates folded rules on the next value. */
  *step(places: readonly Place[], value: Received): Generator<EvaluationResult> {
    yield* this.#noteSource(places, value.source)
    yield* this.each(places, { kind: 'value', tick: this.tickOf(value) })
  }

  /** Evaluates all other rules on an observation. */
  *observe(places: readonly Place[], seen: Observation, context: Context): Generator<EvaluationResult> {
    if (context.source !== undefined) yield* this.#noteSource(places, context.source)
    yield* this.each(places, { kind: 'seen', seen, ...context })
  }

  /** Evaluates a new rule on the latest value of its index. */
  showLatest(place: Place, latest: Quote): EvaluationResults {
    const value = this.received(latest)
    if (isFolded(place.record.run.rule.terms)) return this.step([place], value)
    return this.observe([place], this.valueSeen(latest.id, latest), { source: value.source })
  }

  /** Skips a rule that was deleted or restarted before its turn. */
  *each(places: readonly Place[], input: Input): Generator<EvaluationResult> {
    for (const place of places) {
      if (this.#options.rules.get(place.record.run.rule.id) === place) yield this.apply(place, input)
    }
  }

  *noteReach(found: ReadonlyMap<string, RuleValidity | undefined>): Generator<EvaluationResult> {
    for (const [ruleId, reach] of found) {
      const place = this.#options.rules.get(ruleId)
      if (place !== undefined) yield this.apply(place, { kind: 'reach', reach })
    }
  }

  /** Ends the snoozes, cooldowns and rules that are due. */
  *comeDue(): Generator<EvaluationResult> {
    const { clock, rules } = this.#options
    const left = running(this.#snoozes, clock.wallMs())
    if (left !== this.#snoozes) {
      this.setSnoozes(left)
      yield changed
    }
    yield* this.each(rules.timed(), { kind: 'time' })
  }

  /** Records one event for a snooze of all rules or of an index, else one event for each rule. */
  *snooze(scope: SnoozeScope, untilMs: number | null): Generator<EvaluationResult> {
    this.setSnoozes(withSnooze(this.#snoozes, { scope, untilMs }))
    yield changed
    const all = this.#options.rules.all()
    const concerned = all.filter(({ record }) => covers(scope, record.run.rule) && !record.state.isDone)
    const more: Partial<AlertEvent> = { untilMs, delivery: 'none', isRead: true }
    const isOfOne = scope.of === 'all' || scope.of === 'index'
    for (const { record } of isOfOne ? concerned.slice(0, 1) : concerned) {
      const event: AlertEvent = { ...this.now().eventOf(record.run.rule, 'snoozed', {}), ...more }
      yield this.#recorded(scope.of === 'all' ? ofMute(event) : event)
    }
  }

  /** Takes over the result of a refold (alert engine, 12 and 19). */
  takeFolded({ due, runs, events: known, hasDueChanged }: FoldedIndex): EvaluationResult {
    const { inbox, records } = this.#options
    let hasChanged = false
    let isToBeStored = hasDueChanged
    for (const { place, run, refolded } of runs) {
      // Compare run numbers: the current run may have another first value or cadence than when the refold began.
      if (run.number !== place.record.run.number || refolded.settledAtMs !== undefined) continue
      hasChanged ||= place.record.state !== refolded.record.state
      this.apply(place, { kind: 'refolded', to: refolded.record })
    }
    const differences = runs
      .flatMap((each) => each.refolded.differences.map((difference) => ({ ...each, difference })))
      .sort((a, b) => a.difference.firedMs - b.difference.firedMs || a.place.record.position - b.place.record.position)
    const events: AlertEvent[] = []
    for (const { place, run, difference } of differences) {
      const eventId = difference.kind === 'late' ? '' : difference.eventId
      const about = inbox.recent(eventId) ?? known.get(eventId)
      events.push(...this.apply(place, { kind: 'difference', run, difference, due, about }).events)
    }
    // After the differences: late firings have their event ids only now.
    for (const { run, refolded } of runs) if (records.refolded(run, refolded)) isToBeStored = true
    // A difference changes a count even if it has no event of its own.
    const hasAny = differences.length > 0
    return { events, hasChanged: hasChanged || hasAny, isToBeStored: isToBeStored || hasAny }
  }

  /** Records a gap that cannot be filled: one event for an outage, however many indices are affected. */
  noteNoData(id: IndexId, { fromMs, toMs }: TimeRange): EvaluationResult {
    const { rules, inbox } = this.#options
    const concerned = rules.foldedOf(id).filter(({ record: { run, state } }) => {
      return !state.isDone && (run.fromMs ?? Infinity) < toMs && !isAfterEnd(run.rule, fromMs)
    })
    const [first] = concerned
    if (first === undefined) return noResult
    const sinceMs = Math.max(fromMs, Math.min(...concerned.map(({ record: { run } }) => run.fromMs ?? 0)))
    const isOfSame = ({ unknown }: AlertEvent) => {
      return unknown !== undefined && unknown.fromMs <= toMs && sinceMs <= unknown.toMs
    }
    const same = inbox.newestFirst().find(isOfSame)
    const { unknown } = same ?? {}
    const all = {
      fromMs: Math.min(unknown?.fromMs ?? Infinity, sinceMs),
      toMs: Math.max(unknown?.toMs ?? 0, toMs),
      indexIds: [...new Set([...(unknown?.indexIds ?? []), id])],
    }
    if (same === undefined) {
      const event = this.now().eventOf(first.record.run.rule, 'notKnown', {})
      return this.#recorded({ ...event, unknown: all, delivery: 'none' })
    }
    inbox.replace({ ...same, unknown: all })
    return changed
  }

  /** Records an event that others decided, unless it was judged here meanwhile. This user's snoozes may suppress its notification. */
  receive(event: AlertEvent): AlertEvent[] {
    const { inbox, clock } = this.#options
    if (inbox.recent(event.id) !== undefined) return []
    const asRule = { ...event, id: event.ruleId, version: event.ruleVersion, createdAtMs: event.recordedAtMs }
    const snoozed = snoozeReason(this.#snoozes, { ...asRule, repeat: { mode: 'once' } }, clock.wallMs())
    const isHeld = event.delivery === 'pending' && snoozed !== undefined
    return [inbox.append(isHeld ? { ...event, delivery: 'heldBack', heldBackBy: snoozed } : event)]
  }

  /** Applies `reduce` to a rule. Replaces its record and collects the changes for the next commit. */
  apply(place: Place, input: Input): EvaluationResult {
    const { records, inbox } = this.#options
    const { record: before } = place
    const { record, events, checkpoint, firings } = reduce(before, input, this.now())
    this.set(place, record)
    if (checkpoint !== undefined) records.checkpoint(record.run, checkpoint)
    for (const firing of firings) records.firing(record.run, firing)
    const recorded = events.flatMap(({ event, isRecorded }) => {
      // A watcher of the desk was first.
      if (event.desk !== undefined && inbox.recent(event.id) !== undefined) return []
      if (isRecorded) return inbox.append(event)
      inbox.count(event)
      return []
    })
    const isOther = recorded.length > 0 || record.policy !== before.policy
    return {
      events: recorded,
      hasChanged: isOther || (record.state !== before.state && !isHoldProgress(before.state, record.state)),
      isToBeStored: isOther || checkpoint !== undefined || record.run !== before.run,
    }
  }

  set(place: Place, record: RuleRecord): void {
    const { records, rules, agenda } = this.#options
    const { run, policy } = place.record
    rules.set(place, record)
    if (record.run !== run) records.run(record.run)
    if (record.policy === policy) return
    records.policy(run.rule.id, record.policy)
    agenda.outdate()
  }

  now(): Now {
    const { clock, newId, originOf, inbox, dayOf = utcDay } = this.#options
    const nowMs = clock.wallMs()
    return {
      nowMs,
      snoozes: this.#snoozes,
      dayOf,
      eventOf: (rule, kind, inputs, about) => {
        const event: AlertEvent = {
          id: newId(),
          number: inbox.lastNumber + 1,
          kind,
          ruleId: rule.id,
          ruleVersion: rule.version,
          indexId: rule.indexId,
          ...originOf(rule.indexId),
          terms: rule.terms,
          hours: rule.hours,
          severity: rule.severity,
          note: rule.note,
          recordedAtMs: nowMs,
          inputs,
          delivery: 'pending',
          isRead: false,
        }
        return isStandIn(rule.id) ? asDeskEvent(event, about) : event
      },
    }
  }

  /** Records that another connection supplies the index: one event, however many rules are affected. */
  *#noteSource(places: readonly Place[], source: Source): Generator<EvaluationResult> {
    const concerned = places.find(({ record: { state, run } }) => {
      return isOfOther(source, state) && !dependsOn(run.rule.terms, 'silence')
    })
    const from = concerned?.record.state.source
    if (concerned === undefined || from === undefined) return
    const { rule } = concerned.record.run
    const isReported = this.#sources.get(rule.indexId) === source.id
    this.#sources.set(rule.indexId, source.id)
    if (isReported) return
    const sources = { from: from.name, to: source.name }
    const event = this.now().eventOf(rule, 'sourceChanged', {})
    yield this.#recorded({ ...event, sources, delivery: 'none', isRead: true })
  }

  /** Records an event that no rule produced. */
  #recorded(event: AlertEvent): EvaluationResult {
    return { events: [this.#options.inbox.append(event)], hasChanged: true, isToBeStored: true }
  }
}

/** A mute concerns all rules, but must be stored on one. */
function ofMute(event: AlertEvent): AlertEvent {
  return { ...event, severity: 'info', isMute: true, note: undefined, hours: undefined, connection: undefined }
}
