import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RequestBudget, type Urgency } from '../../../../main/rest/request-budget'
import { FakeClock } from '../../../support/fake-clock'

/** A budget, and the times and order in which requests were let through. */
function open() {
  const clock = new FakeClock()
  const budget = new RequestBudget(clock)
  const startMs = clock.monotonicMs()
  const turns: { name: string; atMs: number }[] = []
  const ask = (name: string, urgency: Urgency = 'background', signal = new AbortController().signal) => {
    const request = { urgency }
    void budget.admit(request, signal).then(() => turns.push({ name, atMs: clock.monotonicMs() - startMs }))
    return request
  }
  const pass = async (ms: number, stepMs = 25) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      clock.advance(stepMs)
      await Promise.resolve()
    }
  }
  return { clock, budget, turns, ask, pass }
}

test('ten at once, eight a second after that', async () => {
  const { turns, ask, pass } = open()
  for (let at = 0; at < 100; at++) ask(String(at))
  await Promise.resolve()
  expect(turns).toHaveLength(10)
  await pass(10_000)
  expect(turns.length).toBe(90)
  expect(turns.map(({ name }) => name)).toEqual(Array.from({ length: 90 }, (_, at) => String(at)))
  await pass(1_250)
  expect(turns.length).toBe(100)
})

test('never more than ten requests in a second, and eight a second over ten seconds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 30, maxLength: 120 }), async (pauses) => {
      const { turns, ask, pass, clock } = open()
      for (const [at, pauseMs] of pauses.entries()) {
        ask(String(at))
        if (pauseMs > 200) await pass(pauseMs - (pauseMs % 25))
      }
      await pass(pauses.length * 130)
      expect(turns.length).toBe(pauses.length)
      expect(clock.pending).toBe(0)
      for (const { atMs } of turns) {
        const within = (ms: number) => turns.filter((turn) => turn.atMs >= atMs && turn.atMs < atMs + ms).length
        expect(within(1_000)).toBeLessThanOrEqual(10)
        expect(within(10_000)).toBeLessThanOrEqual(80 + 10)
      }
    }),
    { numRuns: 50 },
  )
})

test('requests of the user go first, in order, also if they become urgent later', async () => {
  const { turns, ask, pass } = open()
  for (let at = 0; at < 12; at++) ask(`first ${at}`)
  const later = ask('later')
  ask('user', 'user')
  later.urgency = 'user'
  await pass(1_250)
  expect(turns.slice(10).map(({ name }) => name)).toEqual(['later', 'user', 'first 10', 'first 11'])
})

test('during a pause nothing is sent, the user does not wait, and aborted requests are removed', async () => {
  const { budget, turns, ask, pass, clock } = open()
  budget.hold(7_000)
  ask('background')
  const givenUp = new AbortController()
  ask('given up', 'background', givenUp.signal)
  ask('user', 'user')
  await pass(6_975)
  expect(turns.map(({ name }) => name)).toEqual(['user'])
  givenUp.abort()
  await pass(25)
  expect(turns.map(({ name }) => name)).toEqual(['user', 'given up', 'background'])
  expect(turns.at(-1)?.atMs).toBe(7_000)
  expect(clock.pending).toBe(0)
})
