import type { AlertDraft } from '../../core/alerts'
import { levelDraft } from '../support/sample-alerts'
import { formatDecimal } from '../../core/decimal'
import { addressOf } from '../../simulator/address'
import { expect, test } from '../support/app-test'

test(
  'the chart of an index is read by keys, follows the stream, and moves an alert to another level',
  { tag: '@deep' },
  async ({ bench, simulator }) => {
    const { running, watch } = await bench.launchLive(addressOf(simulator))
    const { page } = watch
    const level = ((await watch.published('BRTI')) ?? '').replace(/\.\d+$/, '.00')
    // The market may cross the level at any time: one that notifies of every crossing stays on the chart.
    const draft: AlertDraft = { ...levelDraft(level), repeat: { mode: 'everyCrossing' } }
    expect(await watch.ask('createAlert', { draft, whenAlreadyMet: 'wait' })).toMatchObject({
      ok: true,
    })
    await watch.open('Alerts')
    const moved = page.getByRole('table', { name: 'Alerts' }).getByRole('row', { name: /BRTI/ })
    await expect(moved).toContainText(formatDecimal(level))
    await watch.open('Watchlists')
    await watch.row('BRTI').dblclick()
    await page.getByRole('radio', { name: '1 minute' }).check()
    const chart = page.getByRole('slider', { name: 'Chart of BRTI over' })
    await chart.focus()
    await page.keyboard.press('End')
    await expect(chart).toHaveAttribute('aria-valuetext', /^[\d,]+\.\d{2}\b/)
    const read = await chart.getAttribute('aria-valuetext')
    // What is read stays; the newest is a newer one a moment later.
    await expect(async () => {
      await page.keyboard.press('End')
      expect(await chart.getAttribute('aria-valuetext')).not.toBe(read)
    }).toPass()
    const handle = page.getByRole('slider', { name: 'Alert when BRTI' })
    await handle.focus()
    await page.keyboard.press('PageUp')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('group', { name: 'Message' })).toContainText('Alert on BRTI moved to')
    await watch.open('Alerts')
    await expect(moved).toContainText(/[\d,]+\.\d{2}/)
    await expect(moved).not.toContainText(formatDecimal(level))
    expect(running.pageErrors).toEqual([])
  },
)

test(
  'the demo service is shown and named, every view opens in light and dark, and a connection is entered, tested and saved',
  { tag: '@deep' },
  async ({ bench, simulator }) => {
    const running = await bench.launch()
    const watch = await running.watch()
    const { page } = watch

    await test.step('without a connection of its own the app shows the demo service and says so', async () => {
      await watch.expectState('Demo')
      await watch.expectState('Live')
      for (const id of await watch.ids()) await expect(watch.value(id)).toHaveAttribute('data-value', /\d/)
    })

    await test.step('every view opens in the app, in light and dark', async () => {
      for (const theme of ['light', 'dark'] as const) {
        await watch.ask('setPreferences', { theme, density: theme === 'light' ? 'comfortable' : 'compact' })
        await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
        for (const [at, name] of ['Watchlists', 'Indices', 'Alerts', 'Assistants', 'Settings'].entries()) {
          await page.keyboard.press(`Control+${at + 1}`)
          await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
        }
        await page.keyboard.press('Control+2')
        // Rows out of sight are counted, and not in the page.
        await expect(page.getByRole('table', { name: 'Indices' })).toHaveAttribute('aria-rowcount', /^\d{3}$/)
      }
    })

    await test.step('a connection is entered, tested step by step, saved and live, and its key is shown nowhere', async () => {
      await watch.open('Settings')
      await page.getByRole('button', { name: 'Add connection' }).click()
      await page.getByLabel('Name', { exact: true }).fill('Own')
      await page.getByLabel('WebSocket address').fill(simulator.wsUrl)
      await page.getByLabel('REST address').fill(simulator.restUrl)
      await page.getByLabel('MCP address').fill(simulator.mcpUrl)
      await page.getByLabel('Key id').fill(simulator.keyId)
      await page.getByLabel('Key secret').fill('not this one')
      await page.getByRole('button', { name: 'Test connection' }).click()
      const result = page.getByRole('region', { name: 'Test of the connection' })
      await expect(result.getByRole('listitem').filter({ hasText: 'Sign-in' })).toContainText('failed')
      await page.getByLabel('Key secret').fill(simulator.keySecret)
      await page.getByRole('button', { name: /^Test/ }).click()
      await expect(result).toContainText('All tested steps work.')
      // Tested, and not yet saved.
      await expect.poll(() => simulator.counts.connections).toBe(0)
      await watch.expectState('Demo')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(watch.connection).toHaveText('Live')
      await page.getByRole('button', { name: 'Edit Own' }).click()
      await expect(page.getByLabel('Key secret')).toHaveValue('')
      expect(await page.content()).not.toContain(simulator.keySecret)
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'Open diagnostics' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Diagnostics' })).toBeVisible()
      expect(await page.locator('main').innerText()).not.toContain(simulator.keySecret)
    })
    expect(running.pageErrors).toEqual([])
  },
)

test('a dark window is shown once it is painted, on a dark ground', async ({ bench }) => {
  const { app } = await bench.launch(['--demo', '--hidden'])
  await bench.peer.nextTrayItem()
  await app.evaluate(({ app: main, nativeTheme }) => {
    nativeTheme.themeSource = 'dark'
    const said: string[] = []
    Object.assign(globalThis, { said })
    main.once('browser-window-created', (_event, window) => {
      window.once('show', () => said.push(`shown on ${window.getBackgroundColor()}`))
      window.once('ready-to-show', () => said.push('painted'))
    })
  })
  const opened = app.waitForEvent('window')
  await bench.peer.activateTray()
  await (await opened).getByRole('table', { name: 'My list' }).waitFor()
  const said = () => app.evaluate(() => (globalThis as unknown as { said: string[] }).said)
  await expect.poll(said).toEqual(['painted', 'shown on #0D0F12'])
})
