import { expect, test } from 'vitest'
import { ruleState } from '../../../../renderer/format/alert-states'
import { levelDraft, ruleView } from '../../../support/sample-alerts'
import { sampleNowMs } from '../../../support/sample-now'

const style = { grouping: 'comma', timeZone: 'UTC' } as const

const rule = ruleView('r1', levelDraft('1', { indexId: 'NOPE_RTI' }))
const mute = [{ scope: { of: 'all' }, untilMs: null }] as const

test('a rule whose index the service refuses says that it cannot fire, whatever silences it', () => {
  expect(ruleState(rule, [], sampleNowMs, style)).toMatchObject({ kind: 'armed' })
  const refused = ruleState(rule, mute, sampleNowMs, style, 'Unrecognised stream ID.')
  expect(refused).toMatchObject({ kind: 'refused', text: 'index refused' })
  expect(refused.title).toContain('refuses NOPE_RTI: Unrecognised stream ID. The rule waits')
})

test('a rule that is over says so, refused or not', () => {
  expect(ruleState({ ...rule, phase: 'triggered' }, [], sampleNowMs, style, 'Unrecognised stream ID').kind).toBe(
    'triggered',
  )
})
