import type { IndexDefinition } from './index-definition'
import { chanceOf } from './noise'

const minuteMs = 60_000
/**
 * Every tokenized equity completes one action in this time, so that a demo soon shows a start and an end. The phases
 * are none, pending and effective, for ten minutes each.
 */
const cycle = { ms: 30 * minuteMs, pendingAfterMs: 10 * minuteMs, effectiveAfterMs: 20 * minuteMs }
const splitFactor = 4
const dividendFactor = 1.00005
const dividendsSinceMs = Date.UTC(2026, 0, 1)

/** A corporate action of a tokenized equity (protocol, 2.9). The shape is our own. */
interface CorporateAction {
  readonly actionId: string
  /** Grows with every change of the record. */
  readonly version: number
  readonly kind: 'SPLIT' | 'DIVIDEND' | 'SYMBOL_CHANGE'
  readonly state: 'PENDING' | 'EFFECTIVE'
  readonly description: string
  readonly announcedTime: number
  readonly effectiveTime: number
  /** Shares per token, before and after. The token's price does not jump. */
  readonly currentMultiplier: string
  readonly newMultiplier: string
}

/** The action active from `time` on, or `null` for none. */
export interface CorporateActionState {
  readonly time: number
  readonly action: CorporateAction | null
}

/** One pass through the states, from "none" to the end of "effective". */
interface Cycle {
  readonly number: number
  readonly startMs: number
}

/** The state in effect at a time. */
export function corporateActionAt(seed: number, index: IndexDefinition, timeMs: number): CorporateActionState {
  const cycle = cycleAt(seed, index, timeMs)
  return statesOf(index, cycle).findLast(({ time }) => time <= timeMs) ?? { time: cycle.startMs, action: null }
}

/** The states that took effect after `afterMs` and until `untilMs`, ascending. */
export function corporateActionsBetween(
  seed: number,
  index: IndexDefinition,
  { afterMs, untilMs }: { afterMs: number; untilMs: number },
): CorporateActionState[] {
  const found: CorporateActionState[] = []
  for (let timeMs = afterMs; cycleAt(seed, index, timeMs).startMs <= untilMs; timeMs += cycle.ms) {
    const states = statesOf(index, cycleAt(seed, index, timeMs))
    found.push(...states.filter(({ time }) => time > afterMs && time <= untilMs))
  }
  return found
}

/** The cycles of different equities begin at different minutes. */
function cycleAt(seed: number, { id }: IndexDefinition, timeMs: number): Cycle {
  const phaseMs = Math.floor(30 * chanceOf(seed, id, 'corporate action')) * minuteMs
  const number = Math.floor((timeMs - phaseMs) / cycle.ms)
  return { number, startMs: number * cycle.ms + phaseMs }
}

function statesOf(index: IndexDefinition, { number, startMs }: Cycle): CorporateActionState[] {
  const shared = {
    ...{ actionId: `${index.base ?? ''}-${number}` },
    announcedTime: startMs + cycle.pendingAfterMs,
    effectiveTime: startMs + cycle.effectiveAfterMs,
  }
  const terms = termsOf(number)
  return [
    { time: startMs, action: null },
    { time: shared.announcedTime, action: { ...shared, version: 1, state: 'PENDING', ...terms } },
    { time: shared.effectiveTime, action: { ...shared, version: 2, state: 'EFFECTIVE', ...terms } },
  ]
}

type Terms = Pick<CorporateAction, 'kind' | 'description' | 'currentMultiplier' | 'newMultiplier'>

/** Split, dividend, reverse split and symbol change in turn, so that the multiplier keeps its size over the years. */
function termsOf(number: number): Terms {
  const multipliers = { currentMultiplier: multiplierBefore(number), newMultiplier: multiplierBefore(number + 1) }
  switch (stepOf(number)) {
    case 0:
      return { kind: 'SPLIT', description: 'Four new shares for one old share', ...multipliers }
    case 1:
      return { kind: 'DIVIDEND', description: 'Cash dividend of 0.005 %, reinvested', ...multipliers }
    case 2:
      return { kind: 'SPLIT', description: 'One new share for four old shares', ...multipliers }
    default:
      return { kind: 'SYMBOL_CHANGE', description: 'The share is listed under another symbol', ...multipliers }
  }
}

function multiplierBefore(number: number): string {
  const dividends = dividendsBefore(number) - dividendsBefore(Math.floor(dividendsSinceMs / cycle.ms))
  const split = stepOf(number) === 1 || stepOf(number) === 2 ? splitFactor : 1
  return String(Number((split * dividendFactor ** dividends).toFixed(6)))
}

function stepOf(number: number): number {
  return ((number % 4) + 4) % 4
}

function dividendsBefore(number: number): number {
  return Math.floor((number + 2) / 4)
}
