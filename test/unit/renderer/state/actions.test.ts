import { expect, test, vi } from 'vitest'
import { failure } from '../../../../core/model'
import { Actions } from '../../../../renderer/state/actions'
import type { Commands } from '../../../../renderer/state/api'
import { Announcer } from '../../../../renderer/state/announcer.svelte'
import { Toasts } from '../../../../renderer/state/toasts.svelte'
import { ok } from '../../../support/fake-desktop'
import { levelDraft, ruleView } from '../../../support/sample-alerts'

const rule = ruleView('r1', levelDraft('86450'))

/** Actions over an app that answers with `answers`. */
function open(answers: Partial<Record<keyof Commands, unknown>>) {
  const toasts = new Toasts(new Announcer())
  const api = Object.fromEntries(
    Object.entries({ deleteAlert: ok(null), restoreAlert: ok(rule), createAlert: ok(rule), ...answers }).map(
      ([name, answer]) => [name, vi.fn(() => Promise.resolve(answer))],
    ),
  )
  return { toasts, actions: new Actions(api as unknown as Commands, toasts), api }
}

const words = 'BRTI rises to 86,450'

test.each([
  ['restores the alert and says so', ok(rule), `Alert restored: ${words}`, false],
  [
    'says that it exists, if it was added again',
    failure('duplicate', 'You already have this alert.'),
    `You have this alert again already: ${words}`,
    false,
  ],
  [
    'says why it could not be restored',
    failure('notReady', 'The alerts are still loading.'),
    'The alert on BRTI could not be put back: The alerts are still loading.',
    true,
  ],
])('undoing a deletion %s', async (_, restoreAlert, text, isError) => {
  const { actions, toasts } = open({ restoreAlert })
  await actions.deleteAlerts([rule])
  toasts.undo()
  await expect.poll(() => toasts.current).toMatchObject({ text, isError })
})

test('undoing a new alert removes it and says so', async () => {
  const { actions, toasts, api } = open({})
  await actions.saveAlert({ draft: levelDraft('86450'), whenAlreadyMet: 'wait', ruleId: undefined })
  toasts.undo()
  await expect.poll(() => toasts.current?.text).toBe(`Alert removed: ${words}`)
  expect(api['deleteAlert']).toHaveBeenCalledWith({ ruleId: 'r1' })
})
