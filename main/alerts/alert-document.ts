import * as v from 'valibot'
import { eventSchema, ruleSchema } from '../../protocol/alert-schema'
import type { AlertEvent } from '../../protocol/alert-events'
import type { AlertRule } from '../../protocol/alerts'
import { isRecord } from '../base/sanitize'
import { firedStepSchema, type FiredStep } from './fired-step'
import { readPolicyRecord, type PolicyRecord } from './policy/notification-policy'
import { stateSchema, type RuleState } from './rules/state'

const version = 1

const versionSchema = v.object({ version: v.pipe(v.number(), v.integer(), v.minValue(1)) })

const documentSchema = v.object({
  rules: v.array(v.unknown()),
  states: v.record(v.string(), v.unknown()),
  inbox: v.array(v.unknown()),
  // Rules go before these: where one of them cannot be read, the others stay.
  fired: v.exactOptional(v.unknown()),
  policy: v.exactOptional(v.unknown()),
  readThrough: v.exactOptional(v.unknown()),
  setAside: v.exactOptional(v.unknown()),
})

const readThroughSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** What the alert engine keeps. */
export interface AlertRecord {
  rules: AlertRule[]
  /** By rule id. */
  states: Map<string, RuleState>
  /** By rule id. */
  fired: Map<string, readonly FiredStep[]>
  policy: PolicyRecord
  /** The newest events, oldest first; the others are in the archive. */
  inbox: readonly AlertEvent[]
  /** The number of the last event the user has read. */
  readThrough?: number
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
  const { rules, states, fired, policy, inbox, readThrough, setAside } = document.output
  const readRules = sort(rules, ruleSchema, ({ id }) => [id])
  const readEvents = sort(inbox, eventSchema, ({ id, number }) => [id, number])
  const readStates = ofRules(readRules.good, states, 'state', stateSchema)
  const readFired = ofRules(readRules.good, fired, 'fired', v.array(firedStepSchema))
  const readPolicy = readPolicyRecord(policy)
  const through = v.safeParse(v.optional(readThroughSchema), readThrough)
  const bad = [readRules, readEvents, readStates, readFired, readPolicy].flatMap((read) => read.bad)
  if (!through.success) bad.push({ readThrough })
  return {
    kind: 'ok',
    record: {
      rules: readRules.good,
      states: readStates.good,
      fired: readFired.good,
      policy: readPolicy.good,
      inbox: readEvents.good.sort((a, b) => a.number - b.number),
      ...(through.success && through.output !== undefined && { readThrough: through.output }),
      setAside: [...asList(setAside), ...bad],
    },
    setAsideCount: bad.length,
  }
}

/** Whether an alerts file is worth keeping in its place. */
export function isAlertDocument(value: unknown): boolean {
  return readAlerts(value).kind !== 'invalid'
}

export function toDocument({ rules, states, fired, policy, inbox, readThrough, setAside }: AlertRecord): unknown {
  return {
    version,
    rules,
    states: Object.fromEntries(states),
    fired: Object.fromEntries(fired),
    policy,
    inbox,
    ...(readThrough !== undefined && { readThrough }),
    ...(setAside.length > 0 && { setAside }),
  }
}

/** Of two entries with one id, or one number, the second is bad: it could be neither shown nor deleted by itself. */
function sort<T>(
  entries: readonly unknown[],
  schema: v.GenericSchema<unknown, T>,
  keysOf: (entry: T) => (string | number)[],
): { good: T[]; bad: unknown[] } {
  const good: T[] = []
  const bad: unknown[] = []
  const taken = new Set<string | number>()
  for (const entry of entries) {
    const read = v.safeParse(schema, entry)
    const keys = read.success ? keysOf(read.output) : []
    if (read.success && !keys.some((key) => taken.has(key))) good.push(read.output)
    else bad.push(entry)
    for (const key of keys) taken.add(key)
  }
  return { good, bad }
}

/** What is kept by rule id, of the rules that are there. One that cannot be read is named `name` where it is set aside. */
function ofRules<T>(
  rules: readonly AlertRule[],
  kept: unknown,
  name: string,
  schema: v.GenericSchema<unknown, T>,
): { good: Map<string, T>; bad: unknown[] } {
  if (!isRecord(kept)) return { good: new Map(), bad: kept === undefined ? [] : [{ [name]: kept }] }
  const good = new Map<string, T>()
  const bad: unknown[] = []
  for (const { id } of rules.filter(({ id }) => Object.hasOwn(kept, id))) {
    const read = v.safeParse(schema, kept[id])
    if (read.success) good.set(id, read.output)
    else bad.push({ ruleId: id, [name]: kept[id] })
  }
  return { good, bad }
}

function asList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[]
  return value === undefined ? [] : [value]
}
