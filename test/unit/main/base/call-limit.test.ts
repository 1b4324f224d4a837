import { expect, test } from 'vitest'
import { restartLimit } from '../../../../main/base/call-limit'

test('allows three restarts in ten minutes, and more afterwards', () => {
  let nowMs = 0
  const limit = restartLimit({ monotonicMs: () => nowMs })
  expect([1, 2, 3, 4].map(() => limit.admit().ok)).toEqual([true, true, true, false])
  nowMs = 10 * 60_000
  expect(limit.admit().ok).toBe(true)
})
