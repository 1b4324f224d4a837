import type { Page } from '@playwright/test'
import { ok, refused, type FakeDesktop } from '../support/fake-desktop'
import { faults } from '../support/faults'
import { levelDraft, ruleView } from '../support/sample-alerts'
import { sampleWebhooks } from '../support/sample-webhooks'
import { sampleSnapshot } from '../support/sample-window'
import { openAlertDialog } from './open-alert-dialog'
import { expect, openStory, openWindow, test } from './window-page'

const anyId = expect.any(String) as unknown as string
const slackUrl = 'https://hooks.slack.com/services/T0/B0/abcdefQ4xZ'

async function openNew(page: Page): Promise<FakeDesktop> {
  const fake = await openStory(page, 'webhook, new')
  await expect(page.getByRole('dialog', { name: 'Add webhook' })).toBeVisible()
  return fake
}

test('a pasted address chooses its service and fills in the fields', async ({ page }) => {
  const fake = await openNew(page)
  const service = page.getByLabel('Service', { exact: true })
  const url = page.getByLabel('Webhook URL')
  await expect(url).toBeFocused()
  await url.fill('https://discord.com/api/webhooks/12/token')
  await expect(service).toHaveValue('discord')
  await url.fill('https://api.telegram.org/bot12:ab/sendMessage?chat_id=-77')
  await expect(service).toHaveValue('telegram')
  await expect(page.getByLabel('Server')).toHaveValue('https://api.telegram.org')
  await expect(page.getByLabel('Bot token')).toHaveValue('12:ab')
  await expect(page.getByLabel('Chat id')).toHaveValue('-77')
  await page.getByLabel('Name', { exact: true }).fill('Group')
  fake.handlers.saveWebhook = () => ok(null)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(fake.callsOf('saveWebhook')).toEqual([
    {
      webhook: {
        id: anyId,
        name: 'Group',
        service: 'telegram',
        values: { server: 'https://api.telegram.org', chatId: '-77' },
        sendsNote: false,
      },
      secrets: { token: '12:ab' },
    },
  ])
})

test('Send test shows the answer, and another service may be chosen for an address', async ({ page }) => {
  const fake = await openNew(page)
  await page.getByLabel('Webhook URL').fill(slackUrl)
  await page.getByLabel('Service', { exact: true }).selectOption('Discord')
  await expect(page.getByLabel('Webhook URL')).toHaveValue(slackUrl)
  fake.handlers.testWebhook = () => ok({ isAccepted: false, words: 'hooks.slack.com answered 400: no_text' })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send test' }).click()
  await expect(dialog.getByRole('status')).toHaveText('hooks.slack.com answered 400: no_text')
  expect(fake.callsOf('testWebhook')).toMatchObject([{ webhook: { service: 'discord' }, secrets: { url: slackUrl } }])
  fake.handlers.testWebhook = () =>
    ok({ isAccepted: true, words: 'a.example answered 202. Accepted; look in the channel' })
  await dialog.getByRole('button', { name: 'Send test' }).click()
  await expect(dialog.getByRole('status')).toHaveText('a.example answered 202. Accepted; look in the channel')
  expect(await faults(page, { inBothThemes: true })).toEqual([])
})

test('a refused field is named and focused, also one under More', async ({ page }) => {
  const fake = await openNew(page)
  const save = page.getByRole('button', { name: 'Save', exact: true })
  fake.handlers.saveWebhook = () => refused('badArguments', 'Webhook URL is missing. Enter it.', 'url')
  await save.click()
  await expect(page.getByText('Webhook URL is missing. Enter it.')).toBeVisible()
  await expect(page.getByLabel('Webhook URL')).toBeFocused()
  fake.handlers.saveWebhook = () => refused('badArguments', 'There is no field {price}.', 'template')
  await save.click()
  await expect(page.getByLabel('Text', { exact: true })).toBeFocused()
  fake.handlers.saveWebhook = () => refused('secretMissing', 'Enter the secrets again.')
  await save.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Enter the secrets again.' })).toBeVisible()
})

test('an edited webhook shows the end of its secrets, keeps them, and can lose an optional one', async ({ page }) => {
  const fake = await openStory(page, 'webhook, with many fields')
  fake.handlers.saveWebhook = () => ok(null)
  const dialog = page.getByRole('dialog', { name: 'Edit Phone' })
  await expect(dialog.getByLabel('Topic')).toHaveValue('')
  await expect(dialog.getByText('Stored, ends in k9Pw. Leave this empty to keep it.')).toBeVisible()
  await dialog.getByLabel('Headers', { exact: true }).fill('X-Team: desk\nX-Other: 1')
  await dialog.getByLabel('Remove the stored access token').check()
  await dialog.getByText('More', { exact: true }).click()
  await dialog.getByLabel('Text', { exact: true }).fill('{id} {value}')
  await dialog.getByLabel('Send the notes of alerts too').check()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  expect(fake.callsOf('saveWebhook')).toEqual([
    {
      webhook: {
        id: 'ntfy',
        name: 'Phone',
        service: 'ntfy',
        values: { server: 'https://ntfy.sh' },
        template: '{id} {value}',
        sendsNote: true,
      },
      secrets: { token: '', headers: 'X-Team: desk\nX-Other: 1' },
    },
  ])
})

test('the list shows host and end of the secret, what fails, and what uses a webhook', async ({ page }) => {
  const fake = await openStory(page, 'webhooks')
  const row = (name: string) => page.getByRole('listitem', { name, exact: true })
  await expect(row('Desk channel')).toContainText('Slack · hooks.slack.com …Q4xZ')
  await expect(row('Phone')).toContainText('The last message failed: ntfy.sh answered 403: forbidden.')
  await expect(row('Phone')).toContainText('The secret is kept until Indexwatch quits.')
  await expect(row('On call')).toContainText('No secret is stored. Edit the webhook to enter it.')
  await fake.push({ state: { alerts: [ruleView('r1', { ...levelDraft(), webhookUrl: 'webhook:slack' })] } })
  fake.handlers.removeWebhook = () => ok(null)
  await page.getByRole('button', { name: 'Remove Desk channel' }).click()
  await expect(page.getByRole('dialog')).toContainText('One alert uses it. It stays and is no longer sent.')
  await page.getByRole('button', { name: 'Remove the webhook' }).click()
  await expect.poll(() => fake.callsOf('removeWebhook')).toEqual([{ webhookId: 'slack' }])
})

test('an alert chooses a saved webhook, another address or none', async ({ page }) => {
  const snapshot = sampleSnapshot()
  snapshot.state.settings.webhooks = structuredClone(sampleWebhooks)
  const { fake, dialog } = await openAlertDialog(page, { view: 'alerts', snapshot })
  await dialog.getByText('More', { exact: true }).click()
  const choice = dialog.getByLabel('Webhook', { exact: true })
  await expect(choice).toHaveValue('off')
  await choice.selectOption('Phone')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  expect(fake.callsOf('createAlert')).toMatchObject([{ draft: { webhookUrl: 'webhook:ntfy' } }])
})

test('a pasted address of a service is refused in an alert, with the reason', async ({ page }) => {
  const { dialog } = await openAlertDialog(page)
  await dialog.getByText('More', { exact: true }).click()
  await dialog.getByLabel('Webhook', { exact: true }).fill(slackUrl)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('An address of Slack is a secret. Add it under Settings, Webhooks')
})

test('the escalation may use a saved webhook', async ({ page }) => {
  const snapshot = sampleSnapshot()
  snapshot.state.settings.webhooks = structuredClone(sampleWebhooks)
  const fake = await openWindow(page, { view: 'settings/behaviour', snapshot })
  const escalation = page.getByRole('radiogroup', { name: 'Escalate urgent alerts' })
  await escalation.getByRole('radio', { name: 'Webhook' }).check()
  await page.getByRole('combobox', { name: 'Webhook' }).selectOption('On call')
  await expect(page.getByRole('textbox', { name: 'Webhook URL' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(() => fake.callsOf('setPreferences'))
    .toEqual([{ secondChannel: 'webhook', secondWebhook: 'webhook:pager' }])
})
