import { Quieting } from '../../main/alerts/quieting'
import type { AlertEvent } from '../../protocol/alert-events'
import type { AlertRule } from '../../protocol/alerts'
import { firedEvent, levelDraft } from './sample-alerts'

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour
export const startMs = Date.UTC(2023, 10, 1, 12)

/** A rule on BRTI that fires at every crossing, made at the start. */
export function quietRule(more: Partial<AlertRule> = {}): AlertRule {
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

/** An event of the rule, as the engine hands it over for judgement. */
export function eventOf(rule: AlertRule, more: Partial<AlertEvent> = {}): AlertEvent {
  return firedEvent(++lastNumber, rule, { ruleId: rule.id, delivery: 'pending', ...more })
}

/** Quieting as it is after the app was closed and started again: what was kept goes through the text of the file. */
export function restarted(quieting: Quieting, read: (value: unknown) => Parameters<Quieting['restore']>[0]): Quieting {
  const next = new Quieting()
  next.restore(read(JSON.parse(JSON.stringify(quieting.record()))))
  return next
}
