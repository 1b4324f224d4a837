import { expect, test } from 'vitest'
import type { Page } from '../../../../../renderer/state/page'
import { layOutColumns } from '../../../../../renderer/ui/column-layout'
import { ruleColumns } from '../../../../../renderer/views/alerts/rule-columns'

/** Widths of the columns in a window of this width, if the widest distance has these widths. */
function widthsFor(availablePx: number, distance: number, short: number) {
  const columns = ruleColumns({} as Page['mirror'])
  const widest = { index: 99, condition: 250, level: 66, distance, short, bare: short }
  return layOutColumns(columns, widest, availablePx).map(({ column, px }) => [column.key, px])
}

test.each([1_084, 704])('the columns stay in place when values arrive and grow, in %i px', (availablePx) => {
  const withoutValues = widthsFor(availablePx, 84, 84)
  expect(widthsFor(availablePx, 120, 45)).toEqual(withoutValues)
  expect(widthsFor(availablePx, 168, 92)).toEqual(withoutValues)
})
