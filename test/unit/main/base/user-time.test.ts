import { expect, test } from 'vitest'
import { userDay } from '../../../../main/base/user-time'

test("the day of a time depends on the user's zone", () => {
  const lateMs = Date.UTC(2026, 10, 21, 23, 30)
  expect(userDay(lateMs, 'UTC')).toBe('2026-11-21')
  expect(userDay(lateMs, 'Asia/Tokyo')).toBe('2026-11-22')
  expect(userDay(lateMs, 'America/New_York')).toBe('2026-11-21')
  expect(userDay(lateMs, 'system')).toMatch(/^2026-11-2[12]$/)
})
