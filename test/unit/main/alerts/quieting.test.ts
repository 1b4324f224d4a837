import { expect, test } from 'vitest'
import { Quieting, readQuiet } from '../../../../main/alerts/quieting'
import { day, eventOf, hour, minute, quietRule, restarted, second, startMs } from '../../../support/quiet-bench'

const read = (value: unknown) => readQuiet(value).good

test('tells of what nothing stands against', () => {
  const quieting = new Quieting()
  const rule = quietRule()
  for (const kind of ['fired', 'lateByAmendment', 'recovered'] as const) {
    expect(quieting.judge(rule, eventOf(rule, { kind }), startMs)).toEqual({ news: [] })
  }
  expect(quieting.due([rule], startMs)).toEqual({ news: [], hasChanged: false })
  expect(quieting.nextDueMs([rule], startMs)).toBeUndefined()
})

test('tells no more than the limit of a day, and of the next day anew', () => {
  const quieting = new Quieting()
  const rule = quietRule({ repeat: { mode: 'daily', most: 2 } })
  const judge = (ms: number) => quieting.judge(rule, eventOf(rule), ms).heldBackBy
  expect([0, 1, 2, 3].map((at) => judge(startMs + at * hour))).toEqual([
    undefined,
    undefined,
    'dailyLimit',
    'dailyLimit',
  ])
  const midnight = Date.UTC(2023, 10, 2)
  expect(judge(midnight - 1)).toBe('dailyLimit')
  expect([judge(midnight), judge(midnight), judge(midnight)]).toEqual([undefined, undefined, 'dailyLimit'])
})

test('counts days where the user is', () => {
  const inTokyo = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Tokyo' })
  const quieting = new Quieting({ dayOf: (ms) => inTokyo.format(ms) })
  const rule = quietRule({ repeat: { mode: 'daily', most: 1 } })
  const judge = (ms: number) => quieting.judge(rule, eventOf(rule), ms).heldBackBy
  const midnightThere = Date.UTC(2023, 10, 1, 15)
  expect(judge(midnightThere - 2)).toBeUndefined()
  expect(judge(midnightThere - 1)).toBe('dailyLimit')
  expect(judge(midnightThere)).toBeUndefined()
  expect(judge(Date.UTC(2023, 10, 2))).toBe('dailyLimit')
})

test('the limit of a day holds over a restart, and what was held back does not use it up', () => {
  const quieting = new Quieting()
  const rule = quietRule({ repeat: { mode: 'daily', most: 1 } })
  quieting.snooze({ of: 'all' }, null)
  expect(quieting.judge(rule, eventOf(rule), startMs).heldBackBy).toBe('muted')
  quieting.endSnooze({ of: 'all' })
  expect(quieting.judge(rule, eventOf(rule), startMs).heldBackBy).toBeUndefined()
  const next = restarted(quieting, read)
  expect(next.judge(rule, eventOf(rule), startMs + hour).heldBackBy).toBe('dailyLimit')
})

test('the end of a silence that was told is told whatever the limit of the day, that of one held back is not', () => {
  const rule = quietRule({ terms: { condition: 'noUpdate' }, repeat: { mode: 'daily', most: 1 } })
  const quieting = restarted(new Quieting(), read)
  const judge = (of: Quieting, kind: 'fired' | 'recovered') =>
    of.judge(rule, eventOf(rule, { kind }), startMs).heldBackBy
  expect(judge(quieting, 'fired')).toBeUndefined()
  const next = restarted(quieting, read)
  expect(judge(next, 'recovered')).toBeUndefined()
  expect([judge(next, 'fired'), judge(next, 'recovered')]).toEqual(['dailyLimit', 'dailyLimit'])
})

test('a rule made anew is quiet no more', () => {
  const quieting = new Quieting()
  const rule = quietRule({ cooldownMs: hour, expiresAt: { atMs: startMs + 10 * minute, timeZone: 'UTC' } })
  quieting.judge(rule, eventOf(rule), startMs)
  quieting.due([rule], startMs + 10 * minute)
  expect(quieting.of(rule.id)).toMatchObject({ cooldown: { heldBack: 0 }, isExpired: true })
  quieting.renew(rule)
  expect(quieting.of(rule.id)).toEqual({})
  expect(quieting.judge(rule, eventOf(rule), startMs + 11 * minute)).toEqual({ news: [] })
})

test('forgets a deleted rule with its snooze, and no other', () => {
  const quieting = new Quieting()
  const rule = quietRule({ cooldownMs: hour })
  const other = quietRule({ id: 'r1', cooldownMs: hour })
  for (const each of [rule, other]) {
    quieting.judge(each, eventOf(each), startMs)
    quieting.snooze({ of: 'rule', ruleId: each.id }, null)
  }
  quieting.forget(rule.id)
  expect(quieting.of(rule.id)).toEqual({})
  expect(quieting.of(other.id)).toMatchObject({ cooldown: { heldBack: 0 } })
  expect(quieting.snoozes()).toEqual([{ scope: { of: 'rule', ruleId: 'r1' }, untilMs: null }])
})

test('the next time anything comes due is the earliest of all rules and snoozes', () => {
  const quieting = new Quieting()
  const expiring = quietRule({ id: 'r1', expiresAt: { atMs: startMs + 3 * hour, timeZone: 'UTC' } })
  const cooling = quietRule({ cooldownMs: 2 * hour })
  const rules = [expiring, cooling]
  const next = (ms: number) => quieting.nextDueMs(rules, ms)
  expect(next(startMs)).toBe(startMs + 3 * hour)
  quieting.judge(cooling, eventOf(cooling), startMs)
  expect(next(startMs)).toBe(startMs + 2 * hour)
  quieting.snooze({ of: 'all' }, startMs + hour)
  quieting.snooze({ of: 'index', indexId: 'XRPUSD_RTI' }, null)
  expect(next(startMs)).toBe(startMs + hour)
  expect(quieting.due(rules, startMs + hour)).toEqual({ news: [], hasChanged: true })
  expect(next(startMs + hour)).toBe(startMs + 2 * hour)
  expect(quieting.due(rules, startMs + 2 * hour)).toEqual({ news: [], hasChanged: true })
  expect(next(startMs + 2 * hour)).toBe(startMs + 3 * hour)
  expect(quieting.due(rules, startMs + 3 * hour).news).toEqual([{ ruleId: 'r1', kind: 'expired' }])
  expect(next(startMs + 3 * hour)).toBeUndefined()
})

test('an app that looks late finds all at once, and nothing a second time', () => {
  const quieting = new Quieting()
  const rule = quietRule({ cooldownMs: minute, expiresAt: { atMs: startMs + hour, timeZone: 'UTC' } })
  quieting.judge(rule, eventOf(rule), startMs)
  quieting.judge(rule, eventOf(rule), startMs + second)
  const lateMs = startMs + 30 * day
  expect(quieting.due([rule], lateMs).news.map(({ kind }) => kind)).toEqual(['cooldownOver', 'expired'])
  expect(quieting.due([rule], lateMs)).toEqual({ news: [], hasChanged: false })
})

test('a record of an earlier version is read', () => {
  const earlier = {
    snoozes: [],
    rules: {
      r0: { cooldown: { untilMs: startMs + hour, heldBack: 2 }, suspension: 'It fired too often.', isExpired: true },
      r1: {},
    },
  }
  expect(read(earlier)).toEqual(earlier)
})

test('one damaged entry of a record takes no other with it, and is handed back', () => {
  const snooze = { scope: { of: 'all' }, untilMs: null }
  const suspended = { suspension: 'It fired too often.' }
  const badSnooze = { scope: { of: 'all' }, untilMs: 1e300 }
  const badQuiet = { cooldown: { untilMs: 'later', heldBack: 2 } }
  expect(readQuiet({ snoozes: [badSnooze, snooze], rules: { r0: badQuiet, r1: suspended } })).toEqual({
    good: { snoozes: [snooze], rules: { r1: suspended } },
    bad: [{ snooze: badSnooze }, { ruleId: 'r0', quiet: badQuiet }],
  })
  expect(readQuiet({ snoozes: 'none', rules: { r1: suspended } })).toEqual({
    good: { snoozes: [], rules: { r1: suspended } },
    bad: [{ snoozes: 'none' }],
  })
  expect(readQuiet({ snoozes: [snooze], rules: 7 })).toEqual({
    good: { snoozes: [snooze], rules: {} },
    bad: [{ quiet: 7 }],
  })
  expect(readQuiet(undefined)).toEqual({ good: { snoozes: [], rules: {} }, bad: [] })
})
