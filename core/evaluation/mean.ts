/** Levels of a mean of published values (alert engine, 31). */
import { isRealTime } from '../cadence'
import type { AlertInputs } from '../alert-inputs'
import { termsFields } from '../conditions/fields'
import { floorText, roundedText } from '../decimal'
import type { DecimalText, IndexInfo } from '../model'
import { usualDecimals } from '../settlement/bound-window'
import { MeanWindow } from '../settlement/mean-window'
import { spanText } from '../spans'
import { condition, type Condition, type FieldValues, type Fired } from './condition'
import type { Reading } from './latch'
import { valueInputs } from './observation'
import type { RuleMemory, RuleState } from './state'
import { armed, fireEvent, judgeReading, nothing } from './verdict'

const fields = { level: 'required', withinMs: 'required', rearmBand: 'optional' } as const
type MeanTerms = FieldValues<typeof fields>

/**
 * A mean of at most 3,600 values equals a level, or differs from it by more than a unit of this place. Cutting it off
 * here changes no comparison.
 */
const comparedPlaces = 60
const secondMs = 1_000
const maxWindowMs = 3_600_000

interface MeanDefinition {
  /** As in "rises to" and "rose to". */
  verb: string
  past: string
  /** The condition that compares a value with a level in the same way. */
  level: Condition<{ level: 'required'; rearmBand: 'optional' }, 'values'>
  samples: readonly MeanTerms[]
}

export function meanCondition({ verb, past, level, samples }: MeanDefinition): Condition<typeof fields, 'values'> {
  return condition({
    group: 'Value',
    source: 'values',
    fields,
    canHold: true,
    canBeTrueAtStart: true,
    seesRepeats: true,
    sentence: `[mean ${verb}] {level} over {withinMs}`,
    samples,
    words: ({ withinMs }) => `mean over ${spanText(withinMs)} ${verb}`,
    amount: ({ level: text }, number) => number(text),
    past: ({ withinMs }, amount) => `mean over ${spanText(withinMs)} ${past} ${amount}`,
    fired: ({ withinMs }, { value, amount }: Fired) =>
      `mean over ${spanText(withinMs)} ${past} ${value} (level ${amount})`,
    check: (terms, index) => [...(level.check?.(terms, index) ?? []), ...checkWindow(terms, index)],
    judge(rule, before, seen, memory) {
      const { publication } = seen
      const { publishedAtMs } = publication
      if (publishedAtMs % secondMs !== 0) return nothing(before, 'Between two seconds: skipped.')
      const window = windowOf(rule.terms, memory)
      window.slide(publication)
      const { sinceMs } = before.window ?? { sinceMs: publishedAtMs }
      const state: RuleState = before.window === undefined ? { ...before, window: { sinceMs } } : before
      const missingMs = sinceMs + rule.terms.withinMs - secondMs - publishedAtMs
      if (missingMs > 0) return nothing(state, `Needs ${spanText(missingMs)} more of values.`)
      if (publication.isRepeatOfPrevious === true) return nothing(state, 'Carried forward: counted, but never fires.')
      const { mean } = window
      if (mean === undefined) return nothing(state, 'The mean has no values.')
      const reading = level.read?.(rule.terms, {
        ...seen,
        publication: { ...publication, value: floorText(mean, comparedPlaces) },
      })
      if (reading === undefined || typeof reading === 'string') return nothing(state, reading ?? 'Nothing to compare.')
      const decimals = usualDecimals([publication]) ?? 0
      return judgeReading(rule, state, ofMean(reading, roundedText(mean, decimals), seen, window))
    },
    /** Refills the window after a restart. The state was stored, the window was not. */
    recall(terms, state, memory, publication) {
      if (state.window !== undefined && publication.publishedAtMs >= state.window.sinceMs)
        windowOf(terms, memory).slide(publication)
    },
  })
}

const closingFields = { level: 'required', withinMs: 'required', close: 'required' } as const
const closeMs = { quarter: 15 * 60_000, hour: 3_600_000, day: 86_400_000 } as const

/**
 * The mean of a window that is bound to a time, such as a settlement. It fires at the last value before that time, if all
 * values are there and the rounded mean meets the level. Late and amended values are folded, as for every level.
 */
export function closingMeanCondition({
  words,
  isMet,
  sample,
}: {
  words: string
  isMet: (mean: DecimalText, level: DecimalText) => boolean
  sample: FieldValues<typeof closingFields>
}): Condition<typeof closingFields, 'values'> {
  return condition({
    group: 'Value',
    source: 'values',
    fields: closingFields,
    canHold: false,
    canBeTrueAtStart: false,
    seesRepeats: true,
    sentence: `[mean is ${words}] {level} over {withinMs} before {close}`,
    offered: `mean is ${words}, at a time`,
    samples: [sample],
    words: ({ withinMs, close }) => `mean over ${spanText(withinMs)} before ${closeWords[close]} is ${words}`,
    amount: ({ level }, number) => number(level),
    past: ({ withinMs, close }, amount) =>
      `mean over ${spanText(withinMs)} before ${closeWords[close]} was ${words} ${amount}`,
    fired: ({ withinMs }, { value, amount }) =>
      `final mean over ${spanText(withinMs)} was ${value} (${words} ${amount})`,
    check: checkWindow,
    judge({ terms, ...rule }, before, seen, memory) {
      const { publication } = seen
      const { publishedAtMs } = publication
      const window = windowOf(terms, memory)
      window.slide(publication)
      // Kept, so that a restart reads the values of the whole window again.
      const state = armed(before.window === undefined ? { ...before, window: { sinceMs: publishedAtMs } } : before)
      const { mean, counted, expected } = window
      if ((publishedAtMs + secondMs) % closeMs[terms.close] !== 0) {
        // The list of alerts shows how far the running mean is from the level.
        const measure = mean && roundedText(mean, usualDecimals([publication]) ?? 0)
        return { ...nothing(state, 'The window has not ended.'), ...(measure !== undefined && { measure }) }
      }
      const count = `${counted} of ${expected} values`
      if (mean === undefined || counted < expected) return nothing(state, `Incomplete: ${count}.`)
      const decimals = usualDecimals(window.observations.map((each) => each.publication)) ?? 0
      const value = roundedText(mean, decimals)
      if (!isMet(value, terms.level)) return nothing(state, `The final mean ${value} of ${count} does not meet it.`)
      return fireEvent(rule, state, {
        inputs: withoutPrevious({ ...valueInputs(seen), value }),
        atMs: publishedAtMs,
        fact: `The final mean ${value} of ${count} meets it`,
      })
    },
    recall(terms, _state, memory, publication) {
      windowOf(terms, memory).slide(publication)
    },
  })
}

const closeWords = termsFields.close.options

function windowOf({ withinMs }: Pick<MeanTerms, 'withinMs'>, memory: RuleMemory): MeanWindow {
  memory.mean ??= new MeanWindow({ seconds: withinMs / secondMs, stepMs: secondMs })
  return memory.mean
}

/** The previous value says nothing about a mean. */
function withoutPrevious(inputs: AlertInputs): AlertInputs {
  const own = { ...inputs }
  delete own.previous
  return own
}

/** The same reading, with the rounded mean in its words. */
function ofMean(
  reading: Reading,
  value: DecimalText,
  seen: Parameters<typeof valueInputs>[0],
  { counted, expected }: MeanWindow,
): Reading {
  return {
    ...reading,
    inputs: (direction) => withoutPrevious({ ...valueInputs(seen), ...reading.inputs(direction), value }),
    measure: value,
    fact: `The mean ${value} of ${counted} of ${expected} values${reading.fact.replace(/^\S+/, '')}`,
  }
}

function checkWindow({ withinMs }: Pick<MeanTerms, 'withinMs'>, index: IndexInfo | undefined) {
  const problem = (message: string) => [{ field: 'withinMs' as const, message }]
  if (withinMs > maxWindowMs || withinMs % secondMs !== 0) {
    return problem('The mean is that of 2 seconds to an hour, in whole seconds.')
  }
  if (index === undefined || isRealTime(index.maxResolution)) return []
  return problem(`Means need a value each second, and ${index.id} is published less often. Choose a real-time index.`)
}
