import { expect, test } from 'vitest'
import { Liveness } from '../../../../main/feed/liveness'
import { FakeClock } from '../../../support/fake-clock'

function watched() {
  const clock = new FakeClock()
  const seen = { pings: 0, deaths: 0 }
  const liveness = new Liveness({
    clock,
    silenceTimeoutMs: 15_000,
    pongTimeoutMs: 10_000,
    ping: () => seen.pings++,
    onDead: () => seen.deaths++,
  })
  liveness.start()
  /** Pings and deaths after this many milliseconds. */
  const after = (ms: number) => {
    clock.advance(ms)
    return [seen.pings, seen.deaths]
  }
  return { clock, liveness, seen, after }
}

test('a silent peer is pinged after 15 s and dropped after 10 s more', () => {
  const { clock, seen, after } = watched()
  expect(after(14_999)).toEqual([0, 0])
  expect(after(1)).toEqual([1, 0])
  clock.advance(9_999)
  expect(seen.deaths).toBe(0)
  expect(after(1)).toEqual([1, 1])
  expect(after(600_000)).toEqual([1, 1])
})

test('a talking peer is never pinged, and costs one timer', () => {
  const { clock, liveness, seen } = watched()
  for (let i = 0; i < 1_000; i++) {
    clock.advance(100)
    liveness.noteActivity()
    expect(clock.pending).toBe(1)
  }
  expect(seen).toEqual({ pings: 0, deaths: 0 })
})

test('an answer to the ping allows another 15 s', () => {
  const { clock, liveness, after } = watched()
  clock.advance(15_000)
  liveness.noteActivity()
  expect(after(14_999)).toEqual([1, 0])
  expect(after(1)).toEqual([2, 0])
  expect(after(10_000)).toEqual([2, 1])
})

test('after this process was suspended the peer is pinged once more', () => {
  const { clock, liveness, seen, after } = watched()
  clock.advance(15_000)
  clock.sleep(30_000)
  expect(after(0)).toEqual([2, 0])
  liveness.noteActivity()
  clock.advance(10_000)
  expect(seen.deaths).toBe(0)
})

test('twin: a dead peer is also found after a suspension', () => {
  const { clock, after } = watched()
  clock.advance(15_000)
  clock.sleep(30_000)
  expect(after(10_000)).toEqual([2, 1])
})

test('a jump of the wall clock has no effect', () => {
  const { clock, after } = watched()
  clock.jumpWall(3_600_000)
  expect(after(14_000)).toEqual([0, 0])
})

test('does nothing after stop', () => {
  const { clock, liveness, after } = watched()
  liveness.stop()
  expect(after(60_000)).toEqual([0, 0])
  expect(clock.pending).toBe(0)
})
