import { expect, test } from 'vitest'
import type { Page } from '../../../../../renderer/state/page'
import { layOutColumns } from '../../../../../renderer/ui/column-layout'
import { ruleColumns, type RuleShown } from '../../../../../renderer/views/alerts/rule-columns'

/** Widths of the columns in a window of this width, if the widest distance has these widths. */
function widthsFor(availablePx: number, distance: number, short: number) {
  const columns = ruleColumns({} as Page['mirror'], {} as RuleShown)
  const widest = { index: 99, condition: 250, level: 66, distance, short, bare: short }
  return layOutColumns(columns, widest, availablePx).map(({ column, px }) => [column.key, px])
}

test.each([1_084, 704])('the columns stay in place when values arrive and grow, in %i px', (availablePx) => {
  const withoutValues = widthsFor(availablePx, 84, 84)
  expect(widthsFor(availablePx, 120, 45)).toEqual(withoutValues)
  expect(widthsFor(availablePx, 168, 92)).toEqual(withoutValues)
})

test('a state gives its button and its spare room to a condition that would be cut', () => {
  const columns = ruleColumns({} as Page['mirror'], {} as RuleShown)
  const widest = { index: 99, condition: 232, level: 66, distance: 84, short: 84, bare: 84, badge: 88 }
  const shown = layOutColumns(columns, widest, 688)
  const widths = shown.map(({ column, px = 0, form }) => [column.key, px, form])
  expect(widths).toContainEqual(['state', 104, 'short'])
  expect(widths).toContainEqual(['condition', 283, undefined])
})
