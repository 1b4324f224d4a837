import * as v from 'valibot'
import { isDecimalText } from '../../protocol/decimal'
import { indexIdPattern } from '../../protocol/desktop-schema'
import { alertConditions, deliveries } from '../../protocol/model'
import type { AlertEvent, AlertRule } from '../../protocol/model'
import type { RuleState } from './rules'

const version = 1

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(64))
const decimal = v.pipe(v.string(), v.check(isDecimalText))
const timeMs = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const threshold = {
  indexId: v.pipe(v.string(), v.regex(indexIdPattern)),
  condition: v.picklist(alertConditions),
  level: decimal,
}

const ruleSchema: v.GenericSchema<unknown, AlertRule> = v.object({
  id: text,
  ...threshold,
  repeat: v.literal('once'),
  createdAtMs: timeMs,
})

const eventSchema: v.GenericSchema<unknown, AlertEvent> = v.object({
  id: text,
  ruleId: text,
  ...threshold,
  value: decimal,
  publishedAtMs: timeMs,
  firedAtMs: timeMs,
  gapSinceMs: v.exactOptional(timeMs),
  delivery: v.picklist(deliveries),
  isRead: v.boolean(),
})

const stateSchema: v.GenericSchema<unknown, RuleState> = v.variant('phase', [
  v.object({ phase: v.literal('waiting'), whenAlreadyMet: v.picklist(['wait', 'fire']) }),
  v.object({ phase: v.picklist(['disarmed', 'armed', 'triggered']) }),
])

const versionSchema = v.object({ version: v.pipe(v.number(), v.integer(), v.minValue(1)) })

const documentSchema = v.object({
  rules: v.array(v.unknown()),
  states: v.record(v.string(), v.unknown()),
  inbox: v.array(v.unknown()),
  setAside: v.exactOptional(v.array(v.unknown()), []),
})

/** What the alert engine keeps. */
export interface AlertRecord {
  rules: AlertRule[]
  /** By rule id. */
  states: Map<string, RuleState>
  /** Oldest first. */
  inbox: readonly AlertEvent[]
  /** Entries that could not be read; carried along, so that a later version may. */
  setAside: readonly unknown[]
}

/** `setAsideCount` says how many entries this reading set aside. */
export type AlertRead =
  { kind: 'ok'; record: AlertRecord; setAsideCount: number } | { kind: 'newer' } | { kind: 'invalid' }

/** Reads the alerts file. A single bad entry goes to `setAside`; `newer` was written by a later version of the app. */
export function readAlerts(value: unknown): AlertRead {
  const written = v.safeParse(versionSchema, value)
  if (!written.success) return { kind: 'invalid' }
  if (written.output.version > version) return { kind: 'newer' }
  const document = v.safeParse(documentSchema, value)
  if (!document.success) return { kind: 'invalid' }
  const { rules, states, inbox, setAside } = document.output
  const readRules = sort(rules, ruleSchema)
  const readEvents = sort(inbox, eventSchema)
  const bad = [...readRules.bad, ...readEvents.bad]
  const readStates = new Map<string, RuleState>()
  for (const rule of readRules.good) {
    const state = v.safeParse(stateSchema, states[rule.id])
    if (state.success) readStates.set(rule.id, state.output)
  }
  return {
    kind: 'ok',
    record: {
      rules: readRules.good,
      states: readStates,
      inbox: readEvents.good,
      setAside: [...setAside, ...bad],
    },
    setAsideCount: bad.length,
  }
}

/** Whether an alerts file is worth keeping in its place. */
export function isAlertDocument(value: unknown): boolean {
  return readAlerts(value).kind !== 'invalid'
}

export function toDocument({ rules, states, inbox, setAside }: AlertRecord): unknown {
  return { version, rules, states: Object.fromEntries(states), inbox, ...(setAside.length > 0 && { setAside }) }
}

/** Of two entries with one id the second is bad: it could be neither shown nor deleted by itself. */
function sort<T extends { id: string }>(
  entries: readonly unknown[],
  schema: v.GenericSchema<unknown, T>,
): { good: T[]; bad: unknown[] } {
  const good = new Map<string, T>()
  const bad: unknown[] = []
  for (const entry of entries) {
    const read = v.safeParse(schema, entry)
    if (read.success && !good.has(read.output.id)) good.set(read.output.id, read.output)
    else bad.push(entry)
  }
  return { good: [...good.values()], bad }
}
