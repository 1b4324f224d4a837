import { describe, expect, test } from 'vitest'
import { ServiceTime } from '../../../../main/connections/service-time'
import { QuoteStore } from '../../../../main/quotes/quote-store'
import { FakeClock } from '../../../support/fake-clock'
import { onError } from '../../../support/on-error'

const minute = 60_000
const hour = 60 * minute
const nowMs = Date.UTC(2026, 10, 22, 12)

/** A machine whose clock is `aheadMs` ahead of the service's, which is right. Values go to a quote store as in the app. */
function open(aheadMs: number) {
  const clock = new FakeClock(nowMs + aheadMs)
  const warnings: string[] = []
  const time = new ServiceTime({ clock, warn: (message) => warnings.push(message) })
  const store = new QuoteStore({
    clock,
    onError,
  })
  const startMs = clock.monotonicMs()
  const trueMs = () => nowMs + clock.monotonicMs() - startMs
  return {
    ...{ clock, warnings, time, store },
    trueMs,
    answer: (wrongByMs = 0) => time.answered(trueMs() + wrongByMs, 200),
    /** A second passes and a value comes, published `lateMs` ago. */
    value: (lateMs = 100) => {
      clock.advance(1_000)
      time.published(trueMs() - lateMs)
      store.apply('BRTI', { value: '1', publishedAtMs: trueMs() - lateMs }, 'stream')
    },
    ageMs: () => store.ageMs('BRTI') ?? NaN,
  }
}

describe("if answers and values agree, ages follow the service's time", () => {
  test.each([
    ['10 min slow', -10 * minute, 'This computer’s clock is 10 min slow.'],
    ['2 h fast', 2 * hour, 'This computer’s clock is 2 h fast.'],
    ['14 h fast', 14 * hour, 'This computer’s clock is 14 h fast.'],
  ])('a clock %s', (_name, aheadMs, words) => {
    const { answer, value, ageMs, warnings, store } = open(aheadMs)
    answer()
    for (let count = 0; count < 3; count++) value()
    expect(store.get('BRTI')).toBeDefined()
    expect(ageMs()).toBeGreaterThanOrEqual(0)
    expect(ageMs()).toBeLessThan(1_000)
    value(20 * minute)
    value()
    expect(ageMs()).toBeLessThan(1_000)
    expect(warnings).toEqual([expect.stringContaining(words)])
    expect(warnings[0]).toContain('Using the provider’s time')
  })

  test('a clock that is corrected or changed keeps ages, and is reported once', () => {
    const { clock, answer, value, ageMs, warnings } = open(2 * hour)
    answer()
    for (let count = 0; count < 3; count++) value()
    clock.jumpWall(-2 * hour)
    value()
    expect(ageMs()).toBeLessThan(1_000)
    answer()
    value()
    expect(ageMs()).toBeLessThan(1_000)
    expect(warnings).toHaveLength(1)
  })

  test('follows less than a minute without a message', () => {
    const { answer, value, ageMs, warnings } = open(40_000)
    answer()
    for (let count = 0; count < 4; count++) value()
    expect(ageMs()).toBeLessThan(1_000)
    expect(warnings).toEqual([])
  })
})

describe("if they disagree, this computer's clock is used", () => {
  test('late values are old, whatever the service says', () => {
    const { answer, value, ageMs } = open(0)
    answer()
    for (let count = 0; count < 10; count++) value(20 * minute)
    expect(ageMs()).toBeGreaterThanOrEqual(20 * minute)
  })

  test('a cached answer makes nothing fresh, and nothing is in the future', () => {
    const { clock, answer, value, ageMs, warnings } = open(0)
    answer(-20 * minute)
    for (let count = 0; count < 10; count++) value()
    expect(ageMs()).toBeLessThan(1_000)
    clock.advance(minute)
    expect(warnings).toEqual([expect.stringContaining('No value confirms the provider’s time')])
  })

  test('reports after a minute answers that no value confirms', () => {
    const { clock, answer, value, ageMs, warnings } = open(2 * hour)
    answer()
    value(3 * hour)
    expect(warnings).toEqual([])
    clock.advance(minute)
    expect(warnings).toEqual([expect.stringContaining('clock is 2 h fast. No value confirms')])
    expect(ageMs()).toBeGreaterThanOrEqual(5 * hour)
  })

  test('does not follow values alone, which are in the future for a slow clock', () => {
    const { value, store } = open(-10 * minute)
    for (let count = 0; count < 5; count++) value()
    expect(store.get('BRTI')).toBeUndefined()
  })

  test('ignores a slow answer', () => {
    const { time, trueMs, value, store } = open(-10 * minute)
    time.answered(trueMs(), 6_000)
    for (let count = 0; count < 5; count++) value()
    expect(store.get('BRTI')).toBeUndefined()
  })

  test('the year 2038 is not a wrong clock: no value is refused, all are old', () => {
    const { answer, value, ageMs, store, warnings } = open(Date.UTC(2038, 0, 20) - nowMs)
    answer()
    for (let count = 0; count < 5; count++) value()
    expect(store.get('BRTI')).toBeDefined()
    expect(ageMs()).toBeGreaterThan(24 * hour)
    expect(warnings).toEqual([expect.stringContaining('days fast. Ages use this computer’s clock.')])
  })
})

test('a connection that ends withdraws its time', () => {
  const { time, answer, value, store } = open(-10 * minute)
  answer()
  for (let count = 0; count < 3; count++) value()
  expect(store.get('BRTI')).toBeDefined()
  time.dispose()
  store.forget('BRTI')
  value()
  expect(store.get('BRTI')).toBeUndefined()
})

describe('an unconfirmed answer does not replace the confirmed time', () => {
  test('if it comes from a cache', () => {
    const { answer, value, ageMs, store, trueMs } = open(-10 * minute)
    answer()
    for (let count = 0; count < 3; count++) value()
    answer(-20 * minute)
    for (let count = 0; count < 5; count++) value()
    expect(store.get('BRTI')?.publishedAtMs).toBe(trueMs() - 100)
    expect(ageMs()).toBeLessThan(1_000)
  })

  test('until values confirm it', () => {
    const { clock, time, answer, trueMs } = open(-10 * minute)
    answer()
    for (let count = 0; count < 3; count++) time.published(trueMs())
    answer(5 * minute)
    expect(clock.serviceMs() - trueMs()).toBe(100)
    for (let count = 0; count < 3; count++) time.published(trueMs() + 5 * minute)
    expect(clock.serviceMs() - trueMs()).toBe(5 * minute + 100)
  })
})

describe('two connections', () => {
  /** A second connection whose service is `aheadMs` ahead of the first's, by its answers and its stream. */
  function second({ clock, trueMs, warnings }: ReturnType<typeof open>, aheadMs: number) {
    const time = new ServiceTime({ clock, warn: (message) => warnings.push(message) })
    const confirm = () => {
      time.answered(trueMs() + aheadMs, 200)
      for (let count = 0; count < 3; count++) time.published(trueMs() + aheadMs)
    }
    return { time, confirm }
  }

  test.each([
    ['before', -6 * minute],
    ['after', -6 * minute],
    ['before', -25 * hour],
    ['after', -25 * hour],
  ])('a replay of the past, confirmed %s a live one, puts no live value in the future: %d ms', (order, aheadMs) => {
    const first = open(0)
    const { confirm } = second(first, aheadMs)
    if (order === 'before') confirm()
    first.answer()
    for (let count = 0; count < 3; count++) first.value()
    if (order === 'after') confirm()
    first.value()
    expect(first.store.get('BRTI')?.publishedAtMs).toBe(first.trueMs() - 100)
    expect(first.ageMs()).toBeLessThan(1_000)
    if (order === 'after')
      expect(first.warnings).toEqual([expect.stringContaining('Another connection’s time differs')])
  })

  test('that agree are followed, also by the one that remains', () => {
    const first = open(-10 * minute)
    const { time, confirm } = second(first, 1_000)
    first.answer()
    for (let count = 0; count < 3; count++) first.value()
    confirm()
    expect(Math.abs(first.clock.serviceMs() - first.trueMs())).toBeLessThan(2_000)
    first.time.dispose()
    expect(Math.abs(first.clock.serviceMs() - first.trueMs())).toBeLessThan(2_000)
    time.dispose()
    expect(first.clock.serviceMs()).toBe(first.clock.wallMs())
  })

  test('are followed again once the contradicting one has ended', () => {
    const first = open(-10 * minute)
    const { time, confirm } = second(first, -6 * minute)
    first.answer()
    for (let count = 0; count < 3; count++) first.value()
    confirm()
    expect(first.clock.serviceMs()).toBe(first.clock.wallMs())
    time.dispose()
    expect(Math.abs(first.clock.serviceMs() - first.trueMs())).toBeLessThan(1_000)
  })
})
