import { sampleSnapshot } from '../support/sample-window'
import { expect, openWindow, test } from './window-page'

test('rules and inbox are told in tables', async ({ page }) => {
  const fake = await openWindow(page, { view: 'alerts' })
  const rules = page.getByRole('table', { name: 'Alert rules' })
  await expect(rules.getByRole('row', { name: /^BRTI/ })).toContainText(
    /at or above.*68,500\.00.*armed.*376\.60 away, 0\.55 %/s,
  )
  await expect(rules.getByRole('row', { name: /^ETHUSD_RTI/ })).toContainText('arms above 3,500')
  const inbox = page.getByRole('table', { name: 'Alert inbox' })
  await expect(inbox.getByRole('row').nth(1)).toContainText(
    /13:47:11.*XRPUSD_RTI.*reached 1\.2003, at or above 1\.20.*shown/s,
  )
  await expect(inbox.getByRole('row').nth(2)).toContainText('crossed in a gap: no values from 10:02:11 to 11:02:11')
  await rules.getByRole('button', { name: /^Delete the alert on BRTI/ }).click()
  await expect(rules.getByRole('rowheader')).toHaveText(['ETHUSD_RTI', 'XRPUSD_RTI'])
  expect(fake.callsOf('deleteAlert')).toEqual([{ ruleId: 'r1' }])
})

test('opening the page marks the inbox as read, once', async ({ page }) => {
  const fake = await openWindow(page)
  const link = page.getByRole('link', { name: 'Alerts', exact: true })
  await expect(link).toHaveAccessibleDescription('2 unread')
  await link.click()
  await expect(page.getByRole('table', { name: 'Alert inbox' })).toBeVisible()
  await expect(link).toHaveAccessibleDescription('Alerts')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Watchlist' }).click()
  await expect(page.getByRole('table', { name: 'Watchlist' })).toBeVisible()
  expect(fake.callsOf('markInboxRead')).toHaveLength(1)
})

test('with no rules and no alerts the page says what it is for', async ({ page }) => {
  const snapshot = sampleSnapshot()
  snapshot.state.alerts = []
  snapshot.state.inbox = []
  await openWindow(page, { view: 'alerts', snapshot })
  await expect(page.getByText('No rules yet.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'New alert', exact: true })).toBeVisible()
})
