import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { watchPower } from '../../../../main/desktop/power'

function start() {
  const clocks = { wall: 1_000, monotonic: 50 }
  const wakes: number[] = []
  const monitor = new EventEmitter()
  watchPower(monitor, { wallMs: () => clocks.wall, monotonicMs: () => clocks.monotonic }, (sleptMs) => {
    wakes.push(sleptMs)
  })
  return { clocks, wakes, monitor }
}

test("sleep is the wall clock's time minus the monotonic clock's", () => {
  const { clocks, wakes, monitor } = start()
  monitor.emit('suspend')
  clocks.wall += 3_600_000
  clocks.monotonic += 200
  monitor.emit('resume')
  expect(wakes).toEqual([3_599_800])
})

test('counts repeated announcements once', () => {
  const { clocks, wakes, monitor } = start()
  monitor.emit('suspend')
  clocks.wall += 10
  monitor.emit('suspend')
  clocks.wall += 90
  monitor.emit('resume')
  monitor.emit('resume')
  expect(wakes).toEqual([100])
})

test('a clock set back causes no negative sleep', () => {
  const { clocks, wakes, monitor } = start()
  monitor.emit('suspend')
  clocks.wall -= 3_600_000
  monitor.emit('resume')
  expect(wakes).toEqual([0])
})
