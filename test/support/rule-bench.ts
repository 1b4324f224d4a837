import { evaluate } from '../../core/evaluation/evaluate'
import type { Observation } from '../../core/evaluation/observation'
import {
  initialState,
  newMemory,
  phaseOf,
  type RuleMemory,
  type RuleState,
  type WhenAlreadyMet,
} from '../../core/evaluation/state'
import type { Verdict } from '../../core/evaluation/verdict'
import type { AlertInputs } from '../../core/alert-inputs'
import type { AlertDraft, AlertRule, AlertTerms } from '../../core/alerts'
import type { Constituent, ConstituentsPublication, Publication, Resolution } from '../../core/model'

export const levelConditions = ['risesTo', 'fallsTo', 'crosses', 'isAbove', 'isBelow'] as const
export const bandConditions = ['entersBand', 'leavesBand'] as const

export const benchStartMs = Date.UTC(2023, 10, 1, 12)

/** A rule that fires every time unless stated otherwise. */
export function ruleOf(terms: AlertTerms, more: Partial<AlertDraft> = {}): AlertRule {
  return {
    indexId: 'BRTI',
    terms,
    repeat: { mode: 'everyCrossing' },
    severity: 'normal',
    id: 'r',
    version: 1,
    createdAtMs: benchStartMs,
    ...more,
  }
}

/** A value, or a value with further fields. `afterMs` is ms since the start. */
export type Step = string | (Partial<Publication> & { value: string; afterMs?: number })

export interface BenchOptions {
  whenAlreadyMet?: WhenAlreadyMet
  state?: RuleState
  memory?: RuleMemory
  cadence?: Resolution | 'unknown'
  /** Time between steps unless a step has its own. */
  everyMs?: number
}

export interface BenchRun {
  fired: { at: number; inputs: AlertInputs }[]
  verdicts: Verdict[]
  state: RuleState
  phase: ReturnType<typeof phaseOf>
}

/** Passes all observations to a rule, in order. */
export function observe(rule: AlertRule, seen: readonly Observation[], options: BenchOptions = {}): BenchRun {
  const { memory = newMemory() } = options
  let state = options.state ?? initialState(options.whenAlreadyMet ?? 'wait')
  const verdicts = seen.map((each) => {
    const verdict = evaluate(rule, state, memory, each)
    state = verdict.state
    return verdict
  })
  const fired = verdicts.flatMap(({ firings }, at) => firings.map((inputs) => ({ at, inputs })))
  return { fired, verdicts, state, phase: phaseOf(state) }
}

/** The values as the engine passes them: each with its predecessor and the cadence, by default one a second. */
export function valuesSeen(steps: readonly Step[], options: BenchOptions = {}): Observation[] {
  const { cadence = 'PER_SECOND', everyMs = 1_000 } = options
  let previous: { value: string; publishedAtMs: number } | undefined
  return steps.map((step, at) => {
    const { afterMs = at * everyMs, ...own } = typeof step === 'string' ? { value: step } : step
    const publication = { publishedAtMs: benchStartMs + afterMs, ...own }
    const seen: Observation = {
      kind: 'value',
      publication,
      ...(previous !== undefined && { previous }),
      ...(cadence !== 'unknown' && { cadence }),
    }
    previous = { value: publication.value, publishedAtMs: publication.publishedAtMs }
    return seen
  })
}

/** Passes these values to a rule. */
export function run(rule: AlertRule, steps: readonly Step[], options: BenchOptions = {}): BenchRun {
  return observe(rule, valuesSeen(steps, options), options)
}

/** The steps at which a rule fires on these values. */
export function firedAt(rule: AlertRule, steps: readonly Step[], options: BenchOptions = {}): number[] {
  return run(rule, steps, options).fired.map(({ at }) => at)
}

/** Constituents by name, with a weight or with a value and a weight. */
export type Composition = Record<
  string,
  string | { value?: string; weight: string; exchanges?: Record<string, string> }
>

/** A calculation `at` seconds after the start. */
export function compositionSeen(
  at: number,
  composition: Composition,
  more: Partial<ConstituentsPublication> = {},
): Observation {
  const constituents = Object.entries(composition).map(([constituent, part]): Constituent => {
    const { value = '1', weight, exchanges } = typeof part === 'string' ? { weight: part, exchanges: undefined } : part
    return {
      constituent,
      value,
      weightPercent: weight,
      ...(exchanges !== undefined && {
        exchanges: Object.entries(exchanges).map(([exchange, weightPercent]) => ({ exchange, weightPercent })),
      }),
    }
  })
  const publication = { value: '100', publishedAtMs: benchStartMs + at * 1_000, constituents, ...more }
  return { kind: 'constituents', publication, cadence: 'PER_SECOND' }
}
