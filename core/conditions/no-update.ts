import { condition, type JudgedRule } from '../evaluation/condition'
import { publicationInputs, type Resumed, type SilenceSeen, type ValueSeen } from '../evaluation/observation'
import type { RuleState } from '../evaluation/state'
import { armed, fireEvent, nothing, type Verdict } from '../evaluation/verdict'
import { spanText } from '../spans'

/** No new value for `afterMs` on the monotonic clock. If `afterMs` is absent, several publications were missed. */
export const noUpdate = condition({
  group: 'Publication',
  fields: { afterMs: 'optional' },
  source: 'silence',
  canHold: false,
  canBeTrueAtStart: true,
  watch: 'silence',
  sentence: '[has no update for] {afterMs}',
  samples: [{}, { afterMs: 90_000_000 }],
  words: ({ afterMs }) => (afterMs === undefined ? 'has no update for longer than usual' : 'has no update for'),
  amount: ({ afterMs }) => (afterMs === undefined ? '' : spanText(afterMs)),
  past: (_, amount) => `had no update${amount === '' ? '' : ` for ${amount}`}`,
  fired: (_, { inputs: { silentSinceMs }, format }) =>
    silentSinceMs === undefined ? 'no update' : `no update since ${format.time(silentSinceMs)}`,
  /**
   * A silence fires once. A rule that repeats while true fires each time the watch reports it. The next value ends the
   * silence, even if the rule has finished or the silence fired before a restart.
   */
  judge(rule, state, seen) {
    switch (seen.kind) {
      case 'silent':
        return judgeSilent(rule, state, seen)
      case 'value':
      case 'resumed':
        return judgeActivity(state, seen)
      default:
        return nothing(state, 'Nothing to compare.')
    }
  },
})

function judgeSilent(rule: JudgedRule<unknown>, state: RuleState, { atMs, sinceMs }: SilenceSeen): Verdict {
  if (state.isDone) return nothing(state, 'It has fired once and is finished.')
  if (state.silence !== undefined && rule.repeat.mode !== 'whileTrue')
    return nothing(state, 'Still silent, already fired.')
  const next = { ...armed(state), isUpArmed: false, silence: sinceMs === undefined ? {} : { sinceMs } }
  const inputs = sinceMs === undefined ? {} : { silentSinceMs: sinceMs }
  const verdict = fireEvent(rule, next, { inputs, atMs, fact: 'Silent' })
  // The end of a silence that was not notified is not notified either.
  return verdict.isOutsideHours ? { ...verdict, state: armed(state) } : verdict
}

function judgeActivity(state: RuleState, { publication }: ValueSeen | Resumed): Verdict {
  const { silence } = state
  if (silence === undefined) return { state: armed(state), firings: [], words: 'A value arrived: armed.' }
  // After a restart, the value from before the silence is received again.
  if (silence.sinceMs !== undefined && publication.publishedAtMs <= silence.sinceMs) {
    return nothing(state, 'The value from before the silence: still silent.')
  }
  const next = { ...state, isUpArmed: !state.isDone }
  delete next.silence
  const since = silence.sinceMs === undefined ? {} : { silentSinceMs: silence.sinceMs }
  return {
    state: next,
    firings: [],
    recovered: { ...publicationInputs(publication), ...since },
    words: 'Publishes again.',
  }
}
