import { expect, test } from 'vitest'
import { ruleColumns } from '../../../../../renderer/views/alerts/rule-columns'

test('the reason of a state is shown where there is room for more than its first word', () => {
  const widths = { index: 80, condition: 60, level: 70, state: 400, distance: 130, shortDistance: 90, bareDistance: 50 }
  expect(ruleColumns(widths, 1_084).hasReason).toBe(true)
  expect(ruleColumns(widths, 704).hasReason).toBe(false)
})
