import { toJson } from '../../protocol/json'
import type { Page } from '@playwright/test'
import { blindSnapshot, richSnapshot, workAlerts } from '../support/alert-commands'
import { ok, refused } from '../support/fake-desktop'
import { faults } from '../support/faults'
import {
  alertsOff,
  levelDraft,
  listAlertWindow,
  richInbox,
  richRules,
  ruleView,
  sampleRules,
} from '../support/sample-alerts'
import { sampleNowMs } from '../support/sample-now'
import { expect, openWindow, test } from './window-page'

const minute = 60_000

function rule(page: Page, id: string) {
  return page.locator(`[data-rule="${id}"]`)
}

async function choose(page: Page, id: string, name: string | RegExp): Promise<void> {
  await rule(page, id).click({ button: 'right' })
  await page.getByRole('menuitem', { name }).click()
}

/** Returns the levels and distances that do not fit into their cells. */
function cutNumbers(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    `[...document.querySelectorAll('tr[data-rule] :is(.level, .distance)')]
      .filter((part) => part.scrollWidth > part.clientWidth ||
        part.getBoundingClientRect().right > part.closest('td').getBoundingClientRect().right)
      .map((part) => part.textContent)`,
  )
}

test('the table of rules: conditions, states and distances, also without data, and nothing cut', async ({ page }) => {
  const snoozes = [{ scope: { of: 'group', group: 'swing' } as const, untilMs: sampleNowMs + 58 * minute }]
  const fake = await openWindow(page, { view: 'alerts', snapshot: richSnapshot({ snoozes }) })

  await test.step('each kind of rule shows its condition, level, repeat, state and distance', async () => {
    await expect(page.getByText('10 alerts · 2 unread')).toBeVisible()
    const rules = page.getByRole('table', { name: 'Alerts' })
    const words = [
      /BRTI.*rises to 68,500\.00.*Sell a third.*every crossing.*armed.*376\.60 away, 0\.55 %/s,
      /ETHUSD_RTI.*falls to 3,400\.00.*3 suppressed.*once.*cooling down until 14:12 · 3 suppressed.*56\.70 away/s,
      /NCI.*weight of BTC at or above 60 % for 1 min.*once.*holding 0:42 of 1:00.*60\.214 % now/s,
      /SOLUSD_RTI.*moves within 15 min by 3 %.*at most 3 a day.*snoozed until 15:00.*2\.73 % now/s,
      /BRR.*has no update for 1 d 1 h.*every time.*armed.*22 h now/s,
      /XRPUSD_RTI.*fired.*Re-arm/s,
      /NCI.*crosses.*2,830.*suspended.*Re-arm/s,
      /SHIBUSD_RTI.*0\.00001349.*waiting to re-arm.*0\.000000014 away, 0\.10 %/s,
      /NOPE_RTI.*cannot fire · the provider refuses NOPE_RTI: Unrecognised stream ID.*no value yet/s,
      /TSLAXUSD_RTI.*expired.*—/s,
    ]
    for (const [at, text] of words.entries()) await expect(rules.getByRole('row').nth(at + 1)).toContainText(text)
    await expect(page.locator('tr[data-rule]').getByRole('img', { name: 'Urgent:' })).toHaveCount(1)
    await expect(rule(page, 'r7').locator('.badge')).toHaveAttribute('title', /It fired 15 times in 3 min/)
  })
  await test.step('no number is cut and axe finds nothing, in a large window and in a small one', async () => {
    await fake.push({ state: { snoozes: [{ scope: { of: 'rule', ruleId: 'r1' }, untilMs: null }] } })
    await expect(rule(page, richRules[0]?.id ?? '')).toContainText('snoozed')
    for (const size of [
      { width: 1280, height: 820 },
      { width: 900, height: 600 },
    ]) {
      await page.setViewportSize(size)
      await expect.poll(() => cutNumbers(page)).toEqual([])
    }
    await rule(page, 'r4').click({ button: 'right' })
    await expect(page.getByRole('menu')).toBeVisible()
    expect(await faults(page, { part: '[role=menu]' })).toEqual([])
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 820 })
    await fake.push({ state: { snoozes: [] } })
  })
  await test.step('rules are sorted by a press on a head, and stay where they are while states change', async () => {
    const state = page.getByRole('columnheader', { name: 'State' })
    const ids = () => page.locator('tr[data-rule]').evaluateAll((rows) => rows.map((row) => row.dataset['rule']))
    await state.getByRole('button').click()
    await expect(state).toHaveAttribute('aria-sort', 'ascending')
    const sorted = ['r9', 'r7', 'r6', 'r3', 'r2', 'r1', 'r4', 'r5', 'r8', 'r10']
    await expect.poll(ids).toEqual(sorted)
    await fake.push({ state: { alerts: richRules.map((each) => ({ ...each, phase: 'armed' as const })) } })
    await expect(rule(page, 'r7')).toContainText('armed')
    expect(await ids()).toEqual(sorted)
    await fake.push({ state: { alerts: richRules } })
    // Sorting uses the rows on screen, which show the push in the next frame.
    await expect(rule(page, 'r7')).toContainText('suspended')
    await state.getByRole('button').press('Enter')
    await expect(state).toHaveAttribute('aria-sort', 'descending')
    await expect.poll(ids).toEqual(['r10', 'r8', 'r1', 'r4', 'r5', 'r2', 'r3', 'r6', 'r7', 'r9'])
    await state.getByRole('button').click()
    await expect(state).not.toHaveAttribute('aria-sort')
    await expect.poll(ids).toEqual(richRules.map(({ id }) => id))
  })
  await test.step('a rule without data says since when, with an old distance, and the link counts such rules', async () => {
    const link = page.getByRole('link', { name: 'Alerts', exact: true })
    await expect(rule(page, 'r1')).toContainText('armed')
    const { state, quotes } = blindSnapshot()
    await fake.push({ quotes, state })
    await expect(rule(page, 'r1')).toContainText(/no data since 09:41.*376\.60.* as of 09:40/s)
    await expect(rule(page, 'r3')).toContainText(/no data since 09:41.*60\.214 % as of 09:40/s)
    await expect(rule(page, 'r5')).toContainText(/armed.* now/s)
    await expect(rule(page, 'r6')).toContainText('fired')
    await expect(rule(page, 'r7')).toContainText('suspended')
    await expect(rule(page, 'r9')).toContainText('cannot fire · the provider refuses')
    await expect(rule(page, 'r11')).toContainText('outside its hours · until 23 Nov 08:00')
    await expect(link).toHaveAccessibleDescription('2 unread 5 alerts have no data')
    await expect(page.getByText('11 alerts · 2 unread · 5 without data')).toBeVisible()
    expect(await cutNumbers(page)).toEqual([])
    fake.handlers.explainAlert = () => ok(toJson([]))
    await choose(page, 'r1', 'Why did it fire, or not?')
    await expect(page.getByRole('dialog')).toContainText('no data since 09:41. No live data of BRTI since 09:41.')
    await page.keyboard.press('Escape')
    await fake.push({ state: { missingData: { indices: [], ruleCount: 0 } } })
    await expect(rule(page, 'r1')).toContainText('armed')
    await expect(link).toHaveAccessibleDescription('2 unread')
  })
  await test.step('control: a cut number is found', async () => {
    const tooLong = '1'.repeat(60)
    await page.evaluate(`document.querySelector('[data-rule] .level').textContent = '${tooLong}'`)
    expect(await cutNumbers(page)).toEqual([tooLong])
  })
  await test.step('few rules need no filter, and without rules the page explains itself', async () => {
    await expect(rule(page, 'r1')).toBeVisible()
    await expect(page.getByRole('searchbox', { name: 'Filter alerts' })).toHaveCount(0)
    await fake.push({ state: { alerts: richRules.slice(0, 1), inbox: [] } })
    // Otherwise the focus would go to a rule that is still on screen.
    await expect(rule(page, 'r2')).toHaveCount(0)
    fake.handlers.deleteAlert = () => ok(null)
    await rule(page, 'r1').focus()
    await page.keyboard.press('Delete')
    await expect.poll(() => fake.callsOf('deleteAlert')).toHaveLength(1)
    await fake.push({ state: { alerts: [] } })
    await expect(page.getByRole('button', { name: 'New alert', exact: true })).toBeFocused()
    await expect(page.getByRole('heading', { name: 'No alerts yet' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'New alert', exact: true })).toBeVisible()
    // The head of a table without rows says nothing, so neither table is shown.
    await expect(page.getByRole('table')).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Inbox' })).toHaveCount(0)
    await fake.push({ state: { inbox: richInbox } })
    await expect(page.getByRole('heading', { name: 'No alerts yet' })).toBeVisible()
    await expect(page.getByRole('table')).toHaveCount(1)
    await expect(page.getByRole('table', { name: 'Alert inbox' })).toBeVisible()
  })
})

test('while alerts are off the page says so and why in place of Live and of “No alerts yet”', async ({ page }) => {
  const snapshot = richSnapshot()
  Object.assign(snapshot.state, { alerts: [], inbox: [], unreadCount: 0, judging: alertsOff })
  const fake = await openWindow(page, { view: 'alerts', snapshot })
  const status = page.getByRole('status', { name: 'Connection' })
  const words = page.getByRole('main').getByText(`${alertsOff.words}.`)
  await expect(status).toContainText(alertsOff.words)
  await expect(status).not.toContainText('Live')
  await expect(page.getByRole('region', { name: 'Alerts', exact: true })).toContainText(alertsOff.remedy)
  await expect(words).toHaveCount(2)
  for (const text of ['No alerts yet', '0 alerts', 'Nothing has fired', 'Live']) {
    await expect(page.getByText(text, { exact: false })).toHaveCount(0)
  }
  await expect(page.getByRole('button', { name: 'New alert', exact: true })).toHaveCount(0)
  await fake.push({ state: { judging: { state: 'reading' } } })
  await expect(page.getByText('The alerts are being read.')).toBeVisible()
  await fake.push({ state: { judging: { state: 'judged' } } })
  await expect(page.getByRole('heading', { name: 'No alerts yet' })).toBeVisible()
  await expect(status).toContainText('Live')
  await expect(words).toHaveCount(0)
})

test('rules are muted, snoozed, edited, re-armed, deleted and restored', async ({ page }) => {
  const fake = await openWindow(page, { view: 'alerts', snapshot: richSnapshot() })
  workAlerts(fake)

  await test.step('muting for an hour is shown in a banner, at every rule and beside the name of the view', async () => {
    const link = page.getByRole('link', { name: 'Alerts', exact: true })
    await expect(link).toHaveAccessibleDescription('2 unread')
    await page.getByRole('button', { name: 'Mute 1 h' }).click()
    const banner = page.getByRole('region', { name: 'Alerts are muted' })
    await expect(banner).toContainText(/All alerts are muted until 15:0\d\. They\s+are still recorded\./)
    await expect(page.locator('[aria-live="polite"]')).toContainText('All alerts are muted until')
    // Not awaited, because a message goes by itself after some seconds.
    expect(await page.getByRole('group', { name: 'Message' }).count()).toBe(0)
    await expect(rule(page, 'r1')).toContainText(/muted until 15:0\d/)
    await expect(rule(page, 'r6')).toContainText('fired')
    await expect(link).toHaveAccessibleDescription('2 unread muted')
    await banner.getByRole('button', { name: 'Unmute alerts' }).click()
    await expect(banner).toHaveCount(0)
    await expect(rule(page, 'r1')).toContainText('armed')
    expect(fake.callsOf('endSnooze')).toEqual([{ scope: { of: 'all' } }])
  })
  await test.step('a rule, its index or its group is snoozed, and the snooze ended', async () => {
    fake.calls.length = 0
    await choose(page, 'r4', 'Snooze…')
    const menu = page.getByRole('menu', { name: 'Snooze SOLUSD_RTI moves within 15 min by 3 %' })
    await expect(menu.getByRole('menuitem').first()).toBeFocused()
    await expect(menu.getByRole('menuitem')).toHaveCount(9)
    await menu.getByRole('menuitem', { name: 'Every alert on SOLUSD_RTI for 5 min' }).click()
    await expect(rule(page, 'r4')).toContainText('snoozed until 14:07')
    await expect(rule(page, 'r1')).toContainText('armed')
    await choose(page, 'r4', 'Snooze…')
    await page.getByRole('menuitem', { name: 'End snooze: Every alert on SOLUSD_RTI' }).click()
    await expect(rule(page, 'r4')).toContainText('armed')
    await choose(page, 'r4', 'Snooze…')
    await page.getByRole('menuitem', { name: 'The group swing for 1 h' }).click()
    await expect(rule(page, 'r4')).toContainText(/snoozed until 15:0\d/)
    expect(fake.callsOf('endSnooze')).toEqual([{ scope: { of: 'index', indexId: 'SOLUSD_RTI' } }])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(rule(page, 'r4')).toContainText('armed')
  })
  await test.step('a rule is edited, and the next one is set', async () => {
    await choose(page, 'r6', 'New alert like this…')
    await expect(page.getByRole('dialog').getByLabel('Index', { exact: true })).toHaveValue('XRPUSD_RTI')
    await page.keyboard.press('Escape')
    // A closing dialog returns the focus.
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await rule(page, 'r2').focus()
    await page.keyboard.press('F2')
    await expect(page.getByRole('dialog').getByLabel('Index', { exact: true })).toHaveValue('ETHUSD_RTI')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
  await test.step('a finished or suspended rule can be armed again, a waiting one cannot', async () => {
    await page.getByRole('button', { name: 'Re-arm: XRPUSD_RTI rises to 1.20' }).click()
    await expect(rule(page, 'r6')).toContainText('armed')
    await choose(page, 'r7', 'Re-arm')
    await expect(rule(page, 'r7')).toContainText('armed')
    expect(fake.callsOf('armAlert')).toEqual([{ ruleId: 'r6' }, { ruleId: 'r7' }])
    await rule(page, 'r1').click({ button: 'right' })
    await expect(page.getByRole('menuitem', { name: 'Duplicate…' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Re-arm' })).toHaveCount(0)
    await page.keyboard.press('Escape')
  })
  await test.step('undo restores a deleted unchecked rule as the same rule', async () => {
    const alerts = fake.snapshot.state.alerts.map((each) =>
      each.id === 'r1' ? { ...each, reach: 'unchecked' as const } : each,
    )
    await fake.push({ state: { alerts } })
    fake.calls.length = 0
    await rule(page, 'r1').focus()
    await page.keyboard.press('Delete')
    await expect(rule(page, 'r1')).toHaveCount(0)
    await expect(rule(page, 'r2')).toBeFocused()
    expect(fake.callsOf('deleteAlert')).toEqual([{ ruleId: 'r1' }])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('row', { name: /Sell a third/ })).toBeVisible()
    expect(fake.callsOf('restoreAlert')).toEqual([{ ruleId: 'r1' }])
    await expect(rule(page, 'r1').getByText('unchecked')).toBeVisible()
  })
})

test('several selected alerts are changed, snoozed and deleted together, each with undo', async ({ page }) => {
  const fake = await openWindow(page, { view: 'alerts', snapshot: richSnapshot() })
  workAlerts(fake)
  fake.handlers.editAlert = ({ ruleId, draft }) => ok(ruleView(ruleId, draft))
  const selected = () => page.locator('tr[data-rule][aria-selected="true"]')
  const undo = page.getByRole('button', { name: 'Undo' })
  const message = page.getByRole('group', { name: 'Message' })

  await test.step('Ctrl and Shift select rows, and a click on one row selects only it', async () => {
    await rule(page, 'r1').click()
    await rule(page, 'r3').click({ modifiers: ['Shift'] })
    await expect(selected()).toHaveCount(3)
    await rule(page, 'r2').click({ modifiers: ['Control'] })
    await expect(selected()).toHaveCount(2)
    await expect(page.getByText('2 selected')).toBeAttached()
  })
  await test.step('a field of all is changed, and changed back', async () => {
    await rule(page, 'r1').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Severity' }).click()
    await page.getByRole('menuitem', { name: 'Urgent' }).click()
    await expect(message).toContainText('2 alerts changed to severity Urgent')
    const edits = fake.callsOf('editAlert')
    expect(edits).toMatchObject([
      { ruleId: 'r1', draft: { indexId: 'BRTI', severity: 'urgent', terms: { level: '68500.00' } } },
      { ruleId: 'r3', draft: { indexId: 'NCI', severity: 'urgent' } },
    ])
    await undo.click()
    await expect.poll(() => fake.callsOf('editAlert').slice(2)).toMatchObject([{ ruleId: 'r1' }, { ruleId: 'r3' }])
  })
  await test.step('all are snoozed, and their snoozes ended', async () => {
    await choose(page, 'r1', 'Snooze for 1 h')
    await expect(message).toContainText(/2 alerts are snoozed until 15:0\d/)
    await expect(rule(page, 'r3')).toContainText('snoozed until')
    await undo.click()
    await expect(rule(page, 'r3')).not.toContainText('snoozed')
    expect(fake.callsOf('endSnooze')).toHaveLength(2)
  })
  await test.step('by keyboard all are selected and deleted, and undo restores each', async () => {
    await rule(page, 'r1').focus()
    await page.keyboard.press('Control+A')
    await expect(selected()).toHaveCount(richRules.length)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Shift+ArrowDown')
    await expect(selected()).toHaveCount(2)
    await page.keyboard.press('Delete')
    await expect(message).toContainText('2 alerts deleted')
    await expect(rule(page, 'r3')).toBeFocused()
    await undo.click()
    await expect(message).toContainText('2 alerts restored')
    expect(fake.callsOf('restoreAlert')).toEqual([{ ruleId: 'r1' }, { ruleId: 'r2' }])
  })
})

test('rules are muted for longer, explained and walked through by keyboard', { tag: '@deep' }, async ({ page }) => {
  const fake = await openWindow(page, { view: 'alerts', snapshot: richSnapshot() })
  workAlerts(fake)

  await test.step('muting can last until tomorrow or until the user unmutes', async () => {
    fake.calls.length = 0
    await page.getByRole('button', { name: 'Mute for how long' }).click()
    await page.getByRole('menuitem', { name: 'Until tomorrow, 08:00' }).click()
    await expect(page.getByText('All alerts are muted until 22 Nov 08:00.')).toBeVisible()
    await page.getByRole('button', { name: 'Unmute alerts' }).click()
    await page.getByRole('button', { name: 'Mute for how long' }).click()
    await page.getByRole('menuitem', { name: 'Until I unmute' }).click()
    await expect(page.getByText('All alerts are muted until you unmute them.')).toBeVisible()
    expect(fake.callsOf('snoozeAlerts')).toEqual([
      { scope: { of: 'all' }, untilMs: Date.UTC(2026, 10, 22, 8) },
      { scope: { of: 'all' }, untilMs: null },
    ])
    await page.getByRole('button', { name: 'Unmute alerts' }).click()
  })
  await test.step('why a rule fired or did not is shown, newest first', async () => {
    const common = { atMs: sampleNowMs, publishedAtMs: sampleNowMs, phaseBefore: 'armed' as const }
    fake.handlers.explainAlert = () =>
      ok(
        toJson([
          { ...common, value: '68512.30', phaseAfter: 'disarmed' as const, hasFired: true, words: 'Fired.' },
          { ...common, value: '68412.30', phaseAfter: 'armed' as const, hasFired: false, words: 'Below the level.' },
        ]),
      )
    await choose(page, 'r1', /^Why/)
    const dialog = page.getByRole('dialog', { name: 'Why did it fire, or not?' })
    await expect(dialog).toContainText('BRTI rises to 68,500.00: armed. Fires when BRTI rises to')
    const rows = dialog.getByRole('row')
    await expect(rows.nth(1)).toContainText(/14:02:11\.6.*68,512\.30.*Fired\..*armed → waiting to re-arm/s)
    await expect(rows.nth(2)).toContainText(/68,412\.30.*Below the level\./s)
    await expect(rows.nth(2)).not.toContainText('→')
    expect(await faults(page, { part: 'dialog' })).toEqual([])
    fake.handlers.explainAlert = () => ok(toJson([]))
    await dialog.getByRole('button', { name: 'Refresh' }).click()
    await expect(dialog).toContainText('Not evaluated since app start.')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })
  await test.step('a refusal is shown, and nothing changes', async () => {
    const { deleteAlert } = fake.handlers
    fake.handlers.deleteAlert = () => refused('internal', 'The disk is full.')
    await choose(page, 'r1', 'Delete')
    await expect(page.getByRole('group', { name: 'Message' })).toContainText(
      'The alert on BRTI could not be deleted: The disk is full.',
    )
    await expect(rule(page, 'r1')).toBeVisible()
    if (deleteAlert) fake.handlers.deleteAlert = deleteAlert
  })
  await test.step('the keyboard walks through the rows, and Enter and a double click open the index', async () => {
    fake.calls.length = 0
    await rule(page, 'r1').focus()
    await page.keyboard.press('ArrowDown')
    await expect(rule(page, 'r2')).toBeFocused()
    await page.keyboard.press('End')
    await expect(rule(page, 'r10')).toBeFocused()
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+F10')
    await expect(page.getByRole('menu', { name: /^Actions for the alert: BRTI/ })).toBeVisible()
    await page.keyboard.press('Escape')
    await rule(page, 'r3').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('table', { name: 'My list' })).toBeVisible()
    expect(fake.callsOf('openIndex')).toEqual([{ indexId: 'NCI' }])
    await page.goBack()
    await rule(page, 'r2').getByText('falls to').dblclick()
    await expect.poll(() => fake.callsOf('openIndex')).toHaveLength(2)
    await page.getByRole('link', { name: 'Alerts', exact: true }).click()
  })
})

test(
  'of two thousand rules only a few are in the page, and a filter finds any of them',
  { tag: '@deep' },
  async ({ page }) => {
    const alerts = Array.from({ length: 2_000 }, (_, at) => ruleView(`x${at}`, levelDraft(`${70_000 + at}`)))
    await openWindow(page, { view: 'alerts', snapshot: richSnapshot({ alerts }) })
    const rows = page.locator('tr[data-rule]')
    await expect(page.getByRole('table', { name: 'Alerts' })).toHaveAttribute('aria-rowcount', '2001')
    expect(await rows.count()).toBeLessThan(60)
    expect(await rows.count()).toBeGreaterThan(8)
    await rule(page, 'x0').focus()
    await page.keyboard.press('End')
    await expect(rule(page, 'x1999')).toBeFocused()
    await expect(rule(page, 'x1999')).toBeInViewport()
    const filter = page.getByRole('searchbox', { name: 'Filter alerts' })
    await filter.fill('71,234')
    await expect(rows).toHaveCount(1)
    await filter.fill('nothing like it')
    await expect(page.getByText('No alerts match “nothing like it”.')).toBeVisible()
  },
)

test('an alert on a list is one row that unfolds to its indices, and acts as a whole', async ({ page }) => {
  const fake = await openWindow(page, { view: 'alerts', snapshot: richSnapshot(listAlertWindow) })
  workAlerts(fake)
  const head = rule(page, 'l1')
  const member = rule(page, 'l1-SOLUSD_RTI')

  await test.step('the row has the state that needs attention most, and the largest move', async () => {
    await expect(page.getByText(`${sampleRules.length + 1} alerts`)).toBeVisible()
    await expect(head).toContainText('Any of My list')
    await expect(head).toContainText('not on')
    await expect(head).toContainText('2.64 % now')
    await expect(member).toHaveCount(0)
    await head.press('Enter')
    await expect(member).toContainText('waiting to re-arm')
    await expect(head.getByRole('button', { expanded: true })).toBeVisible()
    expect(await faults(page)).toEqual([])
  })
  await test.step('a rule of the list has no commands that only the alert has', async () => {
    await member.click({ button: 'right' })
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0)
    await page.getByRole('menuitem', { name: 'Edit the alert on the list…' }).click()
    await expect(page.getByRole('dialog', { name: 'Edit alert' })).toContainText('any of My list')
    await page.keyboard.press('Escape')
  })
  await test.step('snoozing and deleting the row sends its own id once, also with all rows selected', async () => {
    await choose(page, 'l1', 'Snooze…')
    await page.getByRole('menuitem', { name: /This alert for 1 h/ }).click()
    expect(fake.callsOf('snoozeAlerts')).toMatchObject([{ scope: { of: 'rule', ruleId: 'l1' } }])
    await head.press('Control+a')
    await head.press('Delete')
    await expect.poll(() => fake.callsOf('deleteAlert').length).toBe(sampleRules.length + 1)
    expect(fake.callsOf('deleteAlert')).toContainEqual({ ruleId: 'l1' })
    expect(JSON.stringify(fake.callsOf('deleteAlert'))).not.toContain('l1-')
  })
})
