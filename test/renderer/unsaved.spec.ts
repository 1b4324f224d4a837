import type { Page } from '@playwright/test'
import { sampleProfiles } from '../support/sample-connections'
import { expect, openWindow, test } from './window-page'

const mark = (page: Page) => page.locator('[data-unsaved]')

test('an unsaved change is marked in place, with the reason, until it is saved', async ({ page }) => {
  const fake = await openWindow(page)
  const { settings, alerts, inbox } = fake.snapshot.state
  const [list] = settings.watchlists
  const [profile] = sampleProfiles
  const unsaved = {
    reason: 'the disk is full',
    count: 5,
    preferences: ['theme' as const],
    lists: [list?.id ?? ''],
    connections: [profile.id],
    alerts: [alerts[0]?.id ?? ''],
    events: [inbox[0]?.id ?? ''],
  }
  const message =
    'Not saved because the disk is full: watchlist “My list”, theme, alert BRTI rises to 68,500 and 2 more. Free some space, and they will be saved automatically.'
  await fake.push({
    state: {
      unsaved,
      settings: { ...settings, profiles: sampleProfiles },
      notices: [{ id: 'n', message }],
    },
  })
  const title = 'Not saved because the disk is full. The change is lost if Indexwatch quits before saving it.'

  await test.step('the list, beside its name and in the navigation', async () => {
    await expect(mark(page)).toHaveCount(2)
    for (const each of await mark(page).all()) {
      await expect(each).toHaveAttribute('title', title)
      await expect(each).toHaveText('not saved')
    }
  })
  await test.step('the alert and the event', async () => {
    await page.evaluate("location.hash = '#alerts'")
    await expect(page.locator(`[data-rule="${unsaved.alerts[0]}"] [data-unsaved]`)).toHaveAttribute('title', title)
    await expect(page.locator(`[data-event="${unsaved.events[0]}"] [data-unsaved]`)).toHaveText('not saved')
  })
  await test.step('the setting and the connection', async () => {
    await page.evaluate("location.hash = '#settings'")
    await expect(page.getByRole('main').locator('[data-unsaved]')).toHaveCount(2)
  })
  await test.step('once it is saved no mark is left', async () => {
    await fake.push({ state: { unsaved: null } })
    await expect(mark(page)).toHaveCount(0)
  })
})
