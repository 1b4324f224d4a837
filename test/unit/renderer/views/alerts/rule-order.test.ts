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

test('rules without a distance are last in both directions', () => {
  const moves = { condition: 'moves', direction: 'up', amount: '1', unit: 'percent', withinMs: 60_000 } as const
  const done = facts('done', '100')
  const rows = [
    { ...done, rule: { ...done.rule, phase: 'triggered' as const } },
    facts('unknown', '100', { value: undefined }),
    { ...facts('moves', '1'), rule: ruleView('moves', { ...levelDraft(), terms: moves }) },
    facts('b', '120'),
    facts('a', '110'),
  ]
  expect(by('distance', rows)).toEqual(['a', 'b', 'done', 'unknown', 'moves'])
  expect(by('distance', rows, true)).toEqual(['b', 'a', 'done', 'unknown', 'moves'])
})

test('ids and sentences are sorted as words, numbers in them by size', () => {
  const rows = [facts('b', '9', { indexId: 'UC10' }), facts('a', '100', { indexId: 'UC2' })]
  expect(by('index', rows)).toEqual(['a', 'b'])
  expect(by('condition', rows)).toEqual(['b', 'a'])
})
