import { expect, test, vi } from 'vitest'
import { ReplayClock } from '../../../simulator/clock'

test('a replayed day stands still until the first timer is set', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  try {
    const clock = new ReplayClock(1_000_000, 10)
    vi.advanceTimersByTime(5_000)
    expect(clock.wallMs()).toBe(1_000_000)
    const run = vi.fn()
    clock.after(200, run)
    vi.advanceTimersByTime(19)
    expect(run).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(run).toHaveBeenCalledOnce()
    expect(clock.wallMs()).toBe(1_000_200)
  } finally {
    vi.useRealTimers()
  }
})
