import { expect, test } from 'vitest'
import { Ticker } from '../../../../simulator/stream/ticker'
import { FakeClock } from '../../../support/fake-clock'

const startMs = Date.UTC(2023, 10, 1, 12)

/** A ticker over one channel that records the spans it is asked to send, relative to the start. */
function bench(stepMs: number | undefined) {
  const clock = new FakeClock(startMs)
  const spans: [number, number][] = []
  const state = { stepMs }
  const channel = {
    stepMs: () => state.stepMs,
    advance: (afterMs: number, untilMs: number) => spans.push([afterMs - startMs, untilMs - startMs]),
  }
  const ticker = new Ticker(clock, () => clock.wallMs(), [channel])
  ticker.run()
  return { clock, ticker, spans, state }
}

test('it fires on the boundaries of the required step', () => {
  const { clock, ticker, spans, state } = bench(1_000)
  clock.advance(2_000)
  state.stepMs = 200
  ticker.run()
  clock.advance(400)
  expect(spans).toEqual([
    [0, 1_000],
    [1_000, 2_000],
    [2_000, 2_200],
    [2_200, 2_400],
  ])
})

test('it sets no timer without subscribers, and one with the first', () => {
  const { clock, ticker, state } = bench(undefined)
  expect(clock.pending).toBe(0)
  state.stepMs = 1_000
  ticker.run()
  ticker.run()
  expect(clock.pending).toBe(1)
  ticker.dispose()
  expect(clock.pending).toBe(0)
})

test('after a short pause everything missed is sent, after a long one the last second only', () => {
  const { clock, spans } = bench(1_000)
  clock.sleep(9_000)
  clock.advance(0)
  clock.sleep(60_000)
  clock.advance(0)
  expect(spans).toEqual([
    [0, 9_000],
    [68_000, 69_000],
  ])
})

test('when the clock is set back nothing is sent twice, and it continues from there', () => {
  const { clock, spans } = bench(1_000)
  clock.advance(1_000)
  clock.jumpWall(-3_600_000)
  clock.advance(2_000)
  expect(spans).toEqual([
    [0, 1_000],
    [-3_598_000, -3_597_000],
  ])
})
