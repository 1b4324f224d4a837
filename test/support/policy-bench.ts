import {
  comeDue,
  decide,
  nextDueMs,
  readPolicy,
  renewed,
  utcDay,
  type RulePolicyState,
} from '../../main/alerts/policy/notification-policy'
import { running, withoutSnooze, withSnooze } from '../../core/snoozes'
import type { AlertEvent } from '../../core/alert-events'
import type { AlertRule, AlertSnooze, SnoozeScope } from '../../core/alerts'
import { firedEvent, levelDraft } from './sample-alerts'

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour
export const startMs = Date.UTC(2023, 10, 1, 12)

/** A rule on BRTI, created at the start, that fires at every crossing. */
export function policyRule(more: Partial<AlertRule> = {}): AlertRule {
  return {
    ...levelDraft('100'),
    repeat: { mode: 'everyCrossing' },
    id: 'r0',
    version: 1,
    createdAtMs: startMs,
    ...more,
  }
}

let lastNumber = 0

/** An event of the rule as the engine passes it to the policy. */
export function eventOf(rule: AlertRule, more: Partial<AlertEvent> = {}): AlertEvent {
  return firedEvent(++lastNumber, rule, { ruleId: rule.id, delivery: 'pending', ...more })
}

/** The policy of several rules, stored with each rule and queried as in the engine. */
export class PolicyBench {
  readonly #states = new Map<string, RulePolicyState>()
  readonly #dayOf: (ms: number) => string
  snoozes: AlertSnooze[] = []

  constructor({ dayOf = utcDay }: { dayOf?: (ms: number) => string } = {}) {
    this.#dayOf = dayOf
  }

  of(ruleId: string): RulePolicyState {
    return this.#states.get(ruleId) ?? {}
  }

  decide(rule: AlertRule, event: AlertEvent, nowMs: number) {
    const { policy, ...verdict } = decide(rule, this.of(rule.id), event, this.#now(nowMs))
    this.#states.set(rule.id, policy)
    return verdict
  }

  /** Runs everything due for the snoozes and these alerts. */
  due(rules: readonly AlertRule[], nowMs: number) {
    const { snoozes } = this
    this.snoozes = running(snoozes, nowMs)
    let hasChanged = this.snoozes !== snoozes
    const events = rules.flatMap((rule) => {
      const before = this.of(rule.id)
      const { policy, events: news } = comeDue(rule, before, this.#now(nowMs))
      this.#states.set(rule.id, policy)
      hasChanged ||= policy !== before
      return news
    })
    return { events, hasChanged }
  }

  /** The next due time of these rules. `Infinity` if there is none. */
  nextMs(rules: readonly AlertRule[], nowMs: number): number {
    return Math.min(Infinity, ...rules.map((rule) => nextDueMs(rule, this.of(rule.id), nowMs)))
  }

  renew(rule: AlertRule): void {
    this.#states.set(rule.id, renewed(this.of(rule.id)))
  }

  snooze(scope: SnoozeScope, untilMs: number | null): void {
    this.snoozes = withSnooze(this.snoozes, { scope, untilMs })
  }

  endSnooze(scope: SnoozeScope): void {
    this.snoozes = withoutSnooze(this.snoozes, scope)
  }

  /** The state after a restart of the app, read back from the stored text. */
  restarted(): PolicyBench {
    const next = new PolicyBench({ dayOf: this.#dayOf })
    for (const [ruleId, state] of this.#states) {
      next.#states.set(ruleId, readPolicy(JSON.parse(JSON.stringify(state))) ?? {})
    }
    next.snoozes = this.snoozes
    return next
  }

  #now(nowMs: number) {
    return { nowMs, snoozes: this.snoozes, dayOf: this.#dayOf }
  }
}
