import { expect, test } from 'vitest'
import { watchClock } from '../../../../main/app/clock-watch'
import { FakeClock } from '../../../support/fake-clock'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

function watched() {
  const clock = new FakeClock()
  const notices: string[] = []
  const end = watchClock({ clock, uptimeMs: () => clock.monotonicMs(), onNotice: (notice) => notices.push(notice) })
  return { clock, notices, end }
}

test.each([
  ['forward by 60 min', hourMs],
  ['back by 60 min', -hourMs],
  ['forward by 365 days', 365 * dayMs],
  ['back by 365 days', -365 * dayMs],
  ['forward by 1461 days', 1_461 * dayMs],
  ['back by 1461 days', -1_461 * dayMs],
])('reports once that the clock was set %s', (words, jumpMs) => {
  const { clock, notices } = watched()
  clock.advance(minuteMs)
  clock.jumpWall(jumpMs)
  clock.advance(hourMs)
  expect(notices).toEqual([expect.stringContaining(`This computer's clock was set ${words}.`)])
  clock.jumpWall(-jumpMs)
  clock.advance(hourMs)
  expect(notices).toHaveLength(2)
})

test('reports neither small corrections nor sleep, and nothing after the end', () => {
  const { clock, notices, end } = watched()
  for (let times = 0; times < 100; times++) {
    clock.jumpWall(500)
    clock.advance(minuteMs)
  }
  clock.sleepMachine(8 * hourMs)
  clock.advance(hourMs)
  end()
  clock.jumpWall(dayMs)
  clock.advance(hourMs)
  expect(notices).toEqual([])
  expect(clock.pending).toBe(0)
})
