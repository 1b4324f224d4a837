/** What a rule remembers: its state, over restarts, and its memory, in one run. */
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { timeSchema } from '../alert-schema'
import type { AlertPhase } from '../alerts'
import type { ConstituentsPublication, DecimalText } from '../model'
import { isOtherSource, type Source } from '../publication'
import { MoveWindow } from './move-window'

/** What to do when the condition holds at the first value the rule sees. */
export type WhenAlreadyMet = 'wait' | 'fire'

export type Direction = 'up' | 'down'

/** A condition that holds, not yet long enough. */
export interface Hold {
  direction: Direction
  sinceMs: number
  /** Confirmed so far; a gap longer than the cadence allows is no part of it. */
  heldMs: number
  lastMs: number
}

/** What one condition remembers. */
export interface Latch {
  /** Only while nothing has been seen. */
  whenAlreadyMet?: WhenAlreadyMet
  /** The latches: armed for a crossing upwards, downwards. */
  isUpArmed: boolean
  isDownArmed: boolean
  hold?: Hold
  /** Of a rule that fires again while its condition holds: the last time it did. */
  repeating?: { direction: Direction; firedAtMs: number }
  /** Of a rule that may fire as its hours begin: those it has seen last, by the day on which they began. */
  hoursDay?: number
}

/** What the composition of an index is compared with. */
export interface Base {
  /** By constituent, as first published; pairs, since any name may come. */
  weights: [constituent: string, weight: DecimalText][]
  divisor?: DecimalText
}

/** Where a rule stood with another source, to go on from when that answers again. */
interface OtherSource {
  source: Source
  state: RuleState
  /** Its last value. */
  last?: { value: DecimalText; publishedAtMs: number }
}

export interface RuleState extends Latch {
  /** Whose values it stands for; absent while there was none, and in what was kept before sources were. */
  source?: Source
  others?: OtherSource[]
  /** Fired once and done. */
  isDone: boolean
  /** A silence that was notified and has not ended; since the publish time of the last value. */
  silence?: { sinceMs?: number }
  /** Amendments seen, the last ones. */
  amendments?: { publishedAtMs: number; amendedAtMs: number }[]
  /** The corporate action last seen, as a digest of what it says; `null`: none. */
  action?: string | null
  base?: Base
  /** Of a rule that waits for fixings: when the last one was published. */
  fixedMs?: number
  /** Of a move: the first value of its window, which is covered where that is one that fired. */
  window?: { sinceMs: number; isCovered?: true }
  /** Of a rule about any constituent: what it remembers of each, where that is more than being armed. */
  latches?: [constituent: string, latch: Latch][]
}

const latchEntries = {
  whenAlreadyMet: v.exactOptional(v.picklist(['wait', 'fire'])),
  isUpArmed: v.boolean(),
  isDownArmed: v.boolean(),
  hold: v.exactOptional(
    v.object({ direction: v.picklist(['up', 'down']), sinceMs: timeSchema, heldMs: timeSchema, lastMs: timeSchema }),
  ),
  repeating: v.exactOptional(v.object({ direction: v.picklist(['up', 'down']), firedAtMs: timeSchema })),
  hoursDay: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
}

const sourceSchema = v.object({ id: v.string(), name: v.string() })

const ownEntries = {
  ...latchEntries,
  isDone: v.boolean(),
  silence: v.exactOptional(v.object({ sinceMs: v.exactOptional(timeSchema) })),
  amendments: v.exactOptional(v.array(v.object({ publishedAtMs: timeSchema, amendedAtMs: timeSchema }))),
  action: v.exactOptional(v.nullable(v.string())),
  base: v.exactOptional(
    v.object({
      weights: v.array(v.tuple([v.string(), v.string()])),
      divisor: v.exactOptional(v.string()),
    }),
  ),
  window: v.exactOptional(v.object({ sinceMs: timeSchema, isCovered: v.exactOptional(v.literal(true)) })),
  fixedMs: v.exactOptional(timeSchema),
  latches: v.exactOptional(v.array(v.tuple([v.string(), v.object(latchEntries)]))),
}

export const stateSchema: v.GenericSchema<unknown, RuleState> = v.object({
  ...ownEntries,
  source: v.exactOptional(sourceSchema),
  others: v.exactOptional(
    v.array(
      v.object({
        source: sourceSchema,
        state: v.object(ownEntries),
        last: v.exactOptional(v.object({ value: v.string(), publishedAtMs: timeSchema })),
      }),
    ),
  ),
} satisfies Record<keyof RuleState, v.GenericSchema>)

/** A rule that has seen nothing yet. */
export function initialState(whenAlreadyMet: WhenAlreadyMet): RuleState {
  return { whenAlreadyMet, isUpArmed: false, isDownArmed: false, isDone: false }
}

/** More sources than there can be connections. */
const maxOthers = 24

/**
 * The state of a rule as values of this source come to it: one it has seen before goes on where it stood, and any other
 * begins as after making the rule. What is done stays so. The very same object where it is the source it stands for.
 */
export function turnedTo(source: Source, state: RuleState, last: OtherSource['last']): RuleState {
  const { source: from, others = [], ...own } = state
  if (!turnsTo(source, state)) return state
  if (from === undefined) return { ...state, source }
  const known = others.find((each) => each.source.id === source.id)
  const left = { source: from, state: own, ...(last !== undefined && { last }) }
  const rest = others.filter((each) => each !== known)
  return { ...(known?.state ?? initialState('wait')), source, others: [...rest, left].slice(-maxOthers) }
}

/** Whether a value of this source is judged by another state of the rule. False if the source is unknown. */
export function turnsTo(source: Source, { source: own, isDone }: RuleState): boolean {
  return !isDone && (own === undefined ? source.id !== '' : isOtherSource(own, source))
}

/** Whether a value of this source is one of another than the state stands for. */
export function isOfOther(source: Source, state: RuleState): boolean {
  return state.source !== undefined && turnsTo(source, state)
}

/** Whether nothing lies between two states but that holds went on. */
export function isHoldGoingOn(before: RuleState, after: RuleState): boolean {
  return heldMsOf(after) !== undefined && isDeepStrictEqual(withoutProgress(before), withoutProgress(after))
}

function withoutProgress(state: RuleState): unknown {
  const latches = state.latches?.map(([constituent, latch]) => [constituent, { ...latch, hold: begunAs(latch) }])
  return { ...state, hold: begunAs(state), latches }
}

function begunAs({ hold }: Latch): unknown {
  return hold === undefined ? undefined : [hold.direction, hold.sinceMs]
}

/** The phase a state stands for; what silences or ends a rule from outside is not part of it. */
export function phaseOf(state: RuleState): Exclude<AlertPhase, 'suspended' | 'expired'> {
  if (state.isDone) return 'triggered'
  if (state.whenAlreadyMet !== undefined) return 'waiting'
  if (heldMsOf(state) !== undefined) return 'holding'
  return state.isUpArmed || state.isDownArmed ? 'armed' : 'disarmed'
}

/** How long the condition has held by publish time, in milliseconds; `undefined` while it is not holding (alerts, 4). */
export function heldMsOf({ hold, latches }: RuleState): number | undefined {
  if (latches === undefined) return hold?.heldMs
  const held = [hold, ...latches.map(([, latch]) => latch.hold)].flatMap((each) => each?.heldMs ?? [])
  return held.length === 0 ? undefined : Math.max(...held)
}

export function baseOf({ constituents, divisor }: ConstituentsPublication): Base {
  const weights = constituents.map(({ constituent, weightPercent }): [string, DecimalText] => [
    constituent,
    weightPercent,
  ])
  return { weights, ...(divisor !== undefined && { divisor }) }
}

export function withBase(state: RuleState, publication: ConstituentsPublication): RuleState {
  return { ...state, base: baseOf(publication) }
}

/** What a rule remembers in this run alone; changed by `evaluate`. */
export interface RuleMemory {
  /** Publish times of the newest value, constituents and market conditions judged: older ones are not judged any more. */
  newest: { value?: number; constituents?: number; conditions?: number }
  /** The values of a move. */
  readonly window: MoveWindow
  /** The calculation before, for continuity. */
  calculation?: ConstituentsPublication
}

export function newMemory(): RuleMemory {
  return { newest: {}, window: new MoveWindow() }
}
