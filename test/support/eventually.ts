import { vi } from 'vitest'

/** Repeats `check` until it passes; fails with its last error when that takes absurdly long. */
export function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 4_500, interval: 5 })
}
