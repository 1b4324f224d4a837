import { expect, test } from 'vitest'
import type { AlertDraft } from '../../../../protocol/alerts'
import { draftOf } from '../../../../renderer/state/alert-actions'
import { levelDraft, ruleView } from '../../../support/sample-alerts'

test('the draft of a rule is all that the user decided on and nothing the app has added', () => {
  const draft: AlertDraft = {
    ...levelDraft('0'),
    terms: { condition: 'risesTo', level: '0', rearmBand: { size: '5', unit: 'basisPoints' } },
    holdMs: 60_000,
    countsRepeats: true,
    cooldownMs: 0,
    expiresAt: { atMs: 1, timeZone: 'Europe/Berlin' },
    note: 'mine',
    group: 'swing',
    webhookUrl: 'https://example.org/hook',
  }
  const rule = ruleView('r1', draft, {
    phase: 'suspended',
    heldMs: 1,
    suspension: 'It fired too often',
    cooldown: { untilMs: 1, heldBack: 2 },
    measure: '3',
  })
  expect(draftOf(rule)).toEqual(draft)
  expect(rule.phase).toBe('suspended')
})
