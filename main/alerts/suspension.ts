import * as v from 'valibot'
import type { AlertRule } from '../../protocol/alerts'

const mostFirings = 15
const withinMinutes = 3
const withinMs = withinMinutes * 60_000

/** Whether a rule fires so often that its notices are a nuisance (alerts, 14). */
export interface SuspensionMarks {
  /** Why, in plain words: it fired too often and waits for the user. */
  suspension?: string
  /** Wall times of the firings told within the last three minutes, oldest first; at most 15. */
  toldAtMs?: number[]
}

export const suspensionEntries = {
  suspension: v.exactOptional(v.string()),
  toldAtMs: v.exactOptional(v.array(v.number())),
}

/**
 * Counts a firing that nothing else holds back. With one too many the rule is suspended instead: `suspension` is there.
 * Times ahead of `nowMs` do not count, since the wall clock was set back.
 */
export function countFiring<T extends SuspensionMarks>(marks: T, rule: AlertRule, nowMs: number): T {
  const earlier = (marks.toldAtMs ?? []).filter((toldMs) => toldMs <= nowMs && toldMs > nowMs - withinMs)
  if (earlier.length < mostFirings) return { ...marks, toldAtMs: [...earlier, nowMs] }
  return { ...marks, toldAtMs: [], suspension: reasonFor(rule, earlier.length + 1) }
}

function reasonFor({ terms }: AlertRule, count: number): string {
  const canHaveBand = 'level' in terms || 'low' in terms
  const cure = canHaveBand ? 'a wider re-arm band or a cooldown' : 'a cooldown'
  return `It fired ${count} times in ${withinMinutes} minutes. Arm it again, with ${cure}.`
}
