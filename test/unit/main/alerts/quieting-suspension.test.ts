import { expect, test } from 'vitest'
import { Quieting, readQuiet } from '../../../../main/alerts/quieting'
import type { AlertRule } from '../../../../protocol/alerts'
import { eventOf, hour, minute, quietRule, restarted, second, startMs } from '../../../support/quiet-bench'

const rule = quietRule()
const reason = 'It fired 16 times in 3 minutes. Arm it again, with a wider re-arm band or a cooldown.'

/** Lets the rule fire so often, a second apart, and answers what the last one met. */
function fire(quieting: Quieting, times: number, { of = rule, fromMs = startMs, everyMs = second } = {}) {
  const verdicts = Array.from({ length: times }, (_, at) => quieting.judge(of, eventOf(of), fromMs + at * everyMs))
  return { verdicts, heldBack: verdicts.map(({ heldBackBy }) => heldBackBy).filter((by) => by !== undefined) }
}

test('suspends a rule at its sixteenth notice within three minutes, and says why', () => {
  const quieting = new Quieting()
  expect(fire(quieting, 15).heldBack).toEqual([])
  expect(quieting.of(rule.id).suspension).toBeUndefined()
  const sixteenth = quieting.judge(rule, eventOf(rule), startMs + 3 * minute - 1)
  expect(sixteenth).toEqual({ heldBackBy: 'suspended', news: [{ ruleId: rule.id, kind: 'suspended', reason }] })
  expect(quieting.of(rule.id).suspension).toBe(reason)
  for (const kind of ['fired', 'lateByAmendment', 'recovered'] as const) {
    expect(quieting.judge(rule, eventOf(rule, { kind }), startMs + hour)).toEqual({
      heldBackBy: 'suspended',
      news: [],
    })
  }
})

test('does not suspend a rule whose sixteen notices take longer', () => {
  const quieting = new Quieting()
  fire(quieting, 15)
  expect(quieting.judge(rule, eventOf(rule), startMs + 3 * minute)).toEqual({ news: [] })
  expect(fire(new Quieting(), 100, { everyMs: 12 * second }).heldBack).toEqual([])
  expect(fire(new Quieting(), 100, { everyMs: 11 * second }).heldBack).not.toEqual([])
})

test('names a cure the rule can have', () => {
  const plain: AlertRule = { ...rule, terms: { condition: 'constituentsChanged' } }
  const quieting = new Quieting()
  fire(quieting, 16, { of: plain })
  expect(quieting.of(rule.id).suspension).toBe('It fired 16 times in 3 minutes. Arm it again, with a cooldown.')
})

test('what is held back anyway does not count', () => {
  const cooling = quietRule({ cooldownMs: minute })
  expect(fire(new Quieting(), 100, { of: cooling }).heldBack).not.toContain('suspended')
  const limited = quietRule({ repeat: { mode: 'daily', most: 15 } })
  expect(fire(new Quieting(), 100, { of: limited }).heldBack).not.toContain('suspended')
  const quieting = new Quieting()
  quieting.snooze({ of: 'all' }, startMs + minute)
  expect(fire(quieting, 75).heldBack).toEqual(Array.from({ length: 60 }, () => 'muted'))
})

test('the ends of silences do not count', () => {
  const quieting = new Quieting()
  for (let at = 0; at < 40; at++) {
    expect(quieting.judge(rule, eventOf(rule, { kind: 'recovered' }), startMs)).toEqual({ news: [] })
  }
})

test('arming the rule again ends the suspension and counts from nothing', () => {
  const quieting = new Quieting()
  fire(quieting, 16)
  quieting.renew(rule)
  expect(quieting.of(rule.id)).toEqual({})
  const { heldBack } = fire(quieting, 15, { fromMs: startMs + 20 * second })
  expect(heldBack).toEqual([])
})

test('a restart forgets neither the suspension nor the count', () => {
  const read = (value: unknown) => readQuiet(value).good
  const quieting = new Quieting()
  fire(quieting, 15)
  const next = restarted(quieting, read)
  expect(next.judge(rule, eventOf(rule), startMs + minute).heldBackBy).toBe('suspended')
  expect(restarted(next, read).of(rule.id).suspension).toBe(reason)
})

test('one rule that fires too often does not suspend another', () => {
  const quieting = new Quieting()
  fire(quieting, 16)
  const other = quietRule({ id: 'r1' })
  expect(quieting.judge(other, eventOf(other), startMs + 16 * second)).toEqual({ news: [] })
})

test('a wall clock set back an hour or forward two does not make firings count that are not near', () => {
  for (const jumpMs of [-hour, 2 * hour]) {
    const quieting = new Quieting()
    fire(quieting, 15)
    expect(fire(quieting, 15, { fromMs: startMs + jumpMs }).heldBack).toEqual([])
  }
})
