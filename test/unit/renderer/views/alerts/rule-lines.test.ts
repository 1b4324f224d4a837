import { expect, test } from 'vitest'
import { listState, nearestRule, ruleLines } from '../../../../../renderer/views/alerts/rule-lines'
import { levelDraft, listAlertWindow, ruleView } from '../../../../support/sample-alerts'
import { sampleSnapshot } from '../../../../support/sample-window'

const { settings } = sampleSnapshot().state
const [first = '', second = ''] = settings.watchlists[0]?.entries.map(({ id }) => id) ?? []

test('an alert on a list is one line, with its rules in the order of the list', () => {
  const { listAlerts } = listAlertWindow
  const member = (id: string, indexId: string) => ruleView(id, levelDraft('1', { indexId }), { follows: 'l1' })
  const alerts = [
    ruleView('r1', levelDraft()),
    member('m2', second),
    member('m1', first),
    ruleView('r2', levelDraft('2')),
  ]
  const { lines, listed } = ruleLines({ alerts, listAlerts, settings })
  expect(lines.map(({ id, anyOf }) => [id, anyOf])).toEqual([
    ['r1', undefined],
    ['l1', 'My list'],
    ['r2', undefined],
  ])
  expect(listed.get('l1')?.rules.map(({ id }) => id)).toEqual(['m1', 'm2'])
  expect(listed.get('l1')?.leftOut).not.toContain(first)
  expect(listed.get('l1')?.leftOut).toContain('NCI')
})

test('an alert whose list was deleted is a line at the end that cannot fire', () => {
  const { listAlerts } = listAlertWindow
  const { lines } = ruleLines({
    alerts: [ruleView('r1', levelDraft())],
    listAlerts,
    settings: { ...settings, watchlists: [] },
  })
  expect(lines[1]).toMatchObject({ id: 'l1', anyOf: 'My list', reach: { cannotFire: 'My list was deleted' } })
  expect(ruleLines({ alerts: [], listAlerts, settings }).lines).toMatchObject([
    { id: 'l1', reach: { cannotFire: 'its condition fits no index of the list' } },
  ])
})

test('its state is the one that needs the user most, with the number of rules that have it', () => {
  const armed = { kind: 'armed', text: 'armed', title: 'Armed.' } as const
  const noData = { kind: 'noData', text: 'no data yet', title: 'None.' } as const
  expect(listState([armed, armed], [])).toEqual(armed)
  expect(listState([armed, noData, armed], ['BRR'])).toEqual({
    ...noData,
    text: '1 of 3 no data yet',
    title: 'None. The condition does not fit BRR.',
    reason: 'not on BRR',
  })
  expect(listState([armed], ['A', 'B', 'C'])?.reason).toBe('not on 3 indices')
  expect(listState([], [])).toBeUndefined()
})

test('its distance is that of the nearest level, or of the largest move in either direction', () => {
  const level = (indexId: string) => ruleView(indexId, levelDraft('100', { indexId }))
  const value = (id: string) => ({ A: '50', B: '99', C: undefined })[id]
  expect(nearestRule([level('A'), level('C'), level('B')], value)?.id).toBe('B')
  const moves = { condition: 'moves', direction: 'either', amount: '3', unit: 'percent', withinMs: 60_000 } as const
  const move = (id: string, measure?: string) =>
    ruleView(id, { ...levelDraft(), terms: moves }, measure === undefined ? {} : { measure })
  expect(nearestRule([move('a', '1.2'), move('b'), move('c', '-2.5')], () => '1')?.id).toBe('c')
  expect(nearestRule([], () => '1')).toBeUndefined()
})
