import type { AlertEvent, AlertEventKind, AlertInputs } from '../../protocol/alert-events'
import type { AlertRule, AlertView, SnoozeScope } from '../../protocol/alerts'
import type { Publication, Resolution } from '../../protocol/model'
import type { Clock } from '../base/clock'
import { isSameList } from '../base/same-list'
import type { AlertRecord } from './alert-document'
import { afterRestart, hasBeenTold, tellingOf } from './event-delivery'
import { withoutEnd } from './expiry'
import { stepsToStore } from './fired-step'
import { HeldBackAllowance } from './held-back-allowance'
import { Inbox, type TailSize } from './inbox'
import { Quieting, type QuietNews } from './quieting'
import { RuleRun, type Correction } from './rule-run'
import { isExpired, RuleViews } from './rule-view'
import type { Observation } from './rules/observation'
import { initialState, isHoldGoingOn, phaseOf } from './rules/state'
import { Runs } from './runs'
import { covers } from './snoozing'
import { Trace } from './trace'

/** What came of something: what is to be told or shown, in order, and what is to be stored. */
export interface Judgement {
  events: AlertEvent[]
  /** To be stored at once. */
  hasChanged: boolean
  /** Holds went on: to be stored soon, since a restart may take them up from a little earlier. */
  hasProgressed?: boolean
}

interface BookOptions {
  clock: Clock
  newId: () => string
  tailSize?: TailSize
  dayOf?: (ms: number) => string
  record?: AlertRecord
  /** Of the archive, oldest first. */
  archived?: readonly AlertEvent[]
}

const correctionWords: Record<Correction['kind'], string> = {
  retracted: 'Amended: it did not fire after all.',
  confirmed: 'Amended: it is still true that it fired.',
  lateByAmendment: 'Amended: it fired, late.',
}

/** All that is kept in one file: rules at work, what keeps them quiet, and the inbox that tells of them. */
export class AlertBook {
  readonly runs = new Runs()
  readonly quieting: Quieting
  readonly inbox: Inbox
  readonly #trace = new Trace()
  readonly #views = new RuleViews()
  readonly #clock: Clock
  readonly #allowance = new HeldBackAllowance()
  readonly #newId: () => string
  readonly #setAside: readonly unknown[]

  constructor({ clock, newId, tailSize, dayOf, record, archived = [] }: BookOptions) {
    this.quieting = new Quieting(dayOf === undefined ? {} : { dayOf })
    this.#clock = clock
    this.#newId = newId
    this.#setAside = record?.setAside ?? []
    for (const rule of record?.rules ?? []) {
      const state = record?.states.get(rule.id) ?? initialState('wait')
      this.runs.put(new RuleRun(rule, state, record?.fired.get(rule.id)))
    }
    if (record !== undefined) this.quieting.restore(record.quiet)
    this.inbox = new Inbox(
      {
        tail: (record?.inbox ?? []).map(afterRestart),
        archived: archived.map(afterRestart),
        ...(record?.readThrough !== undefined && { readThrough: record.readThrough }),
      },
      tailSize,
    )
  }

  record(): AlertRecord {
    const all = this.runs.all()
    return {
      rules: all.map(({ rule }) => rule),
      states: new Map(all.map(({ rule, state }) => [rule.id, state])),
      fired: stepsToStore(new Map(all.map(({ rule, fired }) => [rule.id, fired]))),
      quiet: this.quieting.record(),
      inbox: this.inbox.tail(),
      readThrough: this.inbox.readThrough,
      setAside: this.#setAside,
    }
  }

  /** The rule begins anew, in the place of the one with its id. */
  begin(run: RuleRun): void {
    this.#trace.forget(run.rule.id)
    this.runs.put(run)
    this.quieting.renew(run.rule)
  }

  remove(ruleId: string): void {
    this.#trace.forget(ruleId)
    this.runs.remove(ruleId)
    this.quieting.forget(ruleId)
    this.#allowance.forget(ruleId)
  }

  view(run: RuleRun): AlertView {
    return this.#views.of(run, this.quieting.of(run.rule.id), this.#trace.measureOf(run.rule.id))
  }

  /** Newest first. */
  explain(ruleId: string) {
    return this.#trace.of(ruleId)
  }

  /** Shows rules what was learned. One that has expired is passed over. */
  see(runs: readonly RuleRun[], seen: Observation): Judgement {
    return this.#judge(
      runs.filter((run) => !this.#isExpired(run.rule)),
      (run) => this.#see(run, seen),
    )
  }

  /** A value published before was amended (alerts, 12). What has expired fires no more, but may still be undone. */
  amend(runs: readonly RuleRun[], publication: Publication, cadence: Resolution | undefined): Judgement {
    const before = runs.map(({ fired }) => fired)
    const { events, hasChanged, hasProgressed } = this.#judge(runs, (run) => {
      const isOver = this.#isExpired(run.rule)
      const phaseBefore = phaseOf(run.state)
      const events = run.amend(publication).flatMap((correction) => {
        this.#traceAmendment(run, phaseBefore, publication, correction.kind)
        return isOver && correction.kind === 'lateByAmendment' ? [] : this.#correct(run, correction)
      })
      if (isOver || run.rule.terms.condition !== 'amended') return events
      const seen = { kind: 'value', publication, ...(cadence !== undefined && { cadence }) } as const
      return [...events, ...this.#see(run, seen)]
    })
    const isFiredAnew = runs.some(({ fired }, at) => !isSameList(fired, before[at] ?? []))
    // A hold may have become shorter, and a restart would take up what was taken back.
    return { events, hasChanged: hasChanged || hasProgressed || isFiredAnew }
  }

  /** What time has brought about: cooldowns and snoozes that end, rules that expire. */
  due(): Judgement {
    const { news, hasChanged } = this.quieting.due(this.#rulesWithEnd(), this.#clock.wallMs())
    return { events: this.#newsEvents(news), hasChanged: hasChanged || news.length > 0 }
  }

  /** The next wall time at which `due` is to be asked. */
  nextDueMs(): number | undefined {
    return this.quieting.nextDueMs(this.#rulesWithEnd(), this.#clock.wallMs())
  }

  /** Told by one event for each rule, or for each index where all rules of it are meant. */
  snooze(scope: SnoozeScope, untilMs: number | null): Judgement {
    this.quieting.snooze(scope, untilMs)
    const concerned = this.runs.all().filter(({ rule, state }) => covers(scope, rule) && !state.isDone)
    const isByIndex = scope.of === 'index' || scope.of === 'all'
    const told = new Map(concerned.toReversed().map(({ rule }) => [isByIndex ? rule.indexId : rule.id, rule]))
    const events = [...told.values()].toReversed().map((rule) => {
      return this.#record(rule, 'snoozed', {}, { untilMs, delivery: 'none', isRead: true })
    })
    return { events, hasChanged: true }
  }

  #judge(runs: readonly RuleRun[], judge: (run: RuleRun) => AlertEvent[]): Required<Judgement> {
    let hasChanged = false
    let hasProgressed = false
    const events: AlertEvent[] = []
    for (const run of runs) {
      const { state } = run
      const came = judge(run)
      const isGoingOn = run.state !== state && isHoldGoingOn(state, run.state)
      hasProgressed ||= isGoingOn
      hasChanged ||= came.length > 0 || (run.state !== state && !isGoingOn)
      events.push(...came)
    }
    return { events, hasChanged, hasProgressed }
  }

  #see(run: RuleRun, seen: Observation): AlertEvent[] {
    const { rule } = run
    const phaseBefore = phaseOf(run.state)
    const { firings, recovered, measure, words } = run.see(seen, this.runs.reach)
    const publication = 'publication' in seen ? seen.publication : undefined
    const value = measure ?? (publication !== undefined && 'value' in publication ? publication.value : undefined)
    this.#trace.note(
      rule.id,
      {
        atMs: this.#clock.wallMs(),
        ...(publication !== undefined && { publishedAtMs: publication.publishedAtMs }),
        ...(value !== undefined && { value }),
        phaseBefore,
        phaseAfter: phaseOf(run.state),
        hasFired: firings.length > 0,
        words,
      },
      measure,
    )
    const events = firings.flatMap((inputs) => this.#fire(run, 'fired', inputs))
    return recovered === undefined ? events : [...events, ...this.#tell(rule, 'recovered', recovered).events]
  }

  #traceAmendment(
    { rule, state }: RuleRun,
    phaseBefore: AlertView['phase'],
    { value, publishedAtMs }: Publication,
    kind: Correction['kind'],
  ): void {
    const evaluation = {
      atMs: this.#clock.wallMs(),
      publishedAtMs,
      value,
      phaseBefore,
      phaseAfter: phaseOf(state),
      hasFired: kind === 'lateByAmendment',
      words: correctionWords[kind],
    }
    this.#trace.note(rule.id, evaluation, undefined)
  }

  #correct(run: RuleRun, correction: Correction): AlertEvent[] {
    const { kind, inputs } = correction
    if (kind === 'lateByAmendment') return this.#fire(run, kind, inputs)
    const { eventId: aboutEventId } = correction
    const about = this.inbox.get(aboutEventId)
    // What fired may be of a version before.
    const of = about === undefined ? {} : { aboutEventId, terms: about.terms, ruleVersion: about.ruleVersion }
    const isToldOf = kind === 'retracted' && hasBeenTold(about)
    if (isToldOf) return this.#tell(run.rule, kind, inputs, of).events
    return [this.#record(run.rule, kind, inputs, { aboutEventId, ...of, delivery: 'none' })]
  }

  /** The firing and what it brings about. */
  #fire(run: RuleRun, kind: 'fired' | 'lateByAmendment', inputs: AlertInputs): AlertEvent[] {
    const { event, events } = this.#tell(run.rule, kind, inputs)
    const isRecorded = events.includes(event)
    if (isRecorded && inputs.publishedAtMs !== undefined) run.noteEvent(event.id, inputs.publishedAtMs)
    return events
  }

  /** Has it told unless it is to be held back. A cooldown that is over comes before it, a suspension after it. */
  #tell(rule: AlertRule, kind: AlertEventKind, inputs: AlertInputs, more: Partial<AlertEvent> = {}) {
    const judged = { ...this.#make(rule, kind, inputs), ...more }
    const { heldBackBy, news } = this.quieting.judge(rule, judged, this.#clock.wallMs())
    const before = this.#newsEvents(news.filter((each) => each.kind !== 'suspended'))
    const event: AlertEvent = { ...judged, number: this.inbox.nextNumber, ...tellingOf(heldBackBy) }
    const isBounded = kind === 'fired' && heldBackBy !== undefined
    const isRecorded = !isBounded || this.#allowance.takes(rule.id, event.recordedAtMs)
    if (isRecorded) this.inbox.append(event)
    const after = this.#newsEvents(news.filter((each) => each.kind === 'suspended'))
    return { event, events: [...before, ...(isRecorded ? [event] : []), ...after] }
  }

  #newsEvents(news: readonly QuietNews[]): AlertEvent[] {
    return news.flatMap(({ ruleId, kind, heldBackCount = 0, last, reason, heldBackBy }) => {
      const rule = this.runs.get(ruleId)?.rule
      if (rule === undefined) return []
      const more = {
        ...(heldBackCount > 0 && { heldBackCount }),
        ...(reason !== undefined && { reason }),
        ...(kind === 'expiresSoon' && rule.expiresAt !== undefined && { untilMs: rule.expiresAt.atMs }),
      }
      return [this.#record(rule, kind, last?.inputs ?? {}, { ...more, ...tellingOf(heldBackBy) })]
    })
  }

  #record(rule: AlertRule, kind: AlertEventKind, inputs: AlertInputs, more: Partial<AlertEvent>): AlertEvent {
    const event = { ...this.#make(rule, kind, inputs), ...more }
    this.inbox.append(event)
    return event
  }

  #make(rule: AlertRule, kind: AlertEventKind, inputs: AlertInputs): AlertEvent {
    return {
      id: this.#newId(),
      number: this.inbox.nextNumber,
      kind,
      ruleId: rule.id,
      ruleVersion: rule.version,
      indexId: rule.indexId,
      terms: rule.terms,
      severity: rule.severity,
      ...(rule.note !== undefined && { note: rule.note }),
      recordedAtMs: this.#clock.wallMs(),
      inputs,
      delivery: 'pending',
      isRead: false,
    }
  }

  /** A rule that is done has no end to come: it is over already. */
  #rulesWithEnd(): AlertRule[] {
    return this.runs.all().map(({ rule, state }) => (state.isDone ? withoutEnd(rule) : rule))
  }

  #isExpired(rule: AlertRule): boolean {
    return isExpired(rule, this.quieting.of(rule.id), this.#clock.wallMs())
  }
}
