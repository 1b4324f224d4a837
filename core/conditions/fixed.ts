import { clockOf, fixingTime, placeOf } from '../fixings'
import { condition } from '../evaluation/condition'
import { publicationInputs } from '../evaluation/observation'
import { armed, fireEvent } from '../evaluation/verdict'
import { spanText } from '../spans'

/** Fires on each value that is not carried forward, and once if none has come `graceMs` after its due time. */
export const fixed = condition({
  group: 'Publication',
  fields: { graceMs: 'required' },
  source: 'values',
  requires: 'fixing',
  canHold: false,
  canBeTrueAtStart: false,
  watch: 'fixing',
  seesRepeats: true,
  sentence: '[publishes its fixing], or is {graceMs} late',
  offered: 'fixing published or late',
  samples: [{ graceMs: 900_000 }],
  words: () => 'publishes its fixing, or is late by',
  amount: ({ graceMs }) => spanText(graceMs),
  past: () => 'published its fixing, or was late',
  /** Uses the clock of the fixing: `no fixing received by 16:15 London (expected 16:00)`. */
  fired({ graceMs }, { indexId, inputs: { dueMs }, value }) {
    if (dueMs === undefined) return `published its fixing: ${value}`
    const time = fixingTime(indexId)
    if (time === undefined) return 'no fixing received'
    return `no fixing received by ${clockOf(time, dueMs + graceMs)} ${placeOf(time)} (expected ${clockOf(time, dueMs)})`
  },
  /**
   * Each value that is not carried forward is a fixing and fires, except the one in effect when the rule was created.
   */
  judge(rule, state, { publication }) {
    const { publishedAtMs, isRepeatOfPrevious } = publication
    if (isRepeatOfPrevious === true) {
      return { state: armed(state), firings: [], words: 'Carried forward, not a fixing: armed.' }
    }
    const next = { ...armed(state), fixedMs: publishedAtMs }
    if (state.whenAlreadyMet === 'wait')
      return { state: next, firings: [], words: 'Published before the alert started: armed.' }
    return fireEvent(rule, next, {
      inputs: publicationInputs(publication),
      atMs: publishedAtMs,
      fact: 'Fixing published',
    })
  },
})

/** The terms used by the button in the fixings view. */
export const fixingTerms = { condition: 'fixed', graceMs: 900_000 } as const
