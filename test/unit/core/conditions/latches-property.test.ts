import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firedAt, levelConditions, ruleOf } from '../../../support/rule-bench'
import { examples } from '../../../support/examples'

/** The two latches in plain code, on whole numbers. The level is 0, and a zero counts. */
function plainly(condition: (typeof levelConditions)[number], band: number, values: readonly number[]): number[] {
  const isStrict = condition === 'isAbove' || condition === 'isBelow'
  const isUp = (value: number) =>
    condition !== 'fallsTo' && condition !== 'isBelow' && (isStrict ? value > 0 : value >= 0)
  const isDown = (value: number) =>
    condition !== 'risesTo' && condition !== 'isAbove' && (isStrict ? value < 0 : value <= 0)
  const armed = { up: false, down: false }
  return values.flatMap((value, at) => {
    if (at === 0) {
      armed.up = !isUp(value)
      armed.down = !isDown(value)
      return []
    }
    const fires = (armed.up && isUp(value)) || (armed.down && isDown(value))
    if (isUp(value)) armed.up = false
    if (isDown(value)) armed.down = false
    if (value < -band) armed.up = true
    if (value > band) armed.down = true
    return fires ? [at] : []
  })
}

test('level rules fire as two latches do for any values, band and condition', () => {
  const values = fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 30 })
  fc.assert(
    fc.property(fc.constantFrom(...levelConditions), fc.integer({ min: 0, max: 3 }), values, (condition, band, all) => {
      const rule = ruleOf({ condition, level: '0.0', rearmBand: { size: String(band), unit: 'points' } })
      expect(firedAt(rule, all.map(String))).toEqual(plainly(condition, band, all))
    }),
    { numRuns: examples(2_000) },
  )
})

test('between two firings in one direction the value goes beyond the re-arm band', () => {
  const cents = fc.array(fc.integer({ min: 9_980, max: 10_020 }), { maxLength: 40 })
  fc.assert(
    fc.property(cents, (all) => {
      const rule = ruleOf({ condition: 'risesTo', level: '100', rearmBand: { size: '5', unit: 'basisPoints' } })
      const fired = firedAt(
        rule,
        all.map((each) => (each / 100).toFixed(2)),
      )
      for (const [at, firing] of fired.entries()) {
        const since = all.slice(fired[at - 1] ?? 0, firing)
        expect(since.some((each) => (at === 0 ? each < 10_000 : each < 9_995))).toBe(true)
      }
    }),
  )
})
