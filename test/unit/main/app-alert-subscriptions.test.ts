import { expect, test } from 'vitest'
import { alertSubscriptions } from '../../../main/app-alert-subscriptions'
import type { AlertTerms } from '../../../protocol/alerts'
import type { Resolution } from '../../../protocol/model'
import { levelDraft, ruleView } from '../../support/sample-alerts'

function asked(terms: AlertTerms, resolution?: Resolution) {
  return alertSubscriptions([ruleView('r1', { ...levelDraft(), terms })], () => resolution)
}

const value = { stream: 'value', id: 'BRTI', maxResolution: 'PER_SECOND' }
const level: AlertTerms = { condition: 'crosses', level: '1' }

test('a rule about a level needs the values of its index', () => {
  expect(asked(level)).toEqual([value])
})

test('a rule sees every value of an index that publishes every 200 ms', () => {
  expect(asked(level, 'PER_200MS')).toEqual([{ ...value, maxResolution: 'PER_200MS' }])
  expect(asked(level, 'DAILY')).toEqual([value])
})

test('a rule about constituents needs them, one about corporate actions those', () => {
  const terms: AlertTerms = { condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '60' }
  expect(asked(terms)).toEqual([value, { stream: 'constituents', id: 'BRTI' }])
  expect(asked({ condition: 'corporateAction' })).toEqual([value, { stream: 'active_corporate_action', id: 'BRTI' }])
})
