import { expect, test } from 'vitest'
import { CrashBudget } from '../../../../main/desktop/crash-budget'

test('allows three restarts in ten minutes, and more afterwards', () => {
  let nowMs = 0
  const budget = new CrashBudget(() => nowMs)
  expect([1, 2, 3, 4].map(() => budget.allowsRestart())).toEqual([true, true, true, false])
  nowMs = 10 * 60_000
  expect(budget.allowsRestart()).toBe(true)
})
