import type { Page } from '@playwright/test'
import { keepInbox, longInbox, richSnapshot, workAlerts } from '../support/alert-commands'
import { ok, refused } from '../support/fake-desktop'
import { faults } from '../support/faults'
import { firedEvent, flappingInbox, levelDraft, richInbox, sampleInbox } from '../support/sample-alerts'
import { sampleNowMs } from '../support/sample-now'
import { expect, openWindow, test } from './window-page'

function event(page: Page, id: string) {
  return page.locator(`[data-event="${id}"]`)
}

async function choose(page: Page, id: string, name: string): Promise<void> {
  await event(page, id).click({ button: 'right' })
  await page.getByRole('menuitem', { name }).click()
}

async function chooseKind(page: Page, name: string): Promise<void> {
  await page.getByLabel('Type of events').click()
  await page.getByRole('option', { name, exact: true }).click()
}

test('the inbox says what happened and why, is searched, and its rows open their index', async ({ page }) => {
  const fake = await openWindow(page, { view: 'alerts', snapshot: richSnapshot() })

  await test.step('each kind of event says what happened and how it was notified', async () => {
    const inbox = page.getByRole('table', { name: 'Alert inbox' })
    const words = [
      /BRTI.*3 more during the cooldown, now 68,400\.10.*shown/s,
      /13:32:11.*NCI.*retracted: amended to 2,829\.61.*retraction/s,
      /13:47:11.*XRPUSD_RTI.*rose to 1\.2003 \(level 1\.20\).*shown/s,
      /late: value amended.*late.*shown with others/s,
      /amended to 2,830\.90, still true.*still true/s,
      /rose to 2,830\.07 \(level 2,830\).*Rebalance.*retracted.*shown, clicked.*webhook: answered 200/s,
      /crossed in a gap between 10:02:11 and 11:02:11.*in a gap.*suppressed: snoozed/s,
      /suspended: it fired 15 times in 3 min.*could not be shown/s,
      /snoozed until 15:02:11/,
      /expires at 22 Nov 10:02/,
      /expired/,
      /BRR.*publishes again, now 67,999\.99/s,
      /19 Nov 16:02.*suppressed: all muted/s,
    ]
    for (const [at, text] of words.entries()) await expect(inbox.getByRole('row').nth(at + 1)).toContainText(text)
    await expect(event(page, 'e11').locator('.time')).toHaveAttribute('title', /Recorded .*\nPublished 21 Nov 2026/)
  })
  await test.step('a retracted event stays and is struck out, others are not', async () => {
    await expect(event(page, 'e8').locator('s')).toHaveText('rose to 2,830.07 (level 2,830)')
    await expect(event(page, 'e8').locator('.badge')).toHaveAttribute('title', /amended to 2,829\.61/)
    await expect(event(page, 'e11').locator('s')).toHaveCount(0)
  })
  await test.step('an event shows the values it was evaluated with', async () => {
    await choose(page, 'e8', 'Why?')
    const dialog = page.getByRole('dialog', { name: 'Why?' })
    await expect(dialog).toContainText('Later retracted: amended to 2,829.61.')
    await expect(dialog.getByRole('definition').first()).toHaveText('2,830.07')
    await expect(dialog).toContainText(
      /Published\s*21 Nov 2026, 13:12:11\.600.*Previous value\s*2,829\.99.*Level\s*2,830/s,
    )
    await expect(dialog).toContainText(/Alert\s*NCI rises to 2,830, version 2\s*edited since, now version 1/s)
    expect(await faults(page, { part: 'dialog' })).toEqual([])
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })
  await test.step('search and kind apply to the whole inbox and to its export', async () => {
    keepInbox(fake, () => richInbox)
    fake.handlers.saveInboxTable = () => ok({ fileName: 'inbox.csv' })
    await page.getByRole('searchbox', { name: 'Search the inbox' }).fill(' nci ')
    await expect(page.locator('tr[data-event]')).toHaveCount(4)
    await chooseKind(page, 'Retracted, late')
    await expect(page.locator('tr[data-event]')).toHaveCount(3)
    const kinds = ['retracted', 'lateByAmendment', 'lateFromHistory', 'confirmed', 'notKnown']
    expect(fake.callsOf('getInbox')).toEqual([{ query: { search: 'nci' } }, { query: { search: 'nci', kinds } }])
    await page.getByRole('button', { name: 'Export the inbox…' }).click()
    await page.getByRole('dialog', { name: 'Export these events' }).getByRole('button', { name: 'Export…' }).click()
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('Saved as inbox.csv')
    expect(fake.callsOf('saveInboxTable')).toEqual([{ query: { search: 'nci', kinds } }])
    await page.getByRole('searchbox', { name: 'Search the inbox' }).fill('nothing like it')
    await expect(page.getByText('No matching events.')).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search the inbox' }).fill('')
    await chooseKind(page, 'All events')
    await expect(page.locator('tr[data-event]')).toHaveCount(13)
  })
  await test.step('a search on screen is repeated when an event arrives', async () => {
    let kept = richInbox
    keepInbox(fake, () => kept)
    await page.getByRole('searchbox', { name: 'Search the inbox' }).fill('NCI')
    await expect(page.locator('tr[data-event]')).toHaveCount(4)
    kept = [firedEvent(15, levelDraft('1', { indexId: 'NCI' })), firedEvent(14, levelDraft()), ...kept]
    await fake.push({ state: { inbox: kept } })
    await expect(event(page, 'e15')).toBeVisible()
    await expect(page.locator('tr[data-event]')).toHaveCount(5)
    await page.getByRole('searchbox', { name: 'Search the inbox' }).fill('')
    await fake.push({ state: { inbox: richInbox } })
    await expect(page.locator('tr[data-event]')).toHaveCount(13)
  })
  await test.step('an error is shown in place of the result, and known events stay', async () => {
    fake.handlers.getInbox = () => refused('internal', 'The record cannot be read.')
    await chooseKind(page, 'Fired')
    await expect(page.getByRole('alert')).toHaveText('The inbox could not be loaded: The record cannot be read.')
    await expect(event(page, 'e13')).toBeVisible()
    await chooseKind(page, 'All events')
  })
  await test.step('a finished rule is armed again from its event, a deleted one is not', async () => {
    workAlerts(fake)
    await choose(page, 'e11', 'Re-arm')
    await expect(page.locator('[data-rule="r6"]')).toContainText('armed')
    await event(page, 'e4').click({ button: 'right' })
    await expect(page.getByRole('menuitem', { name: 'Why?' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Re-arm' })).toHaveCount(0)
    await page.keyboard.press('Escape')
  })
  await test.step('Enter on an event opens its index, or explains a mute, which has none', async () => {
    const muted = { kind: 'snoozed', isMute: true, untilMs: null, delivery: 'none', isRead: true } as const
    const inbox = [firedEvent(20, levelDraft(), muted), ...richInbox]
    await fake.push({ state: { inbox } })
    await expect(event(page, 'e20')).toContainText(/All alerts.*muted until you unmute them/s)
    await event(page, 'e20').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Why?' })
    await expect(dialog).toContainText('All alerts muted until you unmute them.')
    await expect(dialog.getByText('Rule', { exact: true })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await event(page, 'e13').focus()
    await page.keyboard.press('ArrowDown')
    await expect(event(page, 'e12')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('table', { name: 'My list' })).toBeVisible()
    expect(fake.callsOf('openIndex')).toEqual([{ indexId: 'NCI' }])
  })
})

test('an event names its connection unless it is the only one in use', { tag: '@deep' }, async ({ page }) => {
  const demo = firedEvent(1, levelDraft(), { connection: 'Demo', isDemo: true })
  const desk = firedEvent(2, levelDraft(), { ruleId: 'r1', connection: 'Desk', isDemo: false })
  const fake = await openWindow(page, { view: 'alerts', snapshot: richSnapshot({ inbox: [desk, demo] }) })
  const badges = (id: string) => event(page, id).locator('.state .badge')

  await test.step('while only the demo service is in use, only events of another connection name theirs', async () => {
    await expect(badges('e2')).toHaveText('Desk')
    await expect(badges('e1')).toHaveCount(0)
  })
  await test.step('an event of the demo service says Demo in its dialog', async () => {
    await choose(page, 'e1', 'Why?')
    await expect(page.getByRole('dialog')).toContainText(/Connection\s*Demo: simulated data/)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
  await test.step('the inbox names a connection if several are in use, the dialog always', async () => {
    const one = { id: 'a', name: 'Desk', isDemo: false, state: 'live' as const, streamCount: 1, indexCount: 1 }
    await fake.push({ state: { status: one, connections: [one] } })
    await expect(badges('e1')).toHaveText('Demo')
    await expect(badges('e2')).toHaveCount(0)
    await fake.push({ state: { connections: [one, { ...one, id: 'b', name: 'Backup' }] } })
    await expect(badges('e2')).toHaveText('Desk')
    expect(await faults(page)).toEqual([])
    await choose(page, 'e2', 'Why?')
    await expect(page.getByRole('dialog')).toContainText(/Connection\s*Desk/)
    await page.keyboard.press('Escape')
  })
  await test.step('an empty inbox says what will appear there', async () => {
    await fake.push({ state: { inbox: [] } })
    await expect(page.getByText('Nothing has fired yet.')).toBeVisible()
    // The head of a table without rows says nothing.
    await expect(page.getByRole('table', { name: 'Alert inbox' })).toHaveCount(0)
    await expect(page.getByRole('searchbox', { name: 'Search the inbox' })).toHaveCount(0)
  })
})

test('opening the page marks the inbox as read once, and new events stay marked', async ({ page }) => {
  const fake = await openWindow(page)
  const link = page.getByRole('link', { name: 'Alerts', exact: true })
  await expect(link).toHaveAccessibleDescription('2 unread')
  await link.click()
  await expect(page.getByRole('table', { name: 'Alert inbox' })).toBeVisible()
  await fake.push({ state: { unreadCount: 0 } })
  await expect(link).toHaveAccessibleDescription('Alerts')
  await expect(page.getByText('New:')).toHaveCount(2)
  // Events that the user caused are not marked as new.
  const snoozed = firedEvent(99, levelDraft(), { kind: 'snoozed', untilMs: null, delivery: 'none' })
  await fake.push({ state: { inbox: [snoozed, ...sampleInbox] } })
  await expect(page.getByText('alert snoozed until you end the snooze')).toBeVisible()
  await expect(page.getByText('New:')).toHaveCount(2)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Watchlists' }).click()
  await expect(page.getByRole('table', { name: 'My list' })).toBeVisible()
  expect(fake.callsOf('markInboxRead')).toHaveLength(1)
})

test('a rule that fires repeatedly is one line, which unfolds by mouse and key', async ({ page }) => {
  const all = flappingInbox()
  const fake = await openWindow(page, { view: 'alerts', snapshot: richSnapshot({ inbox: all }) })
  keepInbox(fake, () => all)
  const inbox = page.getByRole('table', { name: 'Alert inbox' })
  const rows = inbox.locator('tbody tr')
  const crossed = inbox.getByRole('row', { name: /crossed 84,720\.81/ })
  const fell = inbox.getByRole('row', { name: /fell to 3,400\.00/ })
  const toggle = crossed.getByRole('button', { name: '6 events of BRTI' })

  await test.step('each burst says how often, since when and how it was notified, and a mute is one line', async () => {
    await expect(rows).toHaveText([
      /6 new:.*14:01:11.*BRTI.*crossed 84,720\.81 seven times, last down at 84,720\.79.*6 suppressed.*since 13:55:11.*suppressed: cooling down · shown/s,
      /New:.*XRPUSD_RTI.*rose to 1\.2003/s,
      /2 new:.*ETHUSD_RTI.*fell to 3,400\.00 twice, last at 3,399\.12.*1 could not be shown.*shown/s,
      /13:37:11.*BRR.*had no update twice/s,
      /13:15:11.*BRTI.*rose to 84,722\.10/s,
      /All alerts.*muted until you unmute them/s,
    ])
  })
  await test.step('the line of a burst is marked as urgent only if one of its events is', async () => {
    await expect(fell.getByRole('img', { name: 'Urgent:' })).toBeVisible()
    await expect(crossed.getByRole('img', { name: 'Urgent:' })).toHaveCount(0)
  })
  await test.step('its button says whether it is unfolded, and the events follow it', async () => {
    await expect(toggle).toHaveAttribute('aria-expanded', 'false')
    await toggle.click()
    await expect(toggle).toHaveAttribute('aria-expanded', 'true')
    await expect(toggle).toBeFocused()
    await expect(rows).toHaveCount(12)
    await expect(rows.nth(1)).toHaveAttribute('data-event', 'e15')
    await expect(rows.nth(6)).toContainText('rose to 84,721.05')
    await expect(rows.nth(6)).not.toContainText('84,720.81')
  })
  await test.step('Enter on the line folds and unfolds it, and arrows go through lines and events', async () => {
    await crossed.focus()
    await page.keyboard.press('ArrowDown')
    await expect(event(page, 'e15')).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect(toggle).toHaveAttribute('aria-expanded', 'false')
    await expect(rows).toHaveCount(6)
    await expect(crossed).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(toggle).toBeFocused()
    await page.keyboard.press('Space')
    await expect(rows).toHaveCount(12)
    expect(fake.callsOf('openIndex')).toEqual([])
  })
  await test.step('a new firing joins the line, unfolded or not, and the focus stays', async () => {
    const [newest] = all
    if (newest === undefined) throw new Error('the sample is empty')
    const more = { ...newest, id: 'e16', number: 16, recordedAtMs: newest.recordedAtMs + 1_000 }
    await fake.push({ state: { inbox: [more, ...all] } })
    await expect(rows.nth(0)).toContainText(/eight times, .*7 suppressed/)
    await expect(rows.nth(1)).toHaveAttribute('data-event', 'e16')
    await expect(page.getByRole('button', { name: '7 events of BRTI' })).toBeFocused()
    await fake.push({ state: { inbox: all } })
  })
  await test.step('its menu folds it too, and opens the index and the explanation', async () => {
    await fell.click({ button: 'right' })
    await expect(page.getByRole('menuitem', { name: 'Why?' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Open index', exact: true })).toBeVisible()
    await page.getByRole('menuitem', { name: 'Show the 2 events' }).click()
    await expect(event(page, 'e10')).toContainText('could not be shown')
  })
  await test.step('a search folds its results in the same way', async () => {
    await page.getByRole('searchbox', { name: 'Search the inbox' }).fill('BRR')
    await expect(rows).toHaveText([/had no update twice/])
  })
})

test('a focused event that is folded gives its focus to the line of its burst', { tag: '@deep' }, async ({ page }) => {
  const at = (number: number) => firedEvent(number, levelDraft(), { recordedAtMs: sampleNowMs - 60_000 })
  const fake = await openWindow(page, { view: 'alerts', snapshot: richSnapshot({ inbox: [at(1)] }) })
  await event(page, 'e1').focus()
  await fake.push({ state: { inbox: [at(2), at(1)] } })
  await expect(page.getByRole('row', { name: /rose to 68,500\.00 twice/ })).toBeFocused()
})

test('when older events join the last line on screen, that line gets the focus', { tag: '@deep' }, async ({ page }) => {
  const newer = longInbox(200).map((each) => ({ ...each, number: each.number + 2 }))
  const last = newer.at(-1)
  if (last === undefined) throw new Error('the sample is empty')
  const older = [2, 1].map((number) => ({ ...last, id: `older-${number}`, number }))
  const fake = await openWindow(page, { view: 'alerts', snapshot: richSnapshot({ inbox: newer }) })
  keepInbox(fake, () => [...newer, ...older])
  await expect(page.locator('tr[data-event]')).toHaveCount(200)
  await page.getByRole('button', { name: 'Show older' }).click()
  await expect(page.getByRole('row', { name: /rose to 1\.00 three times/ })).toBeFocused()
  await expect(page.locator('tr[data-event]')).toHaveCount(199)
})

test('older events are loaded on request, until there are no more', { tag: '@deep' }, async ({ page }) => {
  const all = longInbox(450)
  const fake = await openWindow(page, { view: 'alerts', snapshot: richSnapshot({ inbox: all.slice(0, 200) }) })
  keepInbox(fake, () => all)
  const older = page.getByRole('button', { name: 'Show older' })
  await older.click()
  await expect(page.locator('tr[data-event]')).toHaveCount(400)
  await expect(event(page, 'long-250')).toBeFocused()
  await older.click()
  await expect(page.locator('tr[data-event]')).toHaveCount(450)
  await expect(older).toHaveCount(0)
  expect(fake.callsOf('getInbox')).toEqual([{ query: { before: 251 } }, { query: { before: 51 } }])
})

test('a new event does not move the older ones that are being read', { tag: '@deep' }, async ({ page }) => {
  const all = longInbox(200)
  const fake = await openWindow(page, { view: 'alerts', snapshot: richSnapshot({ inbox: all }) })
  const read = event(page, 'long-120')
  await read.scrollIntoViewIfNeeded()
  const before = await read.boundingBox()
  const [newest] = all
  if (newest === undefined) throw new Error('the sample is empty')
  await fake.push({
    state: { inbox: [{ ...newest, id: 'fresh', ruleId: 'fresh', number: 201 }, ...all.slice(0, 199)] },
  })
  await expect(event(page, 'fresh')).toHaveCount(1)
  await expect(event(page, 'long-1')).toHaveCount(1)
  expect((await read.boundingBox())?.y).toBe(before?.y)
})
