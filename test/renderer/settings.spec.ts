import type { Locator, Page } from '@playwright/test'
import { ok, type FakeDesktop } from '../support/fake-desktop'
import { faults } from '../support/faults'
import { expect, openWindow, test } from './window-page'

/** Types and saves an address, which must survive a change of other settings before saving. Returns its field. */
async function saveAddress(page: Page, fake: FakeDesktop, label: string, typed: string): Promise<Locator> {
  const address = page.getByRole('textbox', { name: label })
  const save = page.locator('form').filter({ has: address }).getByRole('button', { name: 'Save' })
  await expect(save).toBeDisabled()
  await address.fill(typed)
  await fake.push({ state: { settings: { ...fake.snapshot.state.settings } } })
  await expect(address).toHaveValue(typed)
  await save.click()
  return address
}

test('appearance settings apply at once: theme, colours, density, numbers and times', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  const fake = await openWindow(page, { view: 'settings' })

  await test.step('the row height has no hint that repeats its label', async () => {
    await expect(page.getByRole('radiogroup', { name: 'Row height' })).toBeVisible()
    await expect(page.getByText('Height of table rows.')).toHaveCount(0)
  })
  await test.step('the theme is chosen and applied', async () => {
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const light = await background()
    await page.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { name: 'Dark' }).check()
    await expect.poll(background).not.toBe(light)
    expect(fake.callsOf('setPreferences')).toEqual([{ theme: 'dark' }])
    await page.getByRole('radio', { name: 'System', exact: true }).first().check()
    await expect.poll(background).toBe(light)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(background).not.toBe(light)
    await page.emulateMedia({ colorScheme: 'light' })
  })
  await test.step('the up and down colours are shown before they are used, and an error stays red', async () => {
    fake.calls.length = 0
    const [green, red] = ['rgb(11, 122, 75)', 'rgb(192, 50, 44)']
    const sample = page.getByRole('note', { name: 'Sample of a rise and a fall' })
    await expect(sample.getByText('▲ 1.23 %')).toHaveCSS('color', green)
    await page.getByRole('radio', { name: 'Red up, green down' }).check()
    await expect(sample.getByText('▲ 1.23 %')).toHaveCSS('color', red)
    await expect(sample.getByText('▼ 0.45 %')).toHaveCSS('color', green)
    const danger = "getComputedStyle(document.documentElement).getPropertyValue('--danger')"
    expect(await page.evaluate<string>(danger)).toContain('#c0322c')
    await page.getByRole('radio', { name: 'Blue up, orange down' }).check()
    await expect(sample.getByText('▲ 1.23 %')).toHaveCSS('color', 'rgb(10, 95, 184)')
    await expect(sample.getByText('▼ 0.45 %')).toHaveCSS('color', 'rgb(164, 74, 0)')
    expect(fake.callsOf('setPreferences')).toEqual([{ directionColours: 'redUp' }, { directionColours: 'blueUp' }])
  })
  await test.step('numbers everywhere follow the grouping', async () => {
    await expect(page.locator('[data-sample="grouping"]')).toHaveText('1,234,567.89')
    await page.getByRole('radio', { name: 'Space' }).check()
    await expect(page.locator('[data-sample="grouping"]')).toHaveText('1\u202f234\u202f567.89')
    await page.getByRole('radiogroup', { name: 'Thousands separator' }).getByRole('radio', { name: 'None' }).check()
    await page.getByRole('link', { name: 'Watchlists' }).click()
    await expect(page.locator('[data-index="BRTI"] [data-value]')).toHaveText('68123.40')
    await page.getByRole('link', { name: 'Settings' }).click()
  })
  await test.step('a time zone is found by its city, and every time on screen follows', async () => {
    fake.calls.length = 0
    await expect(page.locator('[data-sample="time"]')).toContainText('14:02:1')
    await page.getByRole('button', { name: 'Choose a zone…' }).click()
    const search = page.getByRole('combobox', { name: 'Search time zones' })
    await search.fill('nowhere')
    await expect(page.getByText('No time zone matches “nowhere”.')).toBeVisible()
    await search.fill('adel')
    await expect(page.getByRole('option', { name: 'Australia/Adelaide' })).toContainText('UTC+10:30')
    await search.press('Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('radio', { name: 'Australia/Adelaide' })).toBeChecked()
    await expect(page.locator('[data-sample="time"]')).toContainText('22 Nov 2026, 00:32:1')
    expect(fake.callsOf('setPreferences')).toEqual([{ timeZone: 'Australia/Adelaide' }])
    await page.getByRole('link', { name: 'Watchlists' }).click()
    await expect(page.locator('[data-index="BRTI"]')).toContainText('00:32:11.4')
    await fake.push({ state: { settings: { ...fake.snapshot.state.settings, timeZone: 'UTC' } } })
    await expect(page.locator('[data-index="BRTI"]')).toContainText('14:02:11.4')
  })
})

test('the proxy sign-in shows only if a proxy is set or has asked for a name', async ({ page }) => {
  const fake = await openWindow(page, { view: 'settings/network' })
  const { settings } = fake.snapshot.state
  const signIn = page.getByText('Proxy sign-in', { exact: true })
  await expect(page.getByRole('radiogroup', { name: 'Proxy' })).toBeVisible()
  await expect(signIn).toHaveCount(0)
  for (const proxy of ['fixed', 'pac'] as const) {
    await fake.push({ state: { settings: { ...settings, proxy } } })
    await expect(signIn).toBeVisible()
  }
  await fake.push({ state: { settings } })
  await expect(signIn).toHaveCount(0)
  await fake.push({ state: { hasProxyAsked: true } })
  await expect(signIn).toBeVisible()
})

test(
  'settings are saved by the app, linked by section, and fit a small window',
  { tag: '@deep' },
  async ({ page, complaints }) => {
    const fake = await openWindow(page)
    fake.handlers.getHistorySize = () => ok({ bytes: 1_234_500_000, oldestMs: Date.UTC(2026, 8, 1, 12) })
    fake.handlers.clearHistory = () => ok({ bytes: 2_500_000 })
    await page.goto('/#settings')

    await test.step('the history shows its size, saves the choice, and is cleared only after a question', async () => {
      const section = page.getByRole('region', { name: 'History' })
      await expect(section.getByRole('status')).toContainText('1.23 GB, since 1 Sep 2026')
      await section.getByRole('radio', { name: '1 year' }).check()
      await section.getByRole('radio', { name: '10 GB' }).check()
      expect(fake.callsOf('setPreferences')).toEqual([{ historyDays: 365 }, { historyGigabytes: 10 }])
      await section.getByRole('button', { name: 'Clear history…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Clear history' })
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      expect(fake.callsOf('clearHistory')).toEqual([])
      await section.getByRole('button', { name: 'Clear history…' }).click()
      await dialog.getByRole('radio', { name: 'Older than 7 days' }).check()
      await dialog.getByRole('button', { name: 'Delete values' }).click()
      await expect(section.getByRole('status')).toHaveText('2.5 MB')
      expect(fake.callsOf('clearHistory')).toHaveLength(1)
    })
    await test.step('spreadsheet access is turned on, shows its token once, and suggests a free port', async () => {
      fake.calls.length = 0
      const section = page.getByRole('region', { name: 'Spreadsheets' })
      await section.getByRole('switch', { name: 'Allow spreadsheets' }).click()
      await fake.push({
        state: {
          spreadsheets: { hasToken: false, problem: 'Port 27463 is used by another program.', freePort: 40_001 },
        },
      })
      await expect(section.getByRole('alert')).toHaveText('Port 27463 is used by another program.')
      await section.getByRole('button', { name: 'Use port 40001' }).click()
      expect(fake.callsOf('setPreferences')).toEqual([{ allowsSpreadsheets: true }, { spreadsheetPort: 40_001 }])
      await fake.push({ state: { spreadsheets: { hasToken: false } } })
      await expect(section.getByRole('alert')).toHaveCount(0)
      await section.getByRole('radio', { name: 'pandas' }).check()
      const recipe = section.getByRole('region', { name: 'Recipe for pandas' })
      await expect(recipe).toContainText('http://127.0.0.1:40001/latest.csv?token=TOKEN')
      await section.getByRole('button', { name: 'Create token' }).click()
      const token = (await section.getByRole('region', { name: 'The new token' }).textContent()) ?? ''
      expect(token).toHaveLength(43)
      await expect(recipe).toContainText(`token=${token}"`)
      await expect(section.getByRole('button', { name: 'Create new token' })).toBeVisible()
      await page.goto('/#watchlist')
      // Waits until the page was left.
      await expect(section).toHaveCount(0)
      await page.goto('/#settings')
      await expect(page.getByText(token)).toHaveCount(0)
      await expect(section.getByRole('switch', { name: 'Allow spreadsheets' })).toBeChecked()
    })
    await test.step('a heartbeat starts once it has an address, at the chosen interval', async () => {
      fake.calls.length = 0
      const times = page.getByRole('radiogroup', { name: 'Heartbeat' })
      await times.getByRole('radio', { name: '15 min' }).check()
      const address = await saveAddress(page, fake, 'Heartbeat URL', ' https://hooks.example/beat ')
      await times.getByRole('radio', { name: '1 min', exact: true }).check()
      await times.getByRole('radio', { name: 'Off' }).check()
      await expect(address).toHaveCount(0)
      expect(fake.callsOf('setPreferences')).toEqual([
        { heartbeatMinutes: 15, heartbeatWebhook: 'https://hooks.example/beat' },
        { heartbeatMinutes: 1 },
        { heartbeatMinutes: 0 },
      ])
    })
    await test.step('a setting that could not be saved says so and stays unchanged', async () => {
      const { setPreferences } = fake.handlers
      fake.handlers.setPreferences = () => ({ ok: false, problem: { code: 'internal', message: 'The disk is full.' } })
      await page.getByRole('switch', { name: 'Notifications' }).click()
      await expect(page.getByRole('group', { name: 'Message' })).toContainText('The disk is full.')
      expect(await faults(page)).toEqual([])
      await expect(page.getByRole('switch', { name: 'Notifications' })).toBeChecked()
      if (setPreferences) fake.handlers.setPreferences = setPreferences
    })
    await test.step('the links open the sections, and show the current one', async () => {
      const links = page.getByRole('navigation', { name: 'Settings' })
      await links.getByRole('link', { name: 'Connections' }).click()
      await expect(page.getByRole('heading', { name: 'Connections' })).toBeInViewport()
      await expect(page.locator('#settings-connections')).toBeFocused()
      await links.getByRole('link', { name: 'Appearance' }).click()
      await expect(page.getByRole('heading', { name: 'Appearance' })).toBeInViewport()
      await expect(links.getByRole('link', { name: 'Appearance' })).toHaveAttribute('aria-current', 'true')
    })
    await test.step('the keyboard shortcuts and the version are shown', async () => {
      await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByText('Indexwatch 0.1.0')).toBeVisible()
    })
    await test.step('the view may be left while it scrolls', async () => {
      await page.evaluate("location.hash = 'settings'")
      // Acts like a click on a link while the view still scrolls. The browser reports the scrolling afterwards.
      await page.evaluate(`new Promise((resolve) => {
    const scroller = document.querySelector('.content')
    let scrolls = 0
    const leave = () => {
      scroller.scrollTop += 40
      scrolls += 1
      if (scrolls === 3) location.hash = 'watchlist'
      if (scrolls < 8) requestAnimationFrame(leave)
      else resolve()
    }
    leave()
  })`)
      await expect(page.getByRole('table')).toBeVisible()
      expect(complaints).toEqual([])
    })
  },
)

test(
  'the ticker shows the same indices as the tray, or its own choice in its own order',
  { tag: '@deep' },
  async ({ page }) => {
    const fake = await openWindow(page, { view: 'settings/ticker' })
    const source = page.getByRole('radiogroup', { name: 'Indices' })
    const own = page.getByRole('list', { name: 'On the ticker' })
    const ids = () => own.getByRole('listitem').locator('.id').allTextContents()
    await expect(source.getByRole('radio', { name: 'Same as the tray' })).toBeChecked()
    await expect(own).toHaveCount(0)
    await source.getByRole('radio', { name: 'Own choice' }).check()
    await expect(own.getByRole('listitem')).toHaveCount(5)
    const first = await ids()

    await page.getByRole('button', { name: 'Add to the ticker…' }).click()
    const search = page.getByRole('combobox', { name: 'Search indices' })
    await search.fill(first[0] ?? '')
    await expect(page.getByRole('option', { name: first[0] ?? '' })).toHaveCount(0)
    await search.fill('SHIB')
    await search.press('Enter')
    await expect.poll(ids).toEqual([...first, 'SHIBUSD_RTI'])
    const up = page.getByRole('button', { name: 'Move SHIBUSD_RTI up' })
    await up.click()
    await expect.poll(ids).toEqual([...first.slice(0, -1), 'SHIBUSD_RTI', first.at(-1)])
    await expect(page.getByRole('button', { name: `Move ${first[0]} up` })).toBeDisabled()
    expect(await faults(page)).toEqual([])

    await test.step('the focus stays with a moved index, also at the top, and goes to the next after a removal', async () => {
      const focused = () => page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? ""')
      await expect.poll(focused).toBe('Move SHIBUSD_RTI up')
      for (let at = first.length - 2; at >= 0; at--) {
        await page.keyboard.press('Enter')
        await expect.poll(async () => (await ids()).indexOf('SHIBUSD_RTI')).toBe(at)
        await expect.poll(focused).toBe('Move SHIBUSD_RTI up')
      }
      await expect(up).toBeDisabled()
      await page.keyboard.press('Enter')
      await expect.poll(ids).toEqual(['SHIBUSD_RTI', ...first])
      await page.getByRole('button', { name: `Remove ${first[0]}` }).focus()
      for (const [at, id] of first.entries()) {
        await page.keyboard.press('Enter')
        await expect(page.getByRole('button', { name: `Remove ${id}` })).toHaveCount(0)
        await expect.poll(focused).toBe(`Remove ${first[at + 1] ?? 'SHIBUSD_RTI'}`)
      }
      await page.keyboard.press('Enter')
      await expect(own).toHaveCount(0)
      await expect(source.getByRole('radio', { name: 'Same as the tray' })).toBeFocused()
    })
    expect(fake.callsOf('setPreferences').at(-1)).toEqual({ tickerIds: [] })

    await test.step('an empty choice means no own choice', async () => {
      const { settings } = fake.snapshot.state
      await fake.push({ state: { settings: { ...settings, watchlists: [], pinnedIds: [] } } })
      await source.getByRole('radio', { name: 'Own choice' }).check()
      await expect(search).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(search).toHaveCount(0)
      await expect(source.getByRole('radio', { name: 'Same as the tray' })).toBeChecked()
      await expect(source.getByRole('radio', { name: 'Own choice' })).not.toBeChecked()
      await fake.push({ state: { settings } })
    })

    await test.step('a search with more results than shown says how many more', async () => {
      const { catalogue } = fake.snapshot.state
      const many = Array.from({ length: 130 }, (_, at) => ({ id: `M${at}_RTI`, maxResolution: 'PER_SECOND' as const }))
      await fake.push({ state: { catalogue: many } })
      await source.getByRole('radio', { name: 'Own choice' }).check()
      await page.getByRole('button', { name: 'Add to the ticker…' }).click()
      await expect(page.getByRole('dialog')).toContainText('30 more: type to narrow the search.')
      await page.keyboard.press('Escape')
      await fake.push({ state: { catalogue } })
    })

    await test.step('it takes at most ten', async () => {
      const { settings } = fake.snapshot.state
      const tickerIds = Array.from({ length: 10 }, (_, at) => `I${at}_RTI`)
      await fake.push({ state: { settings: { ...settings, tickerIds } } })
      await expect(page.getByRole('button', { name: 'Add to the ticker…' })).toBeDisabled()
    })
  },
)

test(
  'under Wayland it says what the ticker cannot do, and offers XWayland if available',
  { tag: '@deep' },
  async ({ page }) => {
    const fake = await openWindow(page, { view: 'settings/ticker' })
    const note = page.getByText('the compositor controls the ticker’s position')
    const xwayland = page.getByRole('switch', { name: 'Use XWayland' })
    const restart = page.getByRole('button', { name: 'Restart now' })
    await expect(page.getByRole('switch', { name: 'Show ticker' })).toBeVisible()
    await expect(note).toHaveCount(0)
    await expect(xwayland).toHaveCount(0)
    await fake.push({ state: { placesWindows: false } })
    await expect(note).toContainText('XWayland, which would let Indexwatch set both, is not available in this session.')
    await expect(xwayland).toHaveCount(0)

    await test.step('a switch is visible in the colours of the user, too', async () => {
      const ground = (selector: string) =>
        page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`)
      await page.emulateMedia({ forcedColors: 'active' })
      expect(await ground('[role=switch] .track')).not.toBe(await ground('body'))
      expect(await ground('[role=switch] .knob')).toBe(await ground('body'))
      await page.emulateMedia({ forcedColors: 'none' })
    })

    await fake.push({ state: { xwayland: 'offered' } })
    await expect(note).not.toContainText('lacks')
    await expect(restart).toHaveCount(0)
    await xwayland.click()
    await expect(xwayland).toBeChecked()
    fake.handlers.restart = () => ok(null)
    await restart.click()
    expect(fake.callsOf('setPreferences').at(-1)).toEqual({ usesXWayland: true })
    expect(fake.callsOf('restart')).toHaveLength(1)

    // After the restart the state matches the setting, until the setting changes.
    await fake.push({ state: { placesWindows: true, xwayland: 'used' } })
    await expect(note).toHaveCount(0)
    await expect(restart).toHaveCount(0)
    expect(await faults(page)).toEqual([])
    await xwayland.click()
    await expect(restart).toBeVisible()

    // A flag on the command line overrides the setting.
    await fake.push({ state: { xwayland: 'overridden' } })
    await expect(restart).toHaveCount(0)
    await expect(page.getByText('Overridden on the command line for this session.')).toBeVisible()
  },
)
