import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import type { AlertInputs } from '../../protocol/alert-events'
import { inputsSchema, publishedNumberSchema, ruleSchema, timeSchema } from '../../protocol/alert-schema'
import type { AlertRule } from '../../protocol/alerts'
import { resolutions, type Publication, type Resolution } from '../../protocol/model'
import type { ValueSeen } from './rules/observation'
import { stateSchema, type RuleState } from './rules/state'

/** What a firing was judged by, kept so that an amendment can have it judged again, also after a restart. */
export interface FiredStep {
  eventId: string
  publication: Publication
  before: RuleState
  cadence?: Resolution
  inputs?: AlertInputs
  /** The rule as it was then, where it has begun again since. */
  rule?: AlertRule
}

/** Of all rules together, some 1.5 MB: the whole file is written at every firing. */
const maxInFile = 4_000
const minOfRule = 3

/**
 * What of the rules' steps, oldest first, goes into the file: all, or the last ones of each where there would be too
 * many. An amendment of an older one is then no longer judged after a restart.
 */
export function stepsToStore(stepsOfRules: ReadonlyMap<string, readonly FiredStep[]>): Map<string, FiredStep[]> {
  const haveFired = [...stepsOfRules].filter(([, steps]) => steps.length > 0)
  const max = Math.max(minOfRule, Math.floor(maxInFile / Math.max(1, haveFired.length)))
  return new Map(haveFired.map(([ruleId, steps]) => [ruleId, steps.slice(-max)]))
}

/** A firing that is not yet, or never was, an event. */
export type Firing = Omit<FiredStep, 'eventId'> & { eventId?: string }

export const firedStepSchema: v.GenericSchema<unknown, FiredStep> = v.object({
  eventId: v.string(),
  publication: v.object({
    value: publishedNumberSchema,
    publishedAtMs: timeSchema,
    amendedAtMs: v.exactOptional(timeSchema),
    isRepeatOfPrevious: v.exactOptional(v.literal(true)),
  }),
  before: stateSchema,
  cadence: v.exactOptional(v.picklist(resolutions)),
  inputs: v.exactOptional(inputsSchema),
  rule: v.exactOptional(ruleSchema),
})

export function isEvent(firing: Firing): firing is FiredStep {
  return firing.eventId !== undefined
}

/** The value a firing was judged by, as it was seen. */
export function seenOf({ publication, inputs, cadence }: Firing): ValueSeen {
  return {
    kind: 'value',
    publication,
    ...(inputs?.previous !== undefined && { previous: inputs.previous }),
    ...(cadence !== undefined && { cadence }),
  }
}

/** The window of a move that fired: covered, and with nothing in it but what the newest value was compared with. */
export function windowOf({ terms }: AlertRule, { publication, inputs }: Firing): ValueSeen[] {
  if (terms.condition !== 'moves' || inputs?.reference === undefined) return []
  const { value, publishedAtMs } = inputs.reference
  return [publication.publishedAtMs - terms.withinMs - 1, publishedAtMs].map((time) => ({
    kind: 'value',
    publication: { value, publishedAtMs: time },
  }))
}

/** Whether the event of a firing no longer says all of it: a confirmation adds the rest. */
export function saysMore(before: Firing, after: Firing): boolean {
  return (
    !isDeepStrictEqual(before.publication, after.publication) ||
    !isDeepStrictEqual(before.inputs?.reference, after.inputs?.reference)
  )
}

/**
 * Which of the firings after an amendment was there before: after by before. One of the same time and direction is the
 * same. One that only came sooner or later counts as the same too, where nothing that stayed lies between: the user was
 * notified once, of something that is true, and to take it back and notify again would be two notifications of no news.
 */
export function pairFirings(before: readonly Firing[], after: readonly Firing[]): Map<Firing, Firing> {
  const pairs = new Map<Firing, Firing>()
  const pair = (isSame: (old: Firing, now: Firing) => boolean) => {
    const taken = new Set(pairs.values())
    for (const old of before.filter((each) => !pairs.has(each))) {
      const now = after.find(
        (each) => !taken.has(each) && each.inputs?.direction === old.inputs?.direction && isSame(old, each),
      )
      if (now === undefined) continue
      pairs.set(old, now)
      taken.add(now)
    }
  }
  pair((old, now) => timeOf(old) === timeOf(now))
  const stayed = [...pairs.keys()].map(timeOf)
  pair((old, now) => {
    const from = Math.min(timeOf(old), timeOf(now))
    const to = Math.max(timeOf(old), timeOf(now))
    return !stayed.some((time) => time > from && time < to)
  })
  return pairs
}

export function timeOf(firing: Firing): number {
  return firing.publication.publishedAtMs
}
