import { expect, onTestFinished, test, vi } from 'vitest'
import { SystemClock } from '../../../../main/base/clock'
import { FakeClock } from '../../../support/fake-clock'

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

test('the fake clock runs timers in order, each at its time', () => {
  const clock = new FakeClock(0)
  const startMs = clock.monotonicMs()
  const seen: [string, number][] = []
  const note = (name: string) => () => seen.push([name, clock.monotonicMs() - startMs])
  clock.after(20, note('late'))
  clock.after(10, () => {
    note('early')()
    clock.after(5, note('set by a timer'))
  })
  clock.nextTurn(note('turn'))
  clock.advance(30)
  expect(seen).toEqual([
    ['turn', 0],
    ['early', 10],
    ['set by a timer', 15],
    ['late', 20],
  ])
  expect(clock.wallMs()).toBe(30)
  expect(clock.pending).toBe(0)
})

test('the fake clock runs due timers late, after it wakes up', () => {
  const clock = new FakeClock(0)
  const startMs = clock.monotonicMs()
  const ranAtMs: number[] = []
  clock.after(10, () => ranAtMs.push(clock.monotonicMs() - startMs))
  clock.sleep(1_000)
  expect(ranAtMs).toEqual([])
  clock.advance(0)
  expect(ranAtMs).toEqual([1_000])
})

test('setting the fake wall clock does not change monotonic time', () => {
  const clock = new FakeClock(10_000)
  const beforeMs = clock.monotonicMs()
  clock.jumpWall(-4_000)
  expect(clock.wallMs()).toBe(6_000)
  expect(clock.monotonicMs()).toBe(beforeMs)
})
