import { vi } from 'vitest'

/** Repeats `check` until it passes. After a very long time, fails with its last error. */
export function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 100_000, interval: 5 })
}
