import { expect, test } from 'vitest'
import { Quieting, readQuiet } from '../../../../main/alerts/quieting'
import { day, hour, minute, quietRule, restarted, startMs } from '../../../support/quiet-bench'

const endMs = startMs + 3 * day
const rule = quietRule({ expiresAt: { atMs: endMs, timeZone: 'Europe/London' } })
const kinds = (quieting: Quieting, ms: number, of = rule) => quieting.due([of], ms).news.map(({ kind }) => kind)
const restart = (quieting: Quieting) => restarted(quieting, (value) => readQuiet(value).good)

test('warns a day before the end, once, and says the end, once', () => {
  const quieting = new Quieting()
  expect(quieting.nextDueMs([rule], startMs)).toBe(endMs - day)
  expect(kinds(quieting, endMs - day - 1)).toEqual([])
  expect(quieting.due([rule], endMs - day)).toEqual({
    news: [{ ruleId: rule.id, kind: 'expiresSoon' }],
    hasChanged: true,
  })
  expect(quieting.of(rule.id).isExpired).toBeUndefined()
  expect(quieting.nextDueMs([rule], endMs - day)).toBe(endMs)
  expect(quieting.due([rule], endMs - 1)).toEqual({ news: [], hasChanged: false })
  expect(kinds(quieting, endMs)).toEqual(['expired'])
  expect(quieting.of(rule.id).isExpired).toBe(true)
  expect(quieting.due([rule], endMs + day)).toEqual({ news: [], hasChanged: false })
  expect(quieting.nextDueMs([rule], endMs)).toBeUndefined()
})

test('does not warn of the end of a rule made within its last day', () => {
  for (const createdAtMs of [endMs - day, endMs - minute]) {
    const late = { ...rule, createdAtMs }
    const quieting = new Quieting()
    expect(quieting.nextDueMs([late], createdAtMs)).toBe(endMs)
    expect(kinds(quieting, endMs - 2 * hour, late)).toEqual([])
    expect(kinds(quieting, endMs, late)).toEqual(['expired'])
  }
  expect(kinds(new Quieting(), endMs - 2 * hour, { ...rule, createdAtMs: endMs - day - 1 })).toEqual(['expiresSoon'])
})

test('an app that was closed at the time warns on its start, but not within the last hour', () => {
  expect(kinds(restart(new Quieting()), endMs - hour - 1)).toEqual(['expiresSoon'])
  const last = restart(new Quieting())
  expect(last.due([rule], endMs - hour)).toEqual({ news: [], hasChanged: false })
  expect(last.nextDueMs([rule], endMs - hour)).toBe(endMs)
})

test('an app that was closed at the end says it on its start, and on the next start no more', () => {
  const late = restart(new Quieting())
  expect(kinds(late, endMs + 30 * day)).toEqual(['expired'])
  const later = restart(late)
  expect(kinds(later, endMs + 31 * day)).toEqual([])
  expect(later.of(rule.id).isExpired).toBe(true)
})

test('a warning given is not given again after a restart', () => {
  const quieting = new Quieting()
  expect(kinds(quieting, endMs - day)).toEqual(['expiresSoon'])
  expect(kinds(restart(quieting), endMs - day + minute)).toEqual([])
})

test('a wall clock set back neither warns nor expires twice; set forward it expires at once', () => {
  const quieting = new Quieting()
  kinds(quieting, endMs - day)
  expect(kinds(quieting, endMs - day - hour)).toEqual([])
  expect(kinds(quieting, endMs - day)).toEqual([])
  expect(kinds(quieting, endMs - day + day + 2 * hour)).toEqual(['expired'])
  expect(kinds(quieting, endMs - hour)).toEqual([])
  expect(kinds(quieting, endMs)).toEqual([])
  expect(quieting.of(rule.id).isExpired).toBe(true)
})

test('arming anew does not warn a second time of the same end, but does of another', () => {
  const quieting = new Quieting()
  kinds(quieting, endMs - day)
  quieting.renew(rule)
  expect(kinds(quieting, endMs - day + minute)).toEqual([])
  const later = { ...rule, expiresAt: { atMs: endMs + 2 * day, timeZone: 'Europe/London' } }
  quieting.renew(later)
  expect(kinds(quieting, endMs + day, later)).toEqual(['expiresSoon'])
})

test('a rule without an end never expires', () => {
  const quieting = new Quieting()
  expect(kinds(quieting, startMs + 10_000 * day, quietRule())).toEqual([])
  expect(quieting.nextDueMs([quietRule()], startMs)).toBeUndefined()
})
