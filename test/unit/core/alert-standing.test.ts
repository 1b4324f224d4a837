import { expect, test } from 'vitest'
import { statusOf, type Surroundings } from '../../../core/alert-standing'
import type { AlertHours } from '../../../core/alert-timing'
import { levelDraft, ruleView } from '../../support/sample-alerts'
import { sampleNowMs } from '../../support/sample-now'

const rule = ruleView('r1', levelDraft())
const fine: Surroundings = { nowMs: sampleNowMs, snoozes: [], hasData: true }
const blind = { ...fine, hasData: false }
const snoozes = [{ scope: { of: 'all' }, untilMs: null }] as const
/** The sample's now is a Saturday. */
const hours: AlertHours = { days: ['mon'], from: '08:00', to: '16:00', timeZone: 'UTC' }
const cooldown = { untilMs: sampleNowMs + 1, heldBack: 0 }

test('a rule that can fire is watching', () => {
  expect(statusOf(rule, fine)).toBe('watching')
  expect(statusOf({ ...rule, cooldown }, fine)).toBe('coolingDown')
})

test.each(['armed', 'disarmed', 'holding', 'waiting'] as const)('a rule that is %s has no data', (phase) =>
  expect(statusOf({ ...rule, phase, cooldown }, blind)).toBe('noData'),
)

test.each(['triggered', 'suspended', 'expired'] as const)('a rule that is %s stays over without data', (phase) =>
  expect(statusOf({ ...rule, phase, hours }, { ...blind, snoozes })).toBe('over'),
)

test('the status ranks: cannot fire, snoozed, outside hours, unchecked, no data', () => {
  const worst = { ...blind, snoozes }
  const reach = { cannotFire: 'no BTCC in NCI', sinceMs: 0 }
  expect(statusOf({ ...rule, hours, reach }, worst)).toBe('cannotFire')
  expect(statusOf({ ...rule, hours, reach: 'unchecked' }, worst)).toBe('snoozed')
  expect(statusOf({ ...rule, hours, reach: 'unchecked' }, blind)).toBe('outsideHours')
  const always = { ...rule, hours: { ...hours, days: ['sat' as const] } }
  expect(statusOf({ ...always, reach: 'unchecked' }, blind)).toBe('unchecked')
  expect(statusOf(always, blind)).toBe('noData')
})

test('a rule that waits for a silence needs no data', () =>
  expect(statusOf({ ...rule, terms: { condition: 'noUpdate' } }, blind)).toBe('watching'))
