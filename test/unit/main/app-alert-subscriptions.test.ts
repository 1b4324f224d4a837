import { expect, test } from 'vitest'
import { alertSubscriptions } from '../../../main/app-alert-subscriptions'
import type { AlertDraft, AlertPhase, AlertTerms } from '../../../protocol/alerts'
import type { Resolution } from '../../../protocol/model'
import { levelDraft, ruleView } from '../../support/sample-alerts'

function asked(terms: AlertTerms, phase: AlertPhase = 'armed', resolution?: Resolution) {
  const draft: AlertDraft = { ...levelDraft(), terms }
  return alertSubscriptions([ruleView('r1', draft, { phase })], () => resolution)
}

const value = { stream: 'value', id: 'BRTI', maxResolution: 'PER_SECOND' }
const level: AlertTerms = { condition: 'crosses', level: '1' }

test('a rule about a level needs the values of its index', () => {
  expect(asked(level)).toEqual([value])
  expect(asked(level, 'suspended')).toEqual([value])
})

test('a rule sees every value of an index that publishes every 200 ms', () => {
  expect(asked(level, 'armed', 'PER_200MS')).toEqual([{ ...value, maxResolution: 'PER_200MS' }])
  expect(asked(level, 'armed', 'DAILY')).toEqual([value])
})

test('a rule about constituents needs them, one about corporate actions those', () => {
  const terms: AlertTerms = { condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '60' }
  expect(asked(terms)).toEqual([value, { stream: 'constituents', id: 'BRTI' }])
  expect(asked({ condition: 'corporateAction' })).toEqual([value, { stream: 'active_corporate_action', id: 'BRTI' }])
})

test('a rule that is done needs the values, of which one may be amended; one that has expired needs nothing', () => {
  expect(asked(level, 'triggered')).toEqual([value])
  expect(asked({ condition: 'corporateAction' }, 'triggered')).toEqual([value])
  expect(asked(level, 'expired')).toEqual([])
})
