import * as v from 'valibot'
import { eventSchema } from '../../protocol/alert-schema'
import type { AlertEvent } from '../../protocol/alert-events'
import type { AlertRule } from '../../protocol/alerts'

/** The quiet time of one rule after a notice (alerts, 6). It is the rule's own and never that of its index. */
export interface CooldownMarks {
  cooldown?: { untilMs: number; heldBack: number }
  /** The last event the present cooldown has held back. */
  lastHeldBack?: AlertEvent
}

export const cooldownEntries = {
  cooldown: v.exactOptional(v.object({ untilMs: v.number(), heldBack: v.number() })),
  lastHeldBack: v.exactOptional(eventSchema),
}

/** A notice has been told: if the rule has a cooldown, it begins. */
export function beginCooldown<T extends CooldownMarks>(marks: T, rule: AlertRule, nowMs: number): T {
  if (rule.cooldownMs === undefined) return marks
  return { ...marks, cooldown: { untilMs: nowMs + rule.cooldownMs, heldBack: 0 } }
}

/** A notice is held back by the present cooldown, and counted. */
export function countHeldBack<T extends CooldownMarks>(marks: T, event: AlertEvent): T {
  if (marks.cooldown === undefined) return marks
  const { untilMs, heldBack } = marks.cooldown
  return { ...marks, cooldown: { untilMs, heldBack: heldBack + 1 }, lastHeldBack: event }
}

/**
 * When the present cooldown ends. Where that is further ahead than a whole cooldown, the wall clock was set back: then
 * it takes one cooldown from now.
 */
export function cooldownEndMs({ cooldown }: CooldownMarks, rule: AlertRule, nowMs: number): number | undefined {
  return cooldown === undefined ? undefined : Math.min(cooldown.untilMs, nowMs + (rule.cooldownMs ?? 0))
}
