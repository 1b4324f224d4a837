import { describe, expect, test } from 'vitest'
import { ServiceTime } from '../../../../main/connections/service-time'
import { QuoteStore } from '../../../../main/quotes/quote-store'
import { FakeClock } from '../../../support/fake-clock'

const minute = 60_000
const hour = 60 * minute
const nowMs = Date.UTC(2026, 10, 22, 12)

/** A machine whose clock is `aheadMs` ahead of the service's, which is right; values go to a quote store as in the app. */
function open(aheadMs: number) {
  const clock = new FakeClock(nowMs + aheadMs)
  const warnings: string[] = []
  const time = new ServiceTime({ clock, warn: (message) => warnings.push(message) })
  const store = new QuoteStore({
    clock,
    onError: (error) => {
      throw error
    },
  })
  const startMs = clock.monotonicMs()
  const trueMs = () => nowMs + clock.monotonicMs() - startMs
  return {
    ...{ clock, warnings, time, store },
    trueMs,
    answer: (wrongByMs = 0) => {
      time.answered(trueMs() + wrongByMs, 200)
    },
    /** A second passes and a value comes, published `lateMs` ago. */
    value: (lateMs = 100) => {
      clock.advance(1_000)
      time.published(trueMs() - lateMs)
      store.apply('BRTI', { value: '1', publishedAtMs: trueMs() - lateMs }, 'stream')
    },
    ageMs: () => store.ageMs('BRTI') ?? NaN,
  }
}

describe("where answers and values agree, ages and the future are judged by the service's time", () => {
  test.each([
    ['10 min slow', -10 * minute, "This computer's clock is 10 min behind the service's."],
    ['2 h fast', 2 * hour, "This computer's clock is 2 h ahead of the service's."],
    ['14 h fast', 14 * hour, "This computer's clock is 14 h ahead of the service's."],
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
    expect(warnings[0]).toContain("by the service's time")
  })

  test('a clock that is set right, or wrong, meanwhile changes no age, and none is said of it twice', () => {
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

  test('less than a minute is followed without a word', () => {
    const { answer, value, ageMs, warnings } = open(40_000)
    answer()
    for (let count = 0; count < 4; count++) value()
    expect(ageMs()).toBeLessThan(1_000)
    expect(warnings).toEqual([])
  })
})

describe("where they do not agree, this computer's clock counts", () => {
  test('values that come late are old, whatever the service calls the time', () => {
    const { answer, value, ageMs } = open(0)
    answer()
    for (let count = 0; count < 10; count++) value(20 * minute)
    expect(ageMs()).toBeGreaterThanOrEqual(20 * minute)
  })

  test('an answer out of a cache makes nothing fresh, and nothing comes from the future', () => {
    const { clock, answer, value, ageMs, warnings } = open(0)
    answer(-20 * minute)
    for (let count = 0; count < 10; count++) value()
    expect(ageMs()).toBeLessThan(1_000)
    clock.advance(minute)
    expect(warnings).toEqual([expect.stringContaining("No value confirms the service's time")])
  })

  test('answers alone, where nothing is published every second, are said after a minute and not followed', () => {
    const { clock, answer, value, ageMs, warnings } = open(2 * hour)
    answer()
    value(3 * hour)
    expect(warnings).toEqual([])
    clock.advance(minute)
    expect(warnings).toEqual([expect.stringContaining("clock is 2 h ahead of the service's. No value confirms")])
    expect(ageMs()).toBeGreaterThanOrEqual(5 * hour)
  })

  test('values alone are not followed: they are from the future for a clock that is slow', () => {
    const { value, store } = open(-10 * minute)
    for (let count = 0; count < 5; count++) value()
    expect(store.get('BRTI')).toBeUndefined()
  })

  test('a slow answer says nothing', () => {
    const { time, trueMs, value, store } = open(-10 * minute)
    time.answered(trueMs(), 6_000)
    for (let count = 0; count < 5; count++) value()
    expect(store.get('BRTI')).toBeUndefined()
  })

  test('the year 2038 is no clock that runs wrong: no value is refused, all are old', () => {
    const { answer, value, ageMs, store, warnings } = open(Date.UTC(2038, 0, 20) - nowMs)
    answer()
    for (let count = 0; count < 5; count++) value()
    expect(store.get('BRTI')).toBeDefined()
    expect(ageMs()).toBeGreaterThan(24 * hour)
    expect(warnings).toEqual([
      expect.stringContaining("days ahead of the service's. Ages are counted by this computer's."),
    ])
  })
})

test('a connection that ends takes its time back', () => {
  const { time, answer, value, store } = open(-10 * minute)
  answer()
  for (let count = 0; count < 3; count++) value()
  expect(store.get('BRTI')).toBeDefined()
  time.dispose()
  store.forget('BRTI')
  value()
  expect(store.get('BRTI')).toBeUndefined()
})
