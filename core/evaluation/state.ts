/** What a rule remembers: its state, which survives a restart, and its memory, which does not. */
import * as v from 'valibot'
import type { ConstituentsPublication, DecimalText } from '../model'
import { isOtherSource, type Source } from '../publication'
import { isSame } from '../same'
import { timeSchema } from '../shapes'
import type { MeanWindow } from '../settlement/mean-window'
import { MoveWindow } from './move-window'

/**
 * `waiting` no observation yet · `disarmed` the condition is already true, or was when it last fired, and has to end
 * first · `armed` · `holding` the condition is true, but not long enough yet · `triggered` fired once and finished ·
 * `suspended` fired too often · `expired`.
 */
export type AlertPhase = 'waiting' | 'disarmed' | 'armed' | 'holding' | 'triggered' | 'suspended' | 'expired'

const directions = v.picklist(['up', 'down'])
export type Direction = v.InferOutput<typeof directions>

const latchEntries = {
  /** What to do if the condition is true at the first observation. Set until then. */
  whenAlreadyMet: v.exactOptional(v.picklist(['wait', 'fire'])),
  /** Whether the latches are armed for a crossing upwards and downwards. */
  isUpArmed: v.boolean(),
  isDownArmed: v.boolean(),
  /**
   * The condition is true, but not long enough yet. `heldMs` is confirmed so far, without gaps longer than the cadence
   * allows.
   */
  hold: v.exactOptional(
    v.object({ direction: directions, sinceMs: timeSchema, heldMs: timeSchema, lastMs: timeSchema }),
  ),
  /** For a rule that repeats while its condition is true: its last firing. */
  repeating: v.exactOptional(v.object({ direction: directions, firedAtMs: timeSchema })),
  /** For a rule that may fire when its hours start: the day on which the last seen hours began. */
  hoursDay: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
}
const latchSchema = v.object(latchEntries)

/** What one latch remembers. */
export type Latch = v.InferOutput<typeof latchSchema>
export type WhenAlreadyMet = NonNullable<Latch['whenAlreadyMet']>
export type Hold = NonNullable<Latch['hold']>

const sourceSchema = v.object({ id: v.string(), name: v.string() })

const ownEntries = {
  ...latchEntries,
  /** The rule fired once and has finished. */
  isDone: v.boolean(),
  /** A silence that was notified and has not ended. `sinceMs` is the published time of the last value. */
  silence: v.exactOptional(v.object({ sinceMs: v.exactOptional(timeSchema) })),
  /** The last amendments seen. */
  amendments: v.exactOptional(v.array(v.object({ publishedAtMs: timeSchema, amendedAtMs: timeSchema }))),
  /** The last corporate action seen. Null if there was none. */
  action: v.exactOptional(v.nullable(v.string())),
  /** The baseline of an index's composition. Weights are pairs, because names are arbitrary. */
  base: v.exactOptional(
    v.object({
      weights: v.array(v.tuple([v.string(), v.string()])),
      divisor: v.exactOptional(v.string()),
    }),
  ),
  /** For a move or a mean: the first value of its window. `isCovered`: the value fired, so the window counts as covered. */
  window: v.exactOptional(v.object({ sinceMs: timeSchema, isCovered: v.exactOptional(v.literal(true)) })),
  /** For a rule on fixings: the published time of the last one. */
  fixedMs: v.exactOptional(timeSchema),
  /** For a rule on any constituent: the latch of each, unless it is just armed. */
  latches: v.exactOptional(v.array(v.tuple([v.string(), latchSchema]))),
}

export const stateSchema = v.object({
  ...ownEntries,
  /** The source of this state. Undefined before the first value, and in states stored before sources were. */
  source: v.exactOptional(sourceSchema),
  /** The states of the other sources, used when one of them answers again. `last` is its last value. */
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

/** The state of a rule without observations. */
export function initialState(whenAlreadyMet: WhenAlreadyMet): RuleState {
  return { whenAlreadyMet, isUpArmed: false, isDownArmed: false, isDone: false }
}

/** More than the maximum number of connections. */
const maxOthers = 24

/**
 * The state for values of this source. A source seen before continues with its own state, a new one starts as after
 * creation. A finished rule stays finished. Returns the same object if the source is unchanged.
 */
export function stateForSource(
  source: Source,
  state: RuleState,
  last: NonNullable<RuleState['others']>[number]['last'],
): RuleState {
  const { source: from, others = [], ...own } = state
  if (!needsOtherState(source, state)) return state
  if (from === undefined) return { ...state, source }
  const known = others.find((each) => each.source.id === source.id)
  const left = { source: from, state: own, ...(last !== undefined && { last }) }
  const rest = others.filter((each) => each !== known)
  return { ...(known?.state ?? initialState('wait')), source, others: [...rest, left].slice(-maxOthers) }
}

/** Whether a value of this source needs another state of the rule. False if the source is unknown. */
export function needsOtherState(source: Source, { source: own, isDone }: RuleState): boolean {
  return !isDone && (own === undefined ? source.id !== '' : isOtherSource(own, source))
}

/** Whether this source differs from that of the state. */
export function isOfOther(source: Source, state: RuleState): boolean {
  return state.source !== undefined && needsOtherState(source, state)
}

/** Whether two states differ only in the progress of holds. */
export function isHoldProgress(before: RuleState, after: RuleState): boolean {
  return heldMsOf(after) !== undefined && isSame(withoutProgress(before), withoutProgress(after))
}

function withoutProgress(state: RuleState): unknown {
  const latches = state.latches?.map(([constituent, latch]) => [constituent, { ...latch, hold: begunAs(latch) }])
  return { ...state, hold: begunAs(state), latches }
}

function begunAs({ hold }: Latch): unknown {
  return hold === undefined ? undefined : [hold.direction, hold.sinceMs]
}

/** The phase of a state. Excludes what the policy suspends or ends. */
export function phaseOf(state: RuleState): Exclude<AlertPhase, 'suspended' | 'expired'> {
  if (state.isDone) return 'triggered'
  if (state.whenAlreadyMet !== undefined) return 'waiting'
  if (heldMsOf(state) !== undefined) return 'holding'
  return state.isUpArmed || state.isDownArmed ? 'armed' : 'disarmed'
}

/**
 * How long the condition has held by published time, in milliseconds. Undefined while it is not holding (alert engine,
 * 4).
 */
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

/** What a rule remembers until the app ends. `evaluate` changes it in place. */
export interface RuleMemory {
  /** Published times of the newest evaluated value, constituents and market conditions. Older ones are ignored. */
  newest: { value?: number; constituents?: number; conditions?: number }
  /** The values of a move. */
  readonly window: MoveWindow
  /** The values of a mean. */
  mean?: MeanWindow
  /** The previous calculation, for continuity. */
  calculation?: ConstituentsPublication
}

export function newMemory(): RuleMemory {
  return { newest: {}, window: new MoveWindow() }
}
