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
  return { clock, liveness, seen }
}

test('a silent peer is asked after 15 s and given up after 10 s more', () => {
  const { clock, seen } = watched()
  clock.advance(14_999)
  expect(seen).toEqual({ pings: 0, deaths: 0 })
  clock.advance(1)
  expect(seen).toEqual({ pings: 1, deaths: 0 })
  clock.advance(9_999)
  expect(seen.deaths).toBe(0)
  clock.advance(1)
  expect(seen).toEqual({ pings: 1, deaths: 1 })
  clock.advance(600_000)
  expect(seen).toEqual({ pings: 1, deaths: 1 })
})

test('a peer that talks is never asked, and costs one timer however much it says', () => {
  const { clock, liveness, seen } = watched()
  for (let i = 0; i < 1_000; i++) {
    clock.advance(100)
    liveness.noteActivity()
    expect(clock.pending).toBe(1)
  }
  expect(seen).toEqual({ pings: 0, deaths: 0 })
})

test('an answer to the ping buys another 15 s', () => {
  const { clock, liveness, seen } = watched()
  clock.advance(15_000)
  liveness.noteActivity()
  clock.advance(14_999)
  expect(seen).toEqual({ pings: 1, deaths: 0 })
  clock.advance(1)
  expect(seen).toEqual({ pings: 2, deaths: 0 })
  clock.advance(10_000)
  expect(seen).toEqual({ pings: 2, deaths: 1 })
})

test('when our own timer came late, we slept: the peer is asked once more before it is given up', () => {
  const { clock, liveness, seen } = watched()
  clock.advance(15_000)
  clock.sleep(30_000)
  clock.advance(0)
  expect(seen).toEqual({ pings: 2, deaths: 0 })
  liveness.noteActivity()
  clock.advance(10_000)
  expect(seen.deaths).toBe(0)
})

test('twin: a dead peer is found dead after our sleep too', () => {
  const { clock, seen } = watched()
  clock.advance(15_000)
  clock.sleep(30_000)
  clock.advance(10_000)
  expect(seen).toEqual({ pings: 2, deaths: 1 })
})

test('a jump of the wall clock means nothing', () => {
  const { clock, seen } = watched()
  clock.jumpWall(3_600_000)
  clock.advance(14_000)
  expect(seen).toEqual({ pings: 0, deaths: 0 })
})

test('once stopped it asks nothing more', () => {
  const { clock, liveness, seen } = watched()
  liveness.stop()
  clock.advance(60_000)
  expect(seen).toEqual({ pings: 0, deaths: 0 })
  expect(clock.pending).toBe(0)
})
