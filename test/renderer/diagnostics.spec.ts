import { toJson } from '../../protocol/json'
import { ok, refused, type FakeDesktop } from '../support/fake-desktop'
import { sampleDiagnostics } from '../support/sample-connections'
import { expect, openWindow, test } from './window-page'

function answer(fake: FakeDesktop, change: Partial<typeof sampleDiagnostics> = {}): void {
  fake.handlers.getDiagnostics = () => ok(toJson({ ...sampleDiagnostics, ...change }))
}

test(
  'diagnostics show the state and recent events, and are refreshed and copied',
  { tag: '@deep' },
  async ({ page }) => {
    const fake = await openWindow(page, { view: 'settings' })

    await test.step('an empty part says so, and an unreadable one says why', async () => {
      fake.handlers.getDiagnostics = () => refused('internal', 'This did not work.')
      await page.getByRole('link', { name: 'Open diagnostics' }).click()
      await expect(page.getByRole('alert')).toContainText('This did not work.')
      await expect(page.getByRole('button', { name: 'Copy diagnostics' })).toBeDisabled()
      answer(fake, { counters: {}, connections: [], connectionLog: [], problems: [] })
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(page.getByRole('alert')).toHaveCount(0)
      await expect(page.getByText('No warnings or errors since app start.')).toBeVisible()
      await expect(page.getByText('No counts yet.')).toBeVisible()
      await page.getByRole('link', { name: 'Back to the settings' }).click()
    })
    await test.step('diagnostics show versions, counters, connections and events, newest first', async () => {
      answer(fake)
      await page.getByRole('link', { name: 'Open diagnostics' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Diagnostics' })).toBeVisible()
      const versions = page.getByRole('region', { name: 'Versions' })
      await expect(versions).toContainText('40.0.0')
      await expect(versions).toContainText('3 h 12 min')
      await expect(page.getByRole('row', { name: 'frames received' })).toContainText('1,234,567')
      await expect(page.getByRole('region', { name: 'Connections' })).toContainText(/London\s*Not authorised/)
      const log = page.getByRole('region', { name: 'Connection log' })
      await expect(log.getByRole('listitem').first()).toContainText('London not authorised: HTTP 401')
      await expect(page.getByRole('region', { name: 'Recent problems' }).getByRole('listitem')).toHaveCount(2)
      await page.getByRole('link', { name: 'Back to the settings' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    })
    await test.step('they are refreshed and copied as text', async () => {
      answer(fake)
      fake.handlers.copyText = () => ok(null)
      await page.getByRole('link', { name: 'Open diagnostics' }).click()
      await expect(page.getByRole('row', { name: 'reconnects' })).toContainText('2')
      answer(fake, { counters: { reconnects: 77 } })
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(page.getByRole('row', { name: 'reconnects' })).toContainText('77')
      await page.getByRole('button', { name: 'Copy diagnostics' }).click()
      await expect(page.getByRole('group', { name: 'Message' })).toContainText('Diagnostics copied')
      const [copied] = fake.callsOf('copyText') as { text: string }[]
      expect(copied?.text).toContain('reconnects 77')
      expect(copied?.text).toContain('London: not authorised: HTTP 401')
      await page.getByRole('link', { name: 'Back to the settings' }).click()
    })
    await test.step('the log folder opens from the settings, and a missing file manager is reported', async () => {
      fake.handlers.openFolder = () => ok(null)
      await page.getByRole('button', { name: 'Open log folder' }).click()
      expect(fake.callsOf('openFolder')).toEqual([{ folder: 'log' }])
      const message = 'The folder /data/logs could not be opened. Open it in your file manager.'
      fake.handlers.openFolder = () => refused('notOpened', message)
      await page.getByRole('button', { name: 'Open log folder' }).click()
      await expect(page.getByText(message).first()).toBeVisible()
    })
  },
)

test(
  'About lists the components of the app and shows every licence, or says why it cannot',
  { tag: '@deep' },
  async ({ page }) => {
    const fake = await openWindow(page)
    const { getAbout } = fake.handlers
    fake.handlers.getAbout = () => refused('unreadable', 'A file of the app is missing. Install it again.')
    await page.evaluate("location.hash = 'settings'")
    await expect(page.getByRole('alert').filter({ hasText: 'A file of the app is missing.' })).toBeVisible()
    if (getAbout !== undefined) fake.handlers.getAbout = getAbout
    await page.evaluate("location.hash = 'alerts'")
    await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
    await page.evaluate("location.hash = 'settings'")
    await expect(page.getByText('Electron 45.5.0')).toBeVisible()
    await expect(page.getByText('/home/kim/.config/Indexwatch')).toBeVisible()
    await page.getByRole('button', { name: 'Third-party licences' }).click()
    await expect(page.getByRole('dialog', { name: 'Third-party licences' })).toContainText('svelte 5.57.3 (MIT)')
  },
)
