import { expect, onTestFinished, test, vi } from 'vitest'
import { SystemClock } from '../../../../main/base/clock'

test('monotonic time includes reported sleep, and no negative one', () => {
  const clock = new SystemClock()
  const beforeMs = clock.monotonicMs()
  clock.noteSleep(8 * 3_600_000)
  expect(clock.monotonicMs() - beforeMs).toBeGreaterThanOrEqual(8 * 3_600_000)
  const afterMs = clock.monotonicMs()
  clock.noteSleep(-5_000)
  expect(clock.monotonicMs()).toBeGreaterThanOrEqual(afterMs)
})

test('time stands still within a turn and advances with the next, except for the time it is busy', async () => {
  const clock = new SystemClock()
  const reads = () => [clock.wallMs(), clock.monotonicMs()]
  const before = reads()
  const startMs = clock.busyMs()
  while (clock.busyMs() - startMs < 3) continue
  expect(reads()).toEqual(before)
  await Promise.resolve()
  expect(clock.wallMs()).toBeGreaterThan(before[0] ?? 0)
  expect(clock.monotonicMs()).toBeGreaterThan(before[1] ?? 0)
})

test('a timer runs once, and never after it was cancelled', async () => {
  const clock = new SystemClock()
  const ran: string[] = []
  clock.after(1, () => ran.push('kept'))
  const cancel = clock.after(1, () => ran.push('cancelled'))
  cancel()
  await new Promise<void>((resolve) => clock.after(5, resolve))
  expect(ran).toEqual(['kept'])
})

test('a timer is late rather than early by a fraction of a millisecond', () => {
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => setTimer.mockRestore())
  const run = () => undefined
  const cancel = new SystemClock().after(3.2, run)
  cancel()
  expect(setTimer).toHaveBeenCalledWith(run, 4)
})

test('the next turn comes after the current code', async () => {
  const order: string[] = []
  const turned = new Promise<void>((resolve) =>
    new SystemClock().nextTurn(() => {
      order.push('turn')
      resolve()
    }),
  )
  order.push('code')
  await turned
  expect(order).toEqual(['code', 'turn'])
})
