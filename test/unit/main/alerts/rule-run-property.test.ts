import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { play } from './model/play'
import { scripts } from './model/scripts'

const runs = 20_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const setClock = (byMs: number) => vi.setSystemTime(Date.now() + byMs)

test('a rule at work does what the definitions say, whatever is published, amended, edited and restarted', () => {
  let firings = 0
  let corrections = 0
  fc.assert(
    fc.property(scripts(), (script) => {
      const played = play(script, {}, setClock)
      expect(played.difference).toBeUndefined()
      firings += played.firings
      corrections += played.corrections
    }),
    { numRuns: runs },
  )
  console.log(`model-based property test: ${runs} runs, ${firings} firings, ${corrections} corrections, 0 differences`)
  expect(firings).toBeGreaterThan(runs)
  expect(corrections).toBeGreaterThan(runs / 4)
}, 120_000)
