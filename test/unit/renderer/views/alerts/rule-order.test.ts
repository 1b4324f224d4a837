import { expect, test } from 'vitest'
import { sortedRuleIds, type RuleFacts, type RuleSortColumn } from '../../../../../renderer/views/alerts/rule-order'
import { levelDraft, ruleView } from '../../../../support/sample-alerts'

function facts(id: string, level: string, more: Partial<RuleFacts> & { indexId?: string } = {}): RuleFacts {
  const { indexId = 'BRTI', ...rest } = more
  return { rule: ruleView(id, levelDraft(level, { indexId })), state: 'armed', value: '100', ...rest }
}

function by(column: RuleSortColumn, rows: RuleFacts[], isDescending = false): string[] {
  return sortedRuleIds(rows, { column, isDescending })
}

test('without a sort rules keep their order', () =>
  expect(sortedRuleIds([facts('b', '2'), facts('a', '1')], null)).toEqual(['b', 'a']))

test('by state, rules that need the user come first and finished ones last', () => {
  const states = ['expired', 'armed', 'triggered', 'cannotFire', 'suspended'] as const
  const rows = states.map((state) => facts(state, '1', { state }))
  expect(by('state', rows)).toEqual(['cannotFire', 'suspended', 'triggered', 'armed', 'expired'])
  expect(by('state', rows, true)).toEqual(['expired', 'armed', 'triggered', 'suspended', 'cannotFire'])
})

test('by distance, the nearest level or edge in percent comes first', () => {
  const band = ruleView('band', { ...levelDraft(), terms: { condition: 'leavesBand', low: '50', high: '100.4' } })
  const rows = [
    facts('far', '150'),
    facts('near', '99.50'),
    facts('nearest', '0.000000100000001', { value: '1e-7' }),
    { ...facts('band', '1'), rule: band },
  ]
  expect(by('distance', rows)).toEqual(['nearest', 'band', 'near', 'far'])
})
