import { expect, test } from 'vitest'
import { ReachWatch, type OfferedIndex } from '../../../../main/alerts/reach-watch'
import type { AlertDraft, AlertView, RuleValidity } from '../../../../core/alerts'
import type { Constituent } from '../../../../core/model'
import { FakeClock } from '../../../support/fake-clock'
import { levelDraft, ruleView } from '../../../support/sample-alerts'

const second = 1_000
const weight: AlertDraft = {
  ...levelDraft('1', { indexId: 'NCI' }),
  terms: { condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '60' },
}

function openWatch(...drafts: AlertDraft[]) {
  const clock = new FakeClock()
  const rules: AlertView[] = drafts.map((draft, at) => ruleView(`r${at}`, draft, { createdAtMs: clock.wallMs() }))
  const offers = new Map<string, OfferedIndex>()
  const found: [string, RuleValidity | undefined][] = []
  const watch = new ReachWatch({
    clock,
    rules: () => rules,
    offers: () => (id) => offers.get(id) ?? {},
    onFound: (news) => {
      for (const [ruleId, reach] of news) {
        found.push([ruleId, reach])
        const at = rules.findIndex(({ id }) => id === ruleId)
        const { reach: before, ...rest } = rules[at] ?? ruleView(ruleId, levelDraft())
        rules[at] = { ...rest, ...(reach !== undefined && { reach }) }
        expect(reach).not.toEqual(before)
      }
    },
    onError: (error) => {
      throw error
    },
  })
  const settle = () => {
    watch.changed()
    clock.advance(250)
  }
  const members = (...names: string[]) => {
    const constituents = names.map((constituent): Constituent => ({ constituent, value: '1', weightPercent: '1' }))
    watch.constituentsSeen('NCI', { value: '1', publishedAtMs: clock.wallMs(), constituents })
    clock.advance(250)
  }
  return { clock, rules, offers, found, watch, settle, members }
}

test('a new rule is unchecked until the constituents of its index are known', () => {
  const { offers, found, settle, members } = openWatch(weight)
  settle()
  expect(found).toEqual([['r0', 'unchecked']])
  offers.set('NCI', { isKnown: true })
  settle()
  expect(found).toHaveLength(1)
  members('BTC', 'ETH')
  expect(found.slice(1)).toEqual([['r0', undefined]])
})

test('an older rule keeps its reach while nothing is known', () => {
  const { rules, found, settle } = openWatch()
  rules.push(ruleView('old', levelDraft(), { createdAtMs: 0 }))
  rules.push(ruleView('lost', levelDraft('2'), { createdAtMs: 0, reach: { cannotFire: 'x', sinceMs: 1 } }))
  settle()
  expect(found).toEqual([])
})

test('a rule cannot fire while its constituent is missing, which is reported once', () => {
  const { clock, offers, found, members } = openWatch(weight)
  offers.set('NCI', { isKnown: true, receivedMs: 1 })
  members('BTC', 'ETH')
  expect(found).toEqual([])
  members('ETH')
  members('ETH', 'SOL')
  const reach = { cannotFire: 'no BTC in NCI', sinceMs: clock.wallMs() - 500 }
  expect(found).toEqual([['r0', reach]])
  clock.advance(second)
  offers.set('NCI', { isKnown: true, receivedMs: clock.wallMs() })
  members('BTC', 'ETH')
  expect(found.slice(1)).toEqual([['r0', undefined]])
})

test('a refusal repeated with each connection is reported once until a value comes', () => {
  const { clock, offers, found, watch, settle } = openWatch(levelDraft())
  const refused = { isKnown: true, refusal: 'Not entitled.', receivedMs: clock.wallMs() }
  offers.set('BRTI', refused)
  settle()
  expect(found).toEqual([
    ['r0', { cannotFire: 'the provider refuses BRTI: Not entitled', sinceMs: clock.wallMs() - 250 }],
  ])
  for (let round = 0; round < 3; round++) {
    offers.set('BRTI', { isKnown: true, receivedMs: refused.receivedMs })
    settle()
    offers.set('BRTI', refused)
    settle()
  }
  expect(found).toHaveLength(1)
  offers.set('BRTI', { isKnown: true, receivedMs: clock.wallMs() })
  watch.valueSeen('BRTI')
  clock.advance(250)
  expect(found.slice(1)).toEqual([['r0', undefined]])
})

test('a rule that was able to fire does not become unchecked', () => {
  const { offers, found, settle } = openWatch(levelDraft())
  offers.set('BRTI', { isKnown: true })
  settle()
  offers.delete('BRTI')
  settle()
  expect(found).toEqual([])
})

test('finished rules and empty or repeated calculations are not checked', () => {
  const { rules, offers, found, members, watch, clock } = openWatch(weight)
  rules.push(ruleView('done', levelDraft('1', { indexId: 'NCI' }), { phase: 'triggered' }))
  offers.set('NCI', { isKnown: false })
  members()
  expect(watch.constituentsOf('NCI')).toBeUndefined()
  const repeated = { value: '1', publishedAtMs: 1, isRepeatOfPrevious: true as const }
  watch.constituentsSeen('NCI', { ...repeated, constituents: [{ constituent: 'X', value: '1', weightPercent: '1' }] })
  expect(watch.constituentsOf('NCI')).toBeUndefined()
  watch.changed()
  clock.advance(250)
  expect(found.map(([id]) => id)).toEqual(['r0'])
})

test('20: a spread rule is unchecked until market conditions come or are refused', () => {
  const { rules, offers, found, watch, clock, settle } = openWatch({
    ...levelDraft(),
    terms: { condition: 'spreadAtOrAbove', spreadBps: '10' },
  })
  const id = 'BRTI'
  const seen = (more = {}) => {
    watch.conditionsSeen(id, { value: '1', publishedAtMs: clock.wallMs(), valueBid: '1', valueAsk: '1', ...more })
    clock.advance(250)
  }
  offers.set(id, { isKnown: true, receivedMs: clock.wallMs() })
  settle()
  expect(found).toEqual([['r0', 'unchecked']])
  watch.refused({ id, stream: 'constituents' })
  clock.advance(250)
  expect(found).toHaveLength(1)
  watch.refused({ id, stream: 'rti_stats' })
  clock.advance(250)
  expect(rules[0]?.reach).toMatchObject({ cannotFire: 'BRTI has no market conditions' })
  for (let round = 0; round < 3; round++) {
    watch.connected(new Set([id]))
    settle()
    expect(watch.conditionsOf(id)).toBeUndefined()
    watch.refused({ id, stream: 'rti_stats' })
    clock.advance(250)
  }
  expect(found).toHaveLength(2)
  clock.advance(second)
  offers.set(id, { isKnown: true, receivedMs: clock.wallMs() })
  seen()
  expect(found.slice(2)).toEqual([['r0', undefined]])
  clock.advance(second)
  seen({ isRepeatOfPrevious: true, valueAsk: undefined })
  expect(found).toHaveLength(3)
  watch.conditionsSeen(id, { value: '1', publishedAtMs: clock.wallMs(), utilizedDepth: '300' })
  clock.advance(250)
  expect(rules[0]?.reach).toMatchObject({ cannotFire: 'BRTI has no bid and ask' })
  watch.reset()
  expect(watch.conditionsOf(id)).toBeUndefined()
})
