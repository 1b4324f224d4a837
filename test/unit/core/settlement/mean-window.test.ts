import Big from 'big.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roundedText } from '../../../../core/decimal'
import type { Publication } from '../../../../core/model'
import { MeanWindow } from '../../../../core/settlement/mean-window'

const seconds = 60
/** A property run compares this many windows. */
const windowsInRun = 1_000
const windows = process.env['INDEXWATCH_PROPERTY_RUNS'] === undefined ? 5_000 : 1_000_000
const base = 1_700_000_000_000

/** Numbers below `limit` that follow from a seed. */
function numbersOf(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** A value near 84,000, near 0.1 or near 0, with any number of decimals, sometimes with an exponent. */
function valueText(next: (limit: number) => number): string {
  const places = next(9)
  const fraction = String(next(10 ** places)).padStart(places, '0')
  const text = `${next(3) === 0 ? 84_000 + next(100) : next(2)}${places === 0 ? '' : `.${fraction}`}`
  return next(10) === 0 ? `${text}e-${next(6)}` : text
}

/** Values of consecutive seconds with gaps, late values and amendments among them. */
function* feed(seed: number): Generator<Publication> {
  const next = numbersOf(seed)
  for (let at = 0; at < windowsInRun + seconds; at++) {
    const publishedAtMs = base + at * 1_000
    const event = next(20)
    if (event !== 0) yield { value: valueText(next), publishedAtMs }
    if (event === 1) yield { value: valueText(next), publishedAtMs: publishedAtMs - (1 + next(80)) * 1_000 }
    if (event === 2) {
      const amendedAtMs = publishedAtMs + next(1_000)
      yield { value: valueText(next), publishedAtMs: publishedAtMs - next(80) * 1_000, amendedAtMs }
    }
  }
}

/** The mean of the values in effect, added anew from their texts. */
function plainMean(inForce: ReadonlyMap<number, Publication>, lastMs: number): Big | undefined {
  const values: Big[] = []
  for (let atMs = lastMs - seconds * 1_000 + 1_000; atMs <= lastMs; atMs += 1_000) {
    const value = inForce.get(atMs)?.value
    if (value !== undefined && !new Big(value).eq(0)) values.push(new Big(value))
  }
  return values.length === 0 ? undefined : values.reduce((sum, each) => sum.plus(each)).div(values.length)
}

/** By time of amendment, then by text, as everywhere in the app. */
function isNewer(next: Publication, held: Publication | undefined): boolean {
  if (held === undefined) return true
  const [after, before] = [next.amendedAtMs ?? -1, held.amendedAtMs ?? -1]
  return after === before ? next.value > held.value : after > before
}

test('the rolling mean equals the sum of its values divided by their number, to the last digit', { timeout: 0 }, () => {
  Big.DP = 40
  Big.RM = Big.roundHalfUp
  let compared = 0
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (seed) => {
      const window = new MeanWindow({ seconds, stepMs: 1_000 })
      const inForce = new Map<number, Publication>()
      let lastMs = 0
      for (const publication of feed(seed)) {
        const { publishedAtMs } = publication
        window.slide(publication)
        const isWithin = publishedAtMs > lastMs - seconds * 1_000
        if (isWithin && isNewer(publication, inForce.get(publishedAtMs))) inForce.set(publishedAtMs, publication)
        if (publishedAtMs <= lastMs) continue
        lastMs = publishedAtMs
        compared++
        expect(window.mean && roundedText(window.mean, 20)).toBe(plainMean(inForce, lastMs)?.toFixed(20))
      }
    }),
    { numRuns: windows / windowsInRun },
  )
  expect(compared).toBeGreaterThanOrEqual(windows * 0.95)
})

test('a window that skips its whole length forgets all values', () => {
  const window = new MeanWindow({ seconds: 2, stepMs: 1_000 })
  for (const [value, at] of [
    ['1', 0],
    ['2', 1],
    ['9', 500],
  ] as const) {
    window.slide({ value, publishedAtMs: base + at * 1_000 })
  }
  expect([window.counted, window.mean]).toEqual([1, { units: 9n, over: 1n }])
})

test('a value off the second neither counts nor moves the window', () => {
  const window = new MeanWindow({ seconds: 2, stepMs: 1_000 })
  window.slide({ value: '1', publishedAtMs: base })
  window.slide({ value: '9', publishedAtMs: base + 1_200 })
  expect([window.counted, window.lastMs]).toEqual([1, base])
})
