import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { firedStepSchema } from '../../../../main/alerts/fired-step'
import { ActiveRule } from '../../../../main/alerts/active-rule'
import { initialState, phaseOf, stateSchema } from '../../../../main/alerts/rules/state'
import type { AlertRule, AlertTerms } from '../../../../protocol/alerts'
import type { Publication } from '../../../../protocol/model'

const startMs = Date.UTC(2023, 10, 1, 12)
const at = (second: number) => startMs + second * 1_000
const risesTo: AlertTerms = { condition: 'risesTo', level: '100' }
const movesUp: AlertTerms = { condition: 'moves', direction: 'up', amount: '2', unit: 'percent', withinMs: 3_000 }

function openRun(terms: AlertTerms = risesTo, more: Partial<AlertRule> = {}) {
  const rule: AlertRule = {
    id: 'r',
    indexId: 'BRTI',
    terms,
    repeat: { mode: 'once' },
    severity: 'normal',
    version: 1,
    createdAtMs: startMs,
    ...more,
  }
  let run = new ActiveRule(rule, initialState('wait'))
  let previous: Publication | undefined
  let events = 0
  const note = (publishedAtMs?: number) => {
    run.noteEvent(`e${++events}`, publishedAtMs ?? 0)
  }
  return {
    run: () => run,
    phase: () => phaseOf(run.state),
    /** One value a second from this one on; the seconds at which it fired. */
    see: (from: number, ...values: string[]): number[] =>
      values.flatMap((value, place) => {
        const publication = { value, publishedAtMs: at(from + place) }
        const { firings } = run.see({
          kind: 'value',
          publication,
          ...(previous !== undefined && { previous }),
          cadence: 'PER_SECOND',
        })
        previous = publication
        for (const { publishedAtMs } of firings) note(publishedAtMs)
        return firings.map(() => from + place)
      }),
    /** The amendment's own time is so many seconds after noon. */
    amend: (second: number, value: string, amendedAt = 1_000) => {
      const amendments = run.amend({ value, publishedAtMs: at(second), amendedAtMs: at(amendedAt) })
      for (const { kind, inputs } of amendments) if (kind === 'lateByAmendment') note(inputs.publishedAtMs)
      return amendments
    },
    restart: () => {
      const kept = v.parse(
        v.object({ state: stateSchema, fired: v.array(firedStepSchema) }),
        JSON.parse(JSON.stringify({ state: run.state, fired: run.fired })),
      )
      run = new ActiveRule(rule, kept.state, kept.fired)
    },
  }
}

describe('an amendment', () => {
  test('that undoes a firing retracts it and arms the rule again, which then fires again', () => {
    const { see, amend, phase, run } = openRun()
    expect(see(0, '99', '100.5', '99.5')).toEqual([1])
    expect(phase()).toBe('triggered')
    expect(amend(1, '99.9')).toEqual([
      {
        kind: 'retracted',
        eventId: 'e1',
        inputs: {
          value: '99.9',
          publishedAtMs: at(1),
          amendedAtMs: at(1_000),
          previous: { value: '99', publishedAtMs: at(0) },
          direction: 'up',
        },
      },
    ])
    expect(phase()).toBe('armed')
    expect(run().fired).toEqual([])
    expect(see(3, '100')).toEqual([3])
  })

  test('that leaves a firing true confirms it with the value as amended', () => {
    const { see, amend, phase } = openRun()
    see(0, '99', '100.5')
    expect(amend(1, '100.1')).toMatchObject([
      { kind: 'confirmed', eventId: 'e1', inputs: { value: '100.1', amendedAtMs: at(1_000) } },
    ])
    expect(phase()).toBe('triggered')
  })

  test('that makes the condition true for a time past fires late, once', () => {
    const { see, amend, phase } = openRun()
    expect(see(0, '99', '99.5', '99')).toEqual([])
    expect(amend(1, '100')).toMatchObject([
      { kind: 'lateByAmendment', inputs: { value: '100', publishedAtMs: at(1), direction: 'up' } },
    ])
    expect(phase()).toBe('triggered')
    expect(see(3, '101')).toEqual([])
  })

  test('of the newest value counts as that of an older one', () => {
    const { see, amend } = openRun()
    see(0, '99', '99')
    expect(amend(1, '100')).toMatchObject([{ kind: 'lateByAmendment' }])
  })

  test('of an amendment counts where it is later, and the same one twice is nothing', () => {
    const { see, amend } = openRun()
    see(0, '99', '100')
    expect(amend(1, '99', 1_000)).toMatchObject([{ kind: 'retracted', eventId: 'e1' }])
    expect(amend(1, '99', 1_000)).toEqual([])
    expect(amend(1, '101', 999)).toEqual([])
    expect(amend(1, '101', 1_001)).toMatchObject([{ kind: 'lateByAmendment' }])
    expect(amend(1, '99', 1_002)).toMatchObject([{ kind: 'retracted', eventId: 'e2' }])
  })

  test('that moves the crossing confirms the event with the time it has now', () => {
    const { see, amend } = openRun()
    see(0, '99', '100', '101')
    expect(amend(1, '99.5')).toMatchObject([
      { kind: 'confirmed', eventId: 'e1', inputs: { value: '101', publishedAtMs: at(2), previous: { value: '99.5' } } },
    ])
    expect(amend(2, '99')).toMatchObject([{ kind: 'retracted', eventId: 'e1' }])
  })

  test('of one crossing leaves the others alone', () => {
    const { see, amend } = openRun(risesTo, { repeat: { mode: 'everyCrossing' } })
    expect(see(0, '99', '100', '99', '101', '99', '102')).toEqual([1, 3, 5])
    expect(amend(3, '99.5').map(({ kind }) => kind)).toEqual(['retracted'])
    expect(amend(2, '100')).toEqual([])
  })

  test('of a time that was never seen is passed over, as is one without a time of amendment', () => {
    const { see, run } = openRun()
    see(0, '99', '99')
    expect(run().amend({ value: '101', publishedAtMs: at(0.5), amendedAtMs: at(9) })).toEqual([])
    expect(run().amend({ value: '101', publishedAtMs: at(-5), amendedAtMs: at(9) })).toEqual([])
    expect(run().amend({ value: '101', publishedAtMs: at(1) })).toEqual([])
    // The time is one that can be amended.
    expect(run().amend({ value: '101', publishedAtMs: at(1), amendedAtMs: at(9) })).toHaveLength(1)
  })

  test('of the first value has the rule look at it for the first time again', () => {
    const { see, amend, phase } = openRun()
    see(0, '101', '102')
    expect(phase()).toBe('disarmed')
    expect(amend(0, '99')).toMatchObject([{ kind: 'lateByAmendment', inputs: { publishedAtMs: at(1) } }])
  })

  test('that breaks a hold retracts what the hold ended in', () => {
    const { see, amend } = openRun(risesTo, { holdMs: 2_000 })
    expect(see(0, '99', '100', '101', '102', '103')).toEqual([3])
    expect(amend(2, '99')).toMatchObject([{ kind: 'retracted', inputs: { value: '99', publishedAtMs: at(2) } }])
    expect(see(5, '103')).toEqual([5])
  })

  test('of what a move was measured from is judged over the window as it was', () => {
    const { see, amend } = openRun(movesUp)
    expect(see(0, '100', '99', '100', '101')).toEqual([3])
    expect(amend(1, '98')).toMatchObject([
      { kind: 'confirmed', eventId: 'e1', inputs: { reference: { kind: 'min', value: '98' } } },
    ])
    expect(amend(1, '99.9', 1_001)).toMatchObject([
      { kind: 'retracted', inputs: { value: '99.9', publishedAtMs: at(1) } },
    ])
    expect(see(4, '102')).toEqual([4])
  })

  test.each<AlertTerms>([{ condition: 'amended' }, { condition: 'carriedOver' }, { condition: 'noUpdate' }])(
    'is nothing to correct for $condition',
    (terms) => {
      const { see, amend } = openRun(terms)
      see(0, '99', '100')
      expect(amend(1, '98')).toEqual([])
    },
  )
})

describe('after a restart an amendment of what fired', () => {
  test('retracts it and arms the rule, which sees what comes later', () => {
    const { see, amend, restart, phase } = openRun()
    see(0, '99', '100')
    restart()
    expect(phase()).toBe('triggered')
    expect(amend(1, '99')).toMatchObject([{ kind: 'retracted', eventId: 'e1' }])
    expect(phase()).toBe('armed')
    expect(see(2, '100')).toEqual([2])
  })

  test('confirms it where it is still true, and may yet undo it later', () => {
    const { see, amend, restart, phase } = openRun()
    see(0, '99', '100')
    restart()
    expect(amend(1, '101')).toMatchObject([{ kind: 'confirmed', eventId: 'e1', inputs: { value: '101' } }])
    expect(amend(1, '100.5', 1_000)).toEqual([])
    restart()
    expect(amend(1, '99', 1_002)).toMatchObject([{ kind: 'retracted', eventId: 'e1' }])
    expect(phase()).toBe('armed')
  })

  test('has what was seen since judged again', () => {
    const { see, amend, restart } = openRun()
    see(0, '99', '100')
    restart()
    expect(see(5, '99', '101')).toEqual([])
    expect(amend(1, '99')).toMatchObject([{ kind: 'confirmed', eventId: 'e1', inputs: { publishedAtMs: at(6) } }])
  })

  test('leaves the state as it is where the rule has fired again since', () => {
    const { see, amend, restart, phase } = openRun(risesTo, { repeat: { mode: 'everyCrossing' } })
    see(0, '99', '100', '99', '100')
    restart()
    expect(amend(1, '99')).toMatchObject([{ kind: 'retracted', eventId: 'e1' }])
    expect(phase()).toBe('disarmed')
    expect(amend(3, '99')).toMatchObject([{ kind: 'retracted', eventId: 'e2' }])
    expect(phase()).toBe('armed')
  })

  test('judges a move by the value it was measured from', () => {
    const { see, amend, restart, phase } = openRun(movesUp)
    expect(see(0, '100', '99', '100', '101')).toEqual([3])
    restart()
    expect(amend(3, '100.98')).toMatchObject([
      { kind: 'confirmed', inputs: { reference: { kind: 'min', value: '99', publishedAtMs: at(1) } } },
    ])
    expect(amend(3, '100.97', 1_001)).toMatchObject([{ kind: 'retracted', eventId: 'e1' }])
    expect(phase()).toBe('armed')
  })

  test('but not of what did not fire: what was before it is not known any more', () => {
    const { see, amend, restart } = openRun()
    see(0, '99', '99.5')
    restart()
    expect(amend(1, '101')).toEqual([])
  })

  test('counts too where it was made while the app was closed: reported, and then seen as the latest value', () => {
    const { see, amend, restart, phase, run } = openRun()
    see(0, '99', '100')
    restart()
    expect(amend(1, '99.5')).toMatchObject([{ kind: 'retracted', eventId: 'e1' }])
    expect(see(1, '99.5')).toEqual([])
    expect(phase()).toBe('armed')
    expect(amend(1, '100', 1_001)).toMatchObject([{ kind: 'lateByAmendment' }])
    expect(run().fired.map(({ eventId }) => eventId)).toEqual(['e2'])
  })

  test('is found where the last value comes once more before it', () => {
    const { see, amend, restart, phase } = openRun()
    see(0, '99', '100')
    restart()
    expect(see(1, '100')).toEqual([])
    expect(amend(1, '99')).toMatchObject([{ kind: 'retracted', eventId: 'e1' }])
    expect(phase()).toBe('armed')
  })
})
