import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firedAt, ruleOf, run, type Step } from '../../../support/rule-bench'
import { examples } from '../../../support/examples'

interface Tick {
  value: number
  waitMs: number
}

/** The definition of a move in plain code, on whole numbers. Searches the whole window each time. */
function plainly(amount: number, isPercent: boolean, withinMs: number, ticks: readonly Tick[]): number[] {
  let past: { value: number; ms: number }[] = []
  let isCovered = false
  let firstMs: number | undefined
  let nowMs = 0
  return ticks.flatMap(({ value, waitMs }, at) => {
    nowMs += waitMs
    firstMs ??= nowMs
    past = [...past, { value, ms: nowMs }].filter(({ ms }) => ms >= nowMs - withinMs)
    isCovered ||= firstMs <= nowMs - withinMs
    const fires =
      isCovered &&
      past.some((each) => {
        const change = Math.abs(value - each.value)
        return change > 0 && (isPercent ? change * 100 >= amount * each.value : change >= amount)
      })
    if (fires) past = [{ value, ms: nowMs }]
    return fires ? [at] : []
  })
}

test('moves fire as a search of the whole window says', () => {
  const tick = fc.record({ value: fc.integer({ min: 90, max: 110 }), waitMs: fc.integer({ min: 1, max: 2_000 }) })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 15 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 6_000 }),
      fc.array(tick, { maxLength: 60 }),
      (amount, isPercent, withinMs, ticks) => {
        let afterMs = 0
        const steps = ticks.map(({ value, waitMs }): Step => ({ value: String(value), afterMs: (afterMs += waitMs) }))
        const rule = ruleOf({
          condition: 'moves',
          direction: 'either',
          amount: String(amount),
          unit: isPercent ? 'percent' : 'points',
          withinMs,
        })
        expect(firedAt(rule, steps)).toEqual(plainly(amount, isPercent, withinMs, ticks))
      },
    ),
    { numRuns: examples(2_000) },
  )
})

test('a 15-minute window of 5 values a second keeps every value inside and drops older ones', () => {
  const fiveASecond = { everyMs: 200, cadence: 'PER_200MS' } as const
  const count = 15 * 60 * 5
  const rule = ruleOf({ condition: 'moves', direction: 'up', amount: '5', unit: 'percent', withinMs: 15 * 60_000 })
  const values = (dipAt: number) =>
    Array.from({ length: 2 * count }, (_, at) => (at === dipAt ? '96' : at === 2 * count - 1 ? '101' : '100'))
  // 100 to 101 is less than five percent. From the dip to 101 it is more, while the dip is in the window.
  const { fired } = run(rule, values(count - 1), fiveASecond)
  expect(fired.map(({ at, inputs }) => [at, inputs.reference?.value])).toEqual([[2 * count - 1, '96']])
  expect(firedAt(rule, values(count - 2), fiveASecond)).toEqual([])
})
