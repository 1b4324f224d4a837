import * as v from 'valibot'
import { snoozeSchema } from '../../protocol/alert-schema'
import type { AlertEvent, AlertEventKind } from '../../protocol/alert-events'
import type { AlertRule, AlertSnooze, HoldBackReason, SnoozeScope } from '../../protocol/alerts'

/** What quieting remembers of a rule over restarts. */
export interface RuleQuiet {
  cooldown?: { untilMs: number; heldBack: number }
  /** Why, in plain words: it fired too often and waits for the user. */
  suspension?: string
  isExpired?: true
}

export interface QuietRecord {
  snoozes: AlertSnooze[]
  /** By rule id; rules that need none are missing. */
  rules: Record<string, RuleQuiet>
}

export const quietRecordSchema: v.GenericSchema<unknown, QuietRecord> = v.object({
  snoozes: v.array(snoozeSchema),
  rules: v.record(
    v.string(),
    v.object({
      cooldown: v.exactOptional(v.object({ untilMs: v.number(), heldBack: v.number() })),
      suspension: v.exactOptional(v.string()),
      isExpired: v.exactOptional(v.literal(true)),
    }),
  ),
})

/** Something that time or a judgement brings about, to be recorded as an event. */
export interface QuietNews {
  ruleId: string
  kind: Extract<AlertEventKind, 'cooldownOver' | 'expiresSoon' | 'expired' | 'suspended'>
  heldBackCount?: number
  /** Of `cooldownOver`: the last firing held back. */
  last?: AlertEvent
  reason?: string
}

/** How a firing is told: at once, or not and why; and what else it brings about. */
export interface QuietVerdict {
  heldBackBy?: HoldBackReason
  news: QuietNews[]
}

/**
 * Decides which firings are told. It mutes notices, never evaluations (alerts, 5 to 7, 13, 14): cooldown, daily limit,
 * snoozes, expiry and the suspension of a rule that fires too often. Wall times are handed in.
 */
export class Quieting {
  #snoozes: AlertSnooze[] = []

  /** Takes up what an earlier run kept. */
  restore(record: QuietRecord): void {
    this.#snoozes = record.snoozes
  }

  record(): QuietRecord {
    return { snoozes: this.#snoozes, rules: {} }
  }

  of(_ruleId: string): RuleQuiet {
    return {}
  }

  judge(_rule: AlertRule, _event: AlertEvent, _nowMs: number): QuietVerdict {
    return { news: [] }
  }

  snoozes(): AlertSnooze[] {
    return this.#snoozes
  }

  snooze(scope: SnoozeScope, untilMs: number | null): void {
    this.#snoozes = [...this.#snoozes, { scope, untilMs }]
  }

  endSnooze(_scope: SnoozeScope): void {
    this.#snoozes = []
  }

  /** The rule was made, edited or armed anew: it is quiet no more. */
  renew(_rule: AlertRule): void {
    this.#snoozes = [...this.#snoozes]
  }

  forget(_ruleId: string): void {
    this.#snoozes = [...this.#snoozes]
  }

  /** What has come due: cooldowns and snoozes that end, rules that expire. */
  due(_rules: readonly AlertRule[], _nowMs: number): { news: QuietNews[]; hasChanged: boolean } {
    return { news: [], hasChanged: false }
  }

  /** The next time anything comes due. */
  nextDueMs(_rules: readonly AlertRule[], _nowMs: number): number | undefined {
    return undefined
  }
}
