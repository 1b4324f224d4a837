import { expect, test } from 'vitest'
import { ClockWatch } from '../../../main/app-clock-watch'

test('one value from the future is let pass in silence, a row of them is told once', () => {
  const told: string[] = []
  const watch = new ClockWatch((message) => told.push(message))
  for (let round = 0; round < 10; round++) {
    watch.refused()
    watch.accepted()
  }
  expect(told).toEqual([])
  for (let at = 0; at < 20; at++) watch.refused()
  expect(told).toEqual([expect.stringContaining('clock')])
})
