import { expect, onTestFinished, test, vi } from 'vitest'
import { SystemClock } from '../../../../main/base/clock'
import { FakeClock } from '../../../support/fake-clock'

test('monotonic time counts the sleep that is reported to it, and never a negative one', () => {
  const clock = new SystemClock()
  const beforeMs = clock.monotonicMs()
  clock.noteSleep(8 * 3_600_000)
  expect(clock.monotonicMs() - beforeMs).toBeGreaterThanOrEqual(8 * 3_600_000)
  const afterMs = clock.monotonicMs()
  clock.noteSleep(-5_000)
  expect(clock.monotonicMs()).toBeGreaterThanOrEqual(afterMs)
})

test('a timer runs once and a cancelled one never', async () => {
  const clock = new SystemClock()
  const ran: string[] = []
  clock.after(1, () => ran.push('kept'))
  const cancel = clock.after(1, () => ran.push('cancelled'))
  cancel()
  await new Promise<void>((resolve) => clock.after(5, resolve))
  expect(ran).toEqual(['kept'])
})

test('a part of a millisecond, which a timer of the system cuts off, makes it later and not early', () => {
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => setTimer.mockRestore())
  const run = () => undefined
  const cancel = new SystemClock().after(3.2, run)
  cancel()
  expect(setTimer).toHaveBeenCalledWith(run, 4)
})

test('the next turn comes after the code at hand', async () => {
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

test('the fake clock runs timers in the order they are due, at the moment they are due', () => {
  const clock = new FakeClock(0)
  const startMs = clock.monotonicMs()
  const seen: [string, number][] = []
  const note = (name: string) => () => {
    seen.push([name, clock.monotonicMs() - startMs])
  }
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

test('the fake clock runs what came due while it slept late, and only once it is awake', () => {
  const clock = new FakeClock(0)
  const startMs = clock.monotonicMs()
  const ranAtMs: number[] = []
  clock.after(10, () => ranAtMs.push(clock.monotonicMs() - startMs))
  clock.sleep(1_000)
  expect(ranAtMs).toEqual([])
  clock.advance(0)
  expect(ranAtMs).toEqual([1_000])
})

test('setting the fake wall clock leaves monotonic time alone', () => {
  const clock = new FakeClock(10_000)
  const beforeMs = clock.monotonicMs()
  clock.jumpWall(-4_000)
  expect(clock.wallMs()).toBe(6_000)
  expect(clock.monotonicMs()).toBe(beforeMs)
})
