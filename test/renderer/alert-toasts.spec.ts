import type { Page } from '@playwright/test'
import { faults } from '../support/faults'
import { ok, refused } from '../support/fake-desktop'
import { firedEvent, levelDraft, ruleView, sampleInbox, sampleRules } from '../support/sample-alerts'
import { sampleNowMs } from '../support/sample-now'
import { cellsBelowMessages } from './layout'
import { atEachSize, expect, openStory, openWindow, test } from './window-page'
import type { AlertEvent } from '../../core/alert-events'
import type { FakeDesktop } from '../support/fake-desktop'

const draft = levelDraft('68000', { indexId: 'BRTI' })
const inputs = { value: '68000.12', publishedAtMs: sampleNowMs, direction: 'up' } as const
const sentence = 'BRTI rose to 68,000.12 (level 68,000)'

/** An event that happens now, after the page was opened. */
function news(number: number, more: Partial<AlertEvent> = {}): AlertEvent {
  const now = { recordedAtMs: sampleNowMs + 60_000, delivery: 'failed', ruleId: 'r9', inputs } as const
  return firedEvent(number, draft, { ...now, ...more })
}

/** The sentence in the notices only. A live region has the same sentence for screen readers. */
const sentenceOf = (page: Page) => page.getByRole('region', { name: /could not be shown/ }).getByText(sentence)

/** Records in `said` the texts about the alert that change in a live region, which a screen reader would speak. */
const listenForSpeech = `
  globalThis.said = []
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const changed = [target, ...addedNodes].map((node) => (node instanceof Element ? node : node.parentElement))
      const isLive = changed.some((each) => each?.closest('[aria-live], [role="status"], [role="alert"]'))
      if (isLive && target.textContent.includes('68,000.12')) said.push(target.textContent.trim())
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true })`

async function arrive(fake: FakeDesktop, ...events: AlertEvent[]): Promise<void> {
  await fake.push({ state: { inbox: [...events, ...sampleInbox] } })
}

test('an alert that the desktop did not show is shown in the window and announced once', async ({ page }) => {
  const fake = await openWindow(page)

  await test.step('an event is announced once, and not at all when it is suppressed', async () => {
    await page.evaluate(listenForSpeech)
    const said = () => page.evaluate('said')
    await arrive(fake, news(4, { delivery: 'heldBack', heldBackBy: 'muted' }))
    await arrive(fake, news(5, { delivery: 'pending', severity: 'urgent' }))
    await expect.poll(said).toEqual([`Alert: ${sentence}`])
    await arrive(fake, news(5, { severity: 'urgent' }))
    await expect(sentenceOf(page)).toHaveCount(1)
    expect(await said()).toEqual([`Alert: ${sentence}`])
    await arrive(fake)
    await expect(sentenceOf(page)).toHaveCount(0)
  })
  await test.step('an alert whose notification failed is shown in the window, until it is dismissed, read or retracted', async () => {
    const notice = page.getByRole('group', { name: 'Notice about BRTI' })
    await arrive(fake, news(14, { delivery: 'pending' }))
    await expect(page.getByRole('link', { name: /Alerts/ }).first()).toBeVisible()
    await expect(notice).toHaveCount(0)
    await arrive(fake, news(14))
    await expect(notice).toContainText('The notification could not be shown. See the inbox.')
    expect(await faults(page)).toEqual([])
    await notice.getByRole('button', { name: 'Dismiss the notice about BRTI' }).click()
    await expect(notice).toHaveCount(0)
    await arrive(fake, news(15, { delivery: 'unknown' }), news(14))
    await expect(notice).toHaveCount(1)
    await expect(notice).toContainText('The desktop did not say whether it showed the notification')
    await arrive(fake, news(16, { kind: 'retracted', aboutEventId: 'e15', delivery: 'shown' }), news(15), news(14))
    await expect(notice).toHaveCount(0)
    await arrive(fake, news(17), news(14))
    await expect(notice).toHaveCount(1)
    await arrive(fake, news(17, { isRead: true }), news(14))
    await expect(notice).toHaveCount(0)
  })
  await test.step('shown, unwanted and earlier events appear only in the inbox', async () => {
    const before = news(23, { recordedAtMs: sampleNowMs - 60_000 })
    await arrive(
      fake,
      news(27, { severity: 'urgent' }),
      news(26, { delivery: 'shown' }),
      news(25, { delivery: 'off' }),
      before,
    )
    await expect(sentenceOf(page)).toHaveCount(1)
    await arrive(fake)
    await expect(sentenceOf(page)).toHaveCount(0)
  })
  await test.step('an event that was perhaps not shown before the app ended is shown while it is unread', async () => {
    const before = { recordedAtMs: sampleNowMs - 60_000, delivery: 'unknown' } as const
    await arrive(fake, news(38, before), news(37, { ...before, isRead: true }))
    await expect(sentenceOf(page)).toHaveCount(1)
    await expect(page.getByRole('region', { name: /could not be shown/ })).toContainText(
      'did not say whether it showed',
    )
    await arrive(fake)
    await expect(sentenceOf(page)).toHaveCount(0)
  })
  await test.step('firings of one rule are one notice that counts them, and one click dismisses all', async () => {
    const notice = page.getByRole('group', { name: 'Notice about BRTI' })
    await arrive(fake, news(43), news(42), news(41))
    await expect(notice).toContainText('BRTI rose to 68,000 three times, last at 68,000.12')
    await notice.getByRole('button', { name: 'Dismiss the notice about BRTI' }).click()
    await expect(notice).toHaveCount(0)
  })
  await test.step('at most three are shown, and the others are counted', async () => {
    fake.handlers.markInboxRead = () => ok(null)
    await arrive(fake, ...[48, 47, 46, 45, 44].map((number) => news(number, { ruleId: `r${number}` })))
    await expect(sentenceOf(page)).toHaveCount(3)
    await expect(page.getByText('and 2 more: see the inbox')).toBeVisible()
    await page
      .getByRole('region', { name: /could not be shown/ })
      .getByRole('link', { name: 'inbox' })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
    await expect(page.getByRole('region', { name: /could not be shown/ })).toHaveCount(0)
  })
})

test('a window that a notification opened goes to its index', async ({ page }) => {
  const fake = await openWindow(page, { view: 'index/UC5_RTI_TR' })
  await expect.poll(() => fake.callsOf('openIndex')).toEqual([{ indexId: 'UC5_RTI_TR' }])
  await expect(page).toHaveURL(/#watchlist$/)
})

test('a notice of an alert leads to its index, its rule and the next alert', { tag: '@deep' }, async ({ page }) => {
  const fake = await openWindow(page, { view: 'settings' })

  await test.step('sounds are chosen by severity, and a test alert reports whether the desktop showed it', async () => {
    const sounds = page.getByRole('group', { name: 'Sound for alerts that are' })
    await expect(sounds.getByRole('checkbox', { checked: true })).toHaveCount(2)
    await sounds.getByRole('checkbox', { name: 'Info' }).check()
    await expect.poll(() => fake.callsOf('setPreferences')).toEqual([{ alertSounds: ['info', 'normal', 'urgent'] }])
    await expect(sounds.getByRole('checkbox', { checked: true })).toHaveCount(3)
    const words = 'The desktop showed it.'
    fake.handlers.testNotification = () => ok({ delivery: 'shown', words })
    await page.getByRole('button', { name: 'Send a test alert' }).click()
    await expect(page.getByText(words, { exact: true })).toBeVisible()
    fake.handlers.testNotification = () => refused('notReady', 'The app is ending.')
    await page.getByRole('button', { name: 'Send a test alert' }).click()
    await expect(page.getByText('No test alert was sent: The app is ending.')).toBeVisible()
  })
  await test.step('the index of a notice opens from any view', async () => {
    fake.handlers.openIndex = () => ok(null)
    await arrive(fake, news(4))
    await page.getByRole('button', { name: 'Open BRTI' }).click()
    await expect(page.getByRole('table', { name: 'My list' })).toBeVisible()
    expect(fake.callsOf('openIndex')).toEqual([{ indexId: 'BRTI' }])
    await expect(sentenceOf(page)).toHaveCount(0)
    // The same button works again, because the address no longer names the index.
    await arrive(fake, news(5), news(4))
    await page.getByRole('button', { name: 'Open BRTI' }).click()
    await expect.poll(() => fake.callsOf('openIndex')).toHaveLength(2)
    await arrive(fake)
    await expect(sentenceOf(page)).toHaveCount(0)
  })
  await test.step('a rule that fired once is armed again, or the next one is set', async () => {
    const rule = ruleView('r9', draft, { phase: 'triggered' })
    fake.handlers.armAlert = () => refused('notReady', 'The alerts are still loading.')
    await fake.push({ state: { alerts: [rule, ...sampleRules], inbox: [news(14), ...sampleInbox] } })
    const again = page.getByRole('button', { name: 'Re-arm' })
    await again.click()
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('The alerts are still loading.')
    await expect(again).toBeVisible()
    fake.handlers.armAlert = () => ok({ ...rule, phase: 'disarmed' })
    await again.click()
    await expect(sentenceOf(page)).toHaveCount(0)
    expect(fake.callsOf('armAlert')).toEqual([{ ruleId: 'r9' }, { ruleId: 'r9' }])
    await arrive(fake, news(15))
    await page.getByRole('button', { name: 'New alert like this' }).click()
    const dialog = page.getByRole('dialog', { name: 'New alert' })
    await expect(dialog.getByLabel('Index')).toHaveValue('BRTI')
    await expect(sentenceOf(page)).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
  await test.step('a rule that repeats, or was deleted, cannot be armed again', async () => {
    const rule = ruleView('r9', { ...draft, repeat: { mode: 'everyCrossing' } })
    await fake.push({ state: { alerts: [rule], inbox: [news(25), news(24, { ruleId: 'gone' })] } })
    await expect(page.getByRole('button', { name: 'Open BRTI' })).toHaveCount(2)
    await expect(page.getByRole('button', { name: 'Re-arm' })).toHaveCount(0)
  })
})

test('notices and messages cover no row, in a large window and in small ones', { tag: '@deep' }, async ({ page }) => {
  await openStory(page, 'watchlist, messages below')
  const message = page.getByRole('group', { name: 'Message' })
  await expect(message).toContainText('NCI removed')
  await message.hover()
  await expect(page.getByRole('img', { name: 'Urgent:' })).toBeVisible()
  await atEachSize(page, async () => {
    await expect(page.getByRole('group', { name: 'Notice about XRPUSD_RTI' })).toBeInViewport()
    await expect(message).toBeInViewport({ ratio: 1 })
    await expect.poll(() => cellsBelowMessages(page)).toEqual([])
  })
})
