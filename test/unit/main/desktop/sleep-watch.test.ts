import { expect, test } from 'vitest'
import { SleepWatch } from '../../../../main/desktop/sleep-watch'

function start() {
  const clocks = { wall: 1_000, monotonic: 50 }
  const wakes: number[] = []
  const watch = new SleepWatch({ wallMs: () => clocks.wall, monotonicMs: () => clocks.monotonic }, (sleptMs) =>
    wakes.push(sleptMs),
  )
  return { clocks, wakes, watch }
}

test('sleep is what the wall clock counted and the monotonic clock did not', () => {
  const { clocks, wakes, watch } = start()
  watch.suspended()
  clocks.wall += 3_600_000
  clocks.monotonic += 200
  watch.resumed()
  expect(wakes).toEqual([3_599_800])
})

test('announcements that come twice count once', () => {
  const { clocks, wakes, watch } = start()
  watch.suspended()
  clocks.wall += 10
  watch.suspended()
  clocks.wall += 90
  watch.resumed()
  watch.resumed()
  expect(wakes).toEqual([100])
})

test('a clock that was set back makes no negative sleep', () => {
  const { clocks, wakes, watch } = start()
  watch.suspended()
  clocks.wall -= 3_600_000
  watch.resumed()
  expect(wakes).toEqual([0])
})
