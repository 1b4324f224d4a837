/** What a rule remembers: its state, over restarts, and its memory, in one run. */
import * as v from 'valibot'
import type { ConstituentsPublication, DecimalText } from '../model'
import { isOtherSource, type Source } from '../publication'
import { isSame } from '../same'
import { timeSchema } from '../shapes'
import { MoveWindow } from './move-window'

/**
 * `waiting` nothing seen since it was made · `disarmed` the condition holds already, or held when it last fired: waits
 * for it to end · `armed` · `holding` the condition holds, not yet long enough · `triggered` fired once, done
 * · `suspended` fired too often · `expired`.
 */
export type AlertPhase = 'waiting' | 'disarmed' | 'armed' | 'holding' | 'triggered' | 'suspended' | 'expired'

const directions = v.picklist(['up', 'down'])
export type Direction = v.InferOutput<typeof directions>

const latchEntries = {
  /** What to do when the condition holds at the first value the rule sees; only while nothing has been seen. */
  whenAlreadyMet: v.exactOptional(v.picklist(['wait', 'fire'])),
  /** The latches: armed for a crossing upwards, downwards. */
  isUpArmed: v.boolean(),
  isDownArmed: v.boolean(),
  /**
   * A condition that holds, not yet long enough. `heldMs` is confirmed so far; a gap longer than the cadence allows is no
   * part of it.
   */
  hold: v.exactOptional(
    v.object({ direction: directions, sinceMs: timeSchema, heldMs: timeSchema, lastMs: timeSchema }),
  ),
  /** Of a rule that fires again while its condition holds: the last time it did. */
  repeating: v.exactOptional(v.object({ direction: directions, firedAtMs: timeSchema })),
  /** Of a rule that may fire as its hours begin: those it has seen last, by the day on which they began. */
  hoursDay: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
}
const latchSchema = v.object(latchEntries)

/** What one condition remembers. */
export type Latch = v.InferOutput<typeof latchSchema>
export type WhenAlreadyMet = NonNullable<Latch['whenAlreadyMet']>
export type Hold = NonNullable<Latch['hold']>

const sourceSchema = v.object({ id: v.string(), name: v.string() })

const ownEntries = {
  ...latchEntries,
  /** Fired once and done. */
  isDone: v.boolean(),
  /** A silence that was notified and has not ended; since the publish time of the last value. */
  silence: v.exactOptional(v.object({ sinceMs: v.exactOptional(timeSchema) })),
  /** Amendments seen, the last ones. */
  amendments: v.exactOptional(v.array(v.object({ publishedAtMs: timeSchema, amendedAtMs: timeSchema }))),
  /** What the corporate action last seen says; `null`: there was none. */
  action: v.exactOptional(v.nullable(v.string())),
  /** What the composition of an index is compared with. Weights are pairs, since any name may come. */
  base: v.exactOptional(
    v.object({
      weights: v.array(v.tuple([v.string(), v.string()])),
      divisor: v.exactOptional(v.string()),
    }),
  ),
  /** Of a move: the first value of its window, which is covered where that is one that fired. */
  window: v.exactOptional(v.object({ sinceMs: timeSchema, isCovered: v.exactOptional(v.literal(true)) })),
  /** Of a rule that waits for fixings: when the last one was published. */
  fixedMs: v.exactOptional(timeSchema),
  /** Of a rule about any constituent: what it remembers of each, where that is more than being armed. */
  latches: v.exactOptional(v.array(v.tuple([v.string(), latchSchema]))),
}

export const stateSchema = v.object({
  ...ownEntries,
  /** Whose values it stands for; absent while there was none, and in what was kept before sources were. */
  source: v.exactOptional(sourceSchema),
  /** The state for each other source, used when that source answers again. `last`: its last value. */
  others: v.exactOptional(
    v.array(
      v.object({
        source: sourceSchema,
        state: v.object(ownEntries),
        last: v.exactOptional(v.object({ value: v.string(), publishedAtMs: timeSchema })),
      }),
    ),
  ),
})
export type RuleState = v.InferOutput<typeof stateSchema>
export type Base = NonNullable<RuleState['base']>

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
export function turnedTo(
  source: Source,
  state: RuleState,
  last: NonNullable<RuleState['others']>[number]['last'],
): RuleState {
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
  return heldMsOf(after) !== undefined && isSame(withoutProgress(before), withoutProgress(after))
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

/** How long the condition has held by publish time, in milliseconds; `undefined` while it is not holding (alert engine, 4). */
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
