import { describe, expect, test } from 'vitest'
import { Throttle } from '../../../../main/base/throttle'
import { FakeClock } from '../../../support/fake-clock'

function start(first?: 'now' | 'nextTurn' | 'afterSpacing') {
  const clock = new FakeClock()
  const runs: number[] = []
  const startMs = clock.monotonicMs()
  const run = () => runs.push(clock.monotonicMs() - startMs)
  const throttle = new Throttle({ clock, spacingMs: 100, run, ...(first !== undefined && { first }) })
  return { clock, runs, throttle }
}

describe('requests in quick succession', () => {
  test('run at once, then once per spacing, including the last', () => {
    const { clock, runs, throttle } = start()
    for (let at = 0; at < 25; at++) {
      throttle.request()
      clock.advance(10)
    }
    expect(runs).toEqual([0, 100, 200])
    clock.advance(1_000)
    expect(runs).toEqual([0, 100, 200, 300])
    throttle.request()
    expect(runs.at(-1)).toBe(1_250)
  })

  test('run on the next turn if the first run waits for it', () => {
    const { clock, runs, throttle } = start('nextTurn')
    throttle.request()
    throttle.request()
    expect([runs, throttle.isWaiting]).toEqual([[], true])
    clock.advance(0)
    expect([runs, throttle.isWaiting]).toEqual([[0], false])
    throttle.request()
    clock.advance(99)
    expect(runs).toEqual([0])
    clock.advance(1)
    expect(runs).toEqual([0, 100])
  })

  test('run together after the spacing if they are collected', () => {
    const { clock, runs, throttle } = start('afterSpacing')
    clock.advance(500)
    throttle.request()
    clock.advance(60)
    throttle.request()
    clock.advance(40)
    expect(runs).toEqual([600])
  })
})

test('an immediate run replaces a waiting one and restarts the spacing', () => {
  const { clock, runs, throttle } = start()
  throttle.request()
  clock.advance(50)
  throttle.request()
  throttle.runNow()
  clock.advance(70)
  throttle.request()
  clock.advance(1_000)
  expect(runs).toEqual([0, 50, 150])
})

test.each(['now', 'nextTurn', 'afterSpacing'] as const)(
  'a cancelled run does not happen, and the next one does (%s)',
  (first) => {
    const { clock, runs, throttle } = start(first)
    throttle.runNow()
    throttle.request()
    throttle.cancel()
    clock.advance(1_000)
    expect(runs).toEqual([0])
    throttle.request()
    throttle.cancel()
    const before = runs.length
    clock.advance(1_000)
    expect(runs).toHaveLength(before)
    throttle.request()
    clock.advance(100)
    expect(runs.length).toBe(before + 1)
  },
)
