import type { AlertEvent, AlertEventKind, AlertInputs, Delivery } from '../../protocol/alert-events'
import type { AlertRule, AlertView, HoldBackReason, SnoozeScope } from '../../protocol/alerts'
import type { Publication, Resolution } from '../../protocol/model'
import { arrayEqual } from '../base/array-equal'
import type { Clock } from '../base/clock'
import { ActiveRule, type Amendment } from './active-rule'
import { ActiveRules, RuleViews } from './active-rules'
import type { AlertRecord } from './alert-document'
import { stepsToStore } from './fired-step'
import { Inbox, type TailSize } from './inbox'
import { hasExpired, withoutEnd } from './policy/expiry'
import { NotificationPolicy, type PolicyEvent } from './policy/notification-policy'
import { covers } from './policy/snoozes'
import type { Observation } from './rules/observation'
import { initialState, isHoldGoingOn, phaseOf } from './rules/state'
import { Trace } from './trace'

/** What came of something: the events, in order, and whether anything is to be stored. */
export interface Judgement {
  events: AlertEvent[]
  /** To be stored at once. */
  hasChanged: boolean
  /** Holds went on: to be stored soon, since a restart may take them up from a little earlier. */
  hasProgressed?: boolean
}

interface AlertStateOptions {
  clock: Clock
  newId: () => string
  tailSize?: TailSize
  dayOf?: (ms: number) => string
  record?: AlertRecord
  /** Of the archive, oldest first. */
  archived?: readonly AlertEvent[]
}

const amendmentWords: Record<Amendment['kind'], string> = {
  retracted: 'Amended: it did not fire after all.',
  confirmed: 'Amended: it is still true that it fired.',
  lateByAmendment: 'Amended: it fired, late.',
}

/** All that is kept in one file: the rules, what the notification policy remembers of them, and the inbox. */
export class AlertState {
  readonly rules = new ActiveRules()
  readonly policy: NotificationPolicy
  readonly inbox: Inbox
  readonly #trace = new Trace()
  readonly #views = new RuleViews()
  readonly #clock: Clock
  readonly #newId: () => string
  readonly #setAside: readonly unknown[]

  constructor({ clock, newId, tailSize, dayOf, record, archived = [] }: AlertStateOptions) {
    this.policy = new NotificationPolicy(dayOf === undefined ? {} : { dayOf })
    this.#clock = clock
    this.#newId = newId
    this.#setAside = record?.setAside ?? []
    for (const rule of record?.rules ?? []) {
      const state = record?.states.get(rule.id) ?? initialState('wait')
      this.rules.put(new ActiveRule(rule, state, record?.fired.get(rule.id)))
    }
    if (record !== undefined) this.policy.restore(record.policy)
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
    const all = this.rules.all()
    return {
      rules: all.map(({ rule }) => rule),
      states: new Map(all.map(({ rule, state }) => [rule.id, state])),
      fired: stepsToStore(new Map(all.map(({ rule, fired }) => [rule.id, fired]))),
      policy: this.policy.record(),
      inbox: this.inbox.tail(),
      readThrough: this.inbox.readThrough,
      setAside: this.#setAside,
    }
  }

  /** The rule begins again, in the place of the one with its id. */
  begin(active: ActiveRule): void {
    this.#trace.forget(active.rule.id)
    this.rules.put(active)
    this.policy.renew(active.rule)
  }

  remove(ruleId: string): void {
    this.#trace.forget(ruleId)
    this.rules.remove(ruleId)
    this.policy.forget(ruleId)
  }

  view(active: ActiveRule): AlertView {
    return this.#views.of(active, this.policy.of(active.rule.id), this.#trace.measureOf(active.rule.id))
  }

  /** Newest first. */
  explain(ruleId: string) {
    return this.#trace.of(ruleId)
  }

  /** Shows rules what was learned. One that has expired is skipped. */
  see(rules: readonly ActiveRule[], seen: Observation): Judgement {
    return this.#judge(
      rules.filter(({ rule }) => !this.#hasExpired(rule)),
      (active) => this.#see(active, seen),
    )
  }

  /** A value published before was amended (alerts, 12). What has expired fires no more, but may still be undone. */
  amend(rules: readonly ActiveRule[], publication: Publication, cadence: Resolution | undefined): Judgement {
    const before = rules.map(({ fired }) => fired)
    const { events, hasChanged, hasProgressed } = this.#judge(rules, (active) => {
      const isOver = this.#hasExpired(active.rule)
      const phaseBefore = phaseOf(active.state)
      const events = active.amend(publication).flatMap((amendment) => {
        this.#traceAmendment(active, phaseBefore, publication, amendment.kind)
        return isOver && amendment.kind === 'lateByAmendment' ? [] : this.#recordAmendment(active, amendment)
      })
      if (isOver || active.rule.terms.condition !== 'amended') return events
      const seen = { kind: 'value', publication, ...(cadence !== undefined && { cadence }) } as const
      return [...events, ...this.#see(active, seen)]
    })
    const haveFiringsChanged = rules.some(({ fired }, at) => !arrayEqual(fired, before[at] ?? []))
    // A hold may have become shorter, and a restart would take up what was taken back.
    return { events, hasChanged: hasChanged || hasProgressed || haveFiringsChanged }
  }

  /** What time has brought about: cooldowns and snoozes that end, rules that expire. */
  due(): Judgement {
    const { events, hasChanged } = this.policy.due(this.#rulesWithEnd(), this.#clock.wallMs())
    return { events: this.#recordPolicyEvents(events), hasChanged: hasChanged || events.length > 0 }
  }

  /** The next wall time at which `due` is to be asked. */
  nextDueMs(): number | undefined {
    return this.policy.nextDueMs(this.#rulesWithEnd(), this.#clock.wallMs())
  }

  /** Recorded as one event for each rule, or for each index where all rules of it are meant. */
  snooze(scope: SnoozeScope, untilMs: number | null): Judgement {
    this.policy.snooze(scope, untilMs)
    const concerned = this.rules.all().filter(({ rule, state }) => covers(scope, rule) && !state.isDone)
    const isByIndex = scope.of === 'index' || scope.of === 'all'
    const named = new Map(concerned.toReversed().map(({ rule }) => [isByIndex ? rule.indexId : rule.id, rule]))
    const events = [...named.values()].toReversed().map((rule) => {
      return this.#record(rule, 'snoozed', {}, { untilMs, delivery: 'none', isRead: true })
    })
    return { events, hasChanged: true }
  }

  #judge(rules: readonly ActiveRule[], judge: (active: ActiveRule) => AlertEvent[]): Required<Judgement> {
    let hasChanged = false
    let hasProgressed = false
    const events: AlertEvent[] = []
    for (const active of rules) {
      const { state } = active
      const came = judge(active)
      const isGoingOn = active.state !== state && isHoldGoingOn(state, active.state)
      hasProgressed ||= isGoingOn
      hasChanged ||= came.length > 0 || (active.state !== state && !isGoingOn)
      events.push(...came)
    }
    return { events, hasChanged, hasProgressed }
  }

  #see(active: ActiveRule, seen: Observation): AlertEvent[] {
    const { rule } = active
    const phaseBefore = phaseOf(active.state)
    const { firings, recovered, measure, words } = active.see(seen, this.rules.reach)
    const publication = 'publication' in seen ? seen.publication : undefined
    const value = measure ?? (publication !== undefined && 'value' in publication ? publication.value : undefined)
    this.#trace.note(
      rule.id,
      {
        atMs: this.#clock.wallMs(),
        ...(publication !== undefined && { publishedAtMs: publication.publishedAtMs }),
        ...(value !== undefined && { value }),
        phaseBefore,
        phaseAfter: phaseOf(active.state),
        hasFired: firings.length > 0,
        words,
      },
      measure,
    )
    const events = firings.flatMap((inputs) => this.#fire(active, 'fired', inputs))
    return recovered === undefined ? events : [...events, ...this.#decide(rule, 'recovered', recovered).events]
  }

  #traceAmendment(
    { rule, state }: ActiveRule,
    phaseBefore: AlertView['phase'],
    { value, publishedAtMs }: Publication,
    kind: Amendment['kind'],
  ): void {
    const evaluation = {
      atMs: this.#clock.wallMs(),
      publishedAtMs,
      value,
      phaseBefore,
      phaseAfter: phaseOf(state),
      hasFired: kind === 'lateByAmendment',
      words: amendmentWords[kind],
    }
    this.#trace.note(rule.id, evaluation, undefined)
  }

  #recordAmendment(active: ActiveRule, amendment: Amendment): AlertEvent[] {
    const { kind, inputs } = amendment
    if (kind === 'lateByAmendment') return this.#fire(active, kind, inputs)
    const { eventId: aboutEventId } = amendment
    const about = this.inbox.get(aboutEventId)
    // What fired may be of a version before.
    const of = about === undefined ? {} : { aboutEventId, terms: about.terms, ruleVersion: about.ruleVersion }
    const isToNotify = kind === 'retracted' && wasDelivered(about)
    if (isToNotify) return this.#decide(active.rule, kind, inputs, of).events
    return [this.#record(active.rule, kind, inputs, { aboutEventId, ...of, delivery: 'none' })]
  }

  /** The firing and what it brings about. */
  #fire(active: ActiveRule, kind: 'fired' | 'lateByAmendment', inputs: AlertInputs): AlertEvent[] {
    const { event, events } = this.#decide(active.rule, kind, inputs)
    const isRecorded = events.includes(event)
    if (isRecorded && inputs.publishedAtMs !== undefined) active.noteEvent(event.id, inputs.publishedAtMs)
    return events
  }

  /** Records it, to be notified unless the policy holds it back. The end of a cooldown comes before it, a suspension after. */
  #decide(rule: AlertRule, kind: AlertEventKind, inputs: AlertInputs, more: Partial<AlertEvent> = {}) {
    const judged = { ...this.#make(rule, kind, inputs), ...more }
    const { heldBackBy, events } = this.policy.decide(rule, judged, this.#clock.wallMs())
    const before = this.#recordPolicyEvents(events.filter((each) => each.kind !== 'suspended'))
    const event: AlertEvent = { ...judged, number: this.inbox.nextNumber, ...deliveryOf(heldBackBy) }
    const isRecorded = heldBackBy === undefined || this.policy.records(event, event.recordedAtMs)
    if (isRecorded) this.inbox.append(event)
    const after = this.#recordPolicyEvents(events.filter((each) => each.kind === 'suspended'))
    return { event, events: [...before, ...(isRecorded ? [event] : []), ...after] }
  }

  #recordPolicyEvents(events: readonly PolicyEvent[]): AlertEvent[] {
    return events.flatMap(({ ruleId, kind, heldBackCount = 0, last, reason, heldBackBy }) => {
      const rule = this.rules.get(ruleId)?.rule
      if (rule === undefined) return []
      const more = {
        ...(heldBackCount > 0 && { heldBackCount }),
        ...(reason !== undefined && { reason }),
        ...(kind === 'expiresSoon' && rule.expiresAt !== undefined && { untilMs: rule.expiresAt.atMs }),
      }
      return [this.#record(rule, kind, last?.inputs ?? {}, { ...more, ...deliveryOf(heldBackBy) })]
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
    return this.rules.all().map(({ rule, state }) => (state.isDone ? withoutEnd(rule) : rule))
  }

  #hasExpired(rule: AlertRule): boolean {
    return hasExpired(rule, this.policy.of(rule.id), this.#clock.wallMs())
  }
}

/** A pending notification may have been seen before the app ended: nobody knows. It does not fire again. */
function afterRestart(event: AlertEvent): AlertEvent {
  return event.delivery === 'pending' ? { ...event, delivery: 'unknown' } : event
}

/** How an event begins: to be notified, or held back. */
function deliveryOf(heldBackBy: HoldBackReason | undefined): Pick<AlertEvent, 'delivery' | 'heldBackBy'> {
  return heldBackBy === undefined ? { delivery: 'pending' } : { delivery: 'heldBack', heldBackBy }
}

/** Where the desktop shows nothing, the window does. */
const deliveredStates: ReadonlySet<Delivery> = new Set(['pending', 'shown', 'clicked', 'unknown', 'inDigest', 'failed'])

/** Whether the user may have seen the notification. */
function wasDelivered(event: AlertEvent | undefined): boolean {
  return event !== undefined && deliveredStates.has(event.delivery)
}
