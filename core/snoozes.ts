import type { AlertRule, AlertSnooze, HoldBackReason, SnoozeScope } from './alerts'
import { isSame } from './same'

/** Whether a snooze of this scope applies to this rule. */
export function covers(scope: SnoozeScope, rule: AlertRule): boolean {
  switch (scope.of) {
    case 'rule':
      return scope.ruleId === rule.id || scope.ruleId === rule.follows
    case 'index':
      return scope.indexId === rule.indexId
    case 'group':
      return scope.group === rule.group
    case 'all':
      return true
  }
}

/** The snooze of all alerts, if any. */
export function muteOf(snoozes: readonly AlertSnooze[]): AlertSnooze | undefined {
  return snoozes.find(({ scope }) => scope.of === 'all')
}

/**
 * Why a snooze suppresses the notifications of this rule, if one does (alert engine, 7). `muted` is the snooze of all.
 */
export function snoozeReason(
  snoozes: readonly AlertSnooze[],
  rule: AlertRule,
  nowMs: number,
): Extract<HoldBackReason, 'snooze' | 'muted'> | undefined {
  const active = snoozes.filter((snooze) => !hasEnded(snooze, nowMs) && covers(snooze.scope, rule))
  if (active.length === 0) return undefined
  return muteOf(active) === undefined ? 'snooze' : 'muted'
}

/** The snoozes that have not ended. Returns the same list if none has. */
export function running(snoozes: AlertSnooze[], nowMs: number): AlertSnooze[] {
  const left = snoozes.filter((snooze) => !hasEnded(snooze, nowMs))
  return left.length === snoozes.length ? snoozes : left
}

/** Adds a snooze. Replaces one of the same scope. */
export function withSnooze(snoozes: readonly AlertSnooze[], snooze: AlertSnooze): AlertSnooze[] {
  return [...withoutSnooze(snoozes, snooze.scope), snooze]
}

export function withoutSnooze(snoozes: readonly AlertSnooze[], scope: SnoozeScope): AlertSnooze[] {
  return snoozes.filter((snooze) => !isSame(snooze.scope, scope))
}

function hasEnded({ untilMs }: AlertSnooze, nowMs: number): boolean {
  return untilMs !== null && untilMs <= nowMs
}
