import * as v from 'valibot'
import { eventSchema, ruleSchema } from '../../protocol/alert-schema'
import type { AlertEvent } from '../../protocol/alert-events'
import type { AlertRule } from '../../protocol/alerts'
import { quietRecordSchema, type QuietRecord } from './quieting'
import { firedStepSchema, type FiredStep } from './fired-step'
import { stateSchema, type RuleState } from './rules/state'
import { fromFirstVersion } from './first-version'

const version = 2

const versionSchema = v.object({ version: v.pipe(v.number(), v.integer(), v.minValue(1)) })

const documentSchema = v.object({
  rules: v.array(v.unknown()),
  states: v.record(v.string(), v.unknown()),
  fired: v.exactOptional(v.record(v.string(), v.array(v.unknown())), {}),
  quiet: v.exactOptional(v.unknown()),
  inbox: v.array(v.unknown()),
  readThrough: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  setAside: v.exactOptional(v.array(v.unknown()), []),
})

/** What the alert engine keeps. */
export interface AlertRecord {
  rules: AlertRule[]
  /** By rule id. */
  states: Map<string, RuleState>
  /** By rule id. */
  fired: Map<string, readonly FiredStep[]>
  quiet: QuietRecord
  /** The newest events, oldest first; the others are in the archive. */
  inbox: readonly AlertEvent[]
  /** The number of the last event the user has read; absent in files of the first version. */
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
  const { rules, states, fired, quiet, inbox, readThrough, setAside } =
    written.output.version === 1 ? { ...document.output, ...fromFirstVersion(document.output) } : document.output
  const readRules = sort(rules, ruleSchema)
  const readEvents = sort(inbox, eventSchema)
  const bad = [...readRules.bad, ...readEvents.bad]
  const readStates = new Map<string, RuleState>()
  const readFired = new Map<string, readonly FiredStep[]>()
  for (const rule of readRules.good) {
    const state = v.safeParse(stateSchema, states[rule.id])
    if (state.success) readStates.set(rule.id, state.output)
    const steps = v.safeParse(v.array(firedStepSchema), fired[rule.id])
    if (steps.success) readFired.set(rule.id, steps.output)
  }
  const readQuiet = v.safeParse(quietRecordSchema, quiet)
  return {
    kind: 'ok',
    record: {
      rules: readRules.good,
      states: readStates,
      fired: readFired,
      quiet: readQuiet.success ? readQuiet.output : { snoozes: [], rules: {} },
      inbox: readEvents.good.sort((a, b) => a.number - b.number),
      ...(readThrough !== undefined && { readThrough }),
      setAside: [...setAside, ...bad],
    },
    setAsideCount: bad.length,
  }
}

/** Whether an alerts file is worth keeping in its place. */
export function isAlertDocument(value: unknown): boolean {
  return readAlerts(value).kind !== 'invalid'
}

export function toDocument({ rules, states, fired, quiet, inbox, readThrough, setAside }: AlertRecord): unknown {
  return {
    version,
    rules,
    states: Object.fromEntries(states),
    fired: Object.fromEntries(fired),
    quiet,
    inbox,
    ...(readThrough !== undefined && { readThrough }),
    ...(setAside.length > 0 && { setAside }),
  }
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
