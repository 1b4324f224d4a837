import type { Locator, Page } from '@playwright/test'
import type { AlertDraft } from '../../core/alerts'
import type { FakeDesktop } from '../support/fake-desktop'
import { ok } from '../support/fake-desktop'
import { ruleView } from '../support/sample-alerts'
import { expect, openWindow, type OpenOptions } from './window-page'

export interface OpenDialog {
  fake: FakeDesktop
  dialog: Locator
  level: Locator
}

/** Opens the dialog on the page of alerts. The fake answers saving like the app. */
export async function openAlertDialog(page: Page, options: OpenOptions = { view: 'alerts' }): Promise<OpenDialog> {
  const fake = await openWindow(page, options)
  fake.handlers.createAlert = ({ draft }) => ok(ruleView('r9', draft))
  fake.handlers.editAlert = ({ draft, ruleId }) => ok(ruleView(ruleId, draft, { version: 2 }))
  await page.getByRole('button', { name: 'New alert', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'New alert' })
  await expect(dialog).toBeVisible()
  return { fake, dialog, level: dialog.getByLabel('Level') }
}

/** Opens the dialog again, empty, with these handlers. */
export async function openAgain(
  page: Page,
  { fake, dialog }: OpenDialog,
  handlers: FakeDesktop['handlers'] = {},
): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  Object.assign(fake.handlers, handlers)
  fake.calls.length = 0
  await page.getByRole('button', { name: 'New alert', exact: true }).click()
  await expect(dialog).toBeVisible()
  const discard = dialog.getByRole('button', { name: 'Discard' })
  if (await discard.isVisible()) await discard.click()
}

/** Saves the alert. Returns the arguments of the command. */
export async function saved({ fake, dialog }: OpenDialog): Promise<unknown> {
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  return fake.callsOf('createAlert').at(-1)
}

/** The arguments of the command when the user entered only the condition. */
export function sent(terms: AlertDraft['terms'], more: Partial<AlertDraft> = {}) {
  return {
    draft: { indexId: 'BRTI', terms, repeat: { mode: 'once' }, severity: 'normal', ...more },
    whenAlreadyMet: 'wait',
  }
}
