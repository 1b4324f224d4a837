import { expect, test } from 'vitest'
import { Quieting, readQuiet } from '../../../../main/alerts/quieting'
import { eventOf, hour, minute, quietRule, restarted, second, startMs } from '../../../support/quiet-bench'

const rule = quietRule({ cooldownMs: minute })
const read = (value: unknown) => readQuiet(value).good

test('holds back and counts what comes within the cooldown, and says so at its end', () => {
  const quieting = new Quieting()
  expect(quieting.judge(rule, eventOf(rule), startMs)).toEqual({ news: [] })
  const last = eventOf(rule, { inputs: { value: '100.4', publishedAtMs: startMs + 59_999 } })
  for (const [event, atMs] of [
    [eventOf(rule), startMs],
    [eventOf(rule, { kind: 'recovered' }), startMs + second],
    [last, startMs + minute - 1],
  ] as const) {
    expect(quieting.judge(rule, event, atMs)).toEqual({ heldBackBy: 'cooldown', news: [] })
  }
  expect(quieting.of(rule.id).cooldown).toEqual({ untilMs: startMs + minute, heldBack: 3 })
  expect(quieting.nextDueMs([rule], startMs + second)).toBe(startMs + minute)
  expect(quieting.due([rule], startMs + minute - 1)).toEqual({ news: [], hasChanged: false })
  expect(quieting.due([rule], startMs + minute)).toEqual({
    news: [{ ruleId: rule.id, kind: 'cooldownOver', heldBackCount: 3, last }],
    hasChanged: true,
  })
  expect(quieting.due([rule], startMs + minute)).toEqual({ news: [], hasChanged: false })
  expect(quieting.judge(rule, eventOf(rule), startMs + minute)).toEqual({ news: [] })
})

test('says nothing at the end when nothing was held back', () => {
  const quieting = new Quieting()
  quieting.judge(rule, eventOf(rule), startMs)
  expect(quieting.due([rule], startMs + minute)).toEqual({ news: [], hasChanged: true })
  expect(quieting.of(rule.id).cooldown).toBeUndefined()
})

test('what was held back in one cooldown does not count in the next', () => {
  const quieting = new Quieting()
  quieting.judge(rule, eventOf(rule), startMs)
  quieting.judge(rule, eventOf(rule), startMs + second)
  quieting.due([rule], startMs + minute)
  quieting.judge(rule, eventOf(rule), startMs + 2 * minute)
  expect(quieting.due([rule], startMs + 3 * minute).news).toEqual([])
})

test('an event after the end that was not yet looked to is told, and the end with it', () => {
  const quieting = new Quieting()
  quieting.judge(rule, eventOf(rule), startMs)
  const held = eventOf(rule)
  quieting.judge(rule, held, startMs + second)
  expect(quieting.judge(rule, eventOf(rule), startMs + minute)).toEqual({
    news: [{ ruleId: rule.id, kind: 'cooldownOver', heldBackCount: 1, last: held }],
  })
  expect(quieting.of(rule.id).cooldown).toEqual({ untilMs: startMs + 2 * minute, heldBack: 0 })
})

// Leek-fund is silent on a symbol for minutes after any alert, and what another threshold has to say is lost.
test("a second threshold inside another rule's cooldown fires", () => {
  const quieting = new Quieting()
  const second = quietRule({ id: 'r1', cooldownMs: minute })
  quieting.judge(rule, eventOf(rule), startMs)
  expect(quieting.judge(second, eventOf(second), startMs + 1)).toEqual({ news: [] })
  expect(quieting.judge(rule, eventOf(rule), startMs + 1).heldBackBy).toBe('cooldown')
})

test('a restart neither fires again nor forgets a cooldown', () => {
  const quieting = new Quieting()
  quieting.judge(rule, eventOf(rule), startMs)
  const held = eventOf(rule, { inputs: { value: '100.4', publishedAtMs: startMs + second } })
  quieting.judge(rule, held, startMs + second)
  const next = restarted(quieting, read)
  expect(next.due([rule], startMs + 2 * second)).toEqual({ news: [], hasChanged: false })
  expect(next.judge(rule, held, startMs + 2 * second).heldBackBy).toBe('cooldown')
  expect(next.due([rule], startMs + minute).news).toEqual([
    { ruleId: rule.id, kind: 'cooldownOver', heldBackCount: 2, last: held },
  ])
  expect(restarted(next, read).due([rule], startMs + minute).news).toEqual([])
})

test('a rule without a cooldown is told each time', () => {
  const quieting = new Quieting()
  const plain = quietRule()
  for (let at = 0; at < 5; at++) expect(quieting.judge(plain, eventOf(plain), startMs)).toEqual({ news: [] })
  expect(quieting.nextDueMs([plain], startMs)).toBeUndefined()
})

test('a wall clock set forward two hours ends the cooldown, set back an hour leaves one cooldown at most', () => {
  const forward = new Quieting()
  forward.judge(rule, eventOf(rule), startMs)
  expect(forward.due([rule], startMs + 2 * hour).hasChanged).toBe(true)
  expect(forward.judge(rule, eventOf(rule), startMs + 2 * hour)).toEqual({ news: [] })

  const back = new Quieting()
  const backMs = startMs - hour
  back.judge(rule, eventOf(rule), startMs)
  expect(back.nextDueMs([rule], backMs)).toBe(backMs + minute)
  expect(back.due([rule], backMs)).toEqual({ news: [], hasChanged: true })
  expect(back.judge(rule, eventOf(rule), backMs + second).heldBackBy).toBe('cooldown')
  expect(back.of(rule.id).cooldown).toEqual({ untilMs: backMs + minute, heldBack: 1 })
  expect(back.judge(rule, eventOf(rule), backMs + minute).heldBackBy).toBeUndefined()
})

test('a judgement alone sets the end right after the clock was set back', () => {
  const quieting = new Quieting()
  quieting.judge(rule, eventOf(rule), startMs)
  expect(quieting.judge(rule, eventOf(rule), startMs - hour).heldBackBy).toBe('cooldown')
  expect(quieting.of(rule.id).cooldown).toEqual({ untilMs: startMs - hour + minute, heldBack: 1 })
})
