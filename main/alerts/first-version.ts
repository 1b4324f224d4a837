/** What version 1 of the alerts file held: one level a rule, each of which fired once. */
import * as v from 'valibot'
import type { AlertEvent } from '../../protocol/alert-events'
import type { AlertRule, LevelTerms } from '../../protocol/alerts'
import { isDecimalText } from '../../protocol/decimal'
import { initialState, type RuleState } from './rules/state'

const decimal = v.pipe(v.string(), v.check(isDecimalText))
const threshold = { indexId: v.string(), condition: v.picklist(['atOrAbove', 'atOrBelow']), level: decimal }
const ruleSchema = v.object({ id: v.string(), ...threshold, createdAtMs: v.number() })
const eventSchema = v.object({
  id: v.string(),
  ruleId: v.string(),
  ...threshold,
  value: decimal,
  publishedAtMs: v.number(),
  firedAtMs: v.number(),
  gapSinceMs: v.exactOptional(v.number()),
  delivery: v.picklist(['pending', 'shown', 'failed', 'clicked', 'unknown', 'off']),
  isRead: v.boolean(),
})
const stateSchema = v.variant('phase', [
  v.object({ phase: v.literal('waiting'), whenAlreadyMet: v.picklist(['wait', 'fire']) }),
  v.object({ phase: v.picklist(['disarmed', 'armed', 'triggered']) }),
])

interface Entries {
  rules: unknown[]
  states: Record<string, unknown>
  inbox: unknown[]
}

/** The entries as the present version has them; those that were bad then stay as they are. */
export function fromFirstVersion({ rules, states, inbox }: Entries): Entries {
  const present: Record<string, unknown> = {}
  const converted = rules.map((rule) => {
    const read = v.safeParse(ruleSchema, rule)
    if (!read.success) return rule
    const { id, indexId, createdAtMs, ...was } = read.output
    const terms = termsOf(was)
    const state = v.safeParse(stateSchema, states[id])
    if (state.success) present[id] = stateOf(state.output, terms)
    const now: AlertRule = {
      id,
      version: 1,
      indexId,
      terms,
      repeat: { mode: 'once' },
      severity: 'normal',
      createdAtMs,
    }
    return now
  })
  return { rules: converted, states: present, inbox: inbox.map((event, at) => eventOf(event, at + 1)) }
}

function termsOf({ condition, level }: { condition: 'atOrAbove' | 'atOrBelow'; level: string }): LevelTerms {
  return { condition: condition === 'atOrAbove' ? 'risesTo' : 'fallsTo', level }
}

function stateOf(was: v.InferOutput<typeof stateSchema>, terms: LevelTerms): RuleState {
  if (was.phase === 'waiting') return initialState(was.whenAlreadyMet)
  const seen = initialState('wait')
  delete seen.whenAlreadyMet
  const isArmed = was.phase === 'armed'
  return {
    ...seen,
    isUpArmed: isArmed && terms.condition === 'risesTo',
    isDownArmed: isArmed && terms.condition === 'fallsTo',
    isDone: was.phase === 'triggered',
  }
}

function eventOf(event: unknown, number: number): unknown {
  const read = v.safeParse(eventSchema, event)
  if (!read.success) return event
  const { id, ruleId, indexId, value, publishedAtMs, firedAtMs, gapSinceMs, delivery, isRead, ...was } = read.output
  const terms = termsOf(was)
  const now: AlertEvent = {
    id,
    number,
    kind: 'fired',
    ruleId,
    ruleVersion: 1,
    indexId,
    terms,
    severity: 'normal',
    recordedAtMs: firedAtMs,
    inputs: {
      value,
      publishedAtMs,
      direction: terms.condition === 'risesTo' ? 'up' : 'down',
      ...(gapSinceMs !== undefined && { gapSinceMs }),
    },
    delivery,
    isRead,
  }
  return now
}
