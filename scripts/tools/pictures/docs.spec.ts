/** Takes the README's pictures of the real app on the simulator: `npm run pictures -- docs`. Check each picture. */
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, test, type Page } from '@playwright/test'
import { Market } from '../../../simulator/market'
import { AlertRun } from '../../../test/support/alert-run'
import type { AppBench, RunningApp } from '../../../test/support/app-bench'
import { levelDraft } from '../../../test/support/sample-alerts'
import type { WatchPage } from '../../../test/support/watch-page'
import { onProvider } from './live-app'

const folder = join(import.meta.dirname, '../../../docs/screenshots')

async function take(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

/** Makes the calls of an assistant that a user has set up. */
async function askAsAssistant(watch: WatchPage, bench: AppBench): Promise<void> {
  await watch.ask('setPreferences', { allowsAssistants: true })
  const set = await watch.ask('getAssistantSetup', {})
  if (!set.ok) throw new Error(set.problem.message)
  const client = new Client({ name: 'claude-ai', version: '0.1.0' })
  await client.connect(new StdioClientTransport({ ...set.value, env: bench.environment(), stderr: 'ignore' }))
  const { terms } = levelDraft('90000')
  const calls = [
    ['list_watchlists', {}],
    ['get_latest_values', { list: 'Overview' }],
    ['get_value_at', { id: 'BRTI', at: 'yesterday 16:00 London' }],
    ['propose_alert', { indexId: 'BRTI', terms }],
  ] as const
  for (const [name, args] of calls) await client.callTool({ name, arguments: args })
}

/**
 * The level that BRTI crosses least often in the next 40 seconds, but at least twice. The simulator's market is known
 * in advance.
 */
function levelCrossedTwice(): number {
  const market = new Market(1)
  const fromMs = Date.now() + 3_000
  const values = Array.from({ length: 200 }, (_, at) => market.level({ asset: 'BTC' }, fromMs + at * 200))
  const crossings = (level: number) =>
    values.filter((value, at) => value >= level !== (values[at - 1] ?? value) >= level)
  const floor = Math.ceil(Math.min(...values))
  const levels = Array.from({ length: Math.floor(Math.max(...values)) - floor + 1 }, (_, at) => floor + at)
  const counted = levels.map((level) => ({ level, count: crossings(level).length })).filter(({ count }) => count >= 2)
  const [best] = counted.toSorted((one, other) => one.count - other.count)
  if (best === undefined) throw new Error('BRTI does not turn within 40 seconds')
  return best.level
}

test('the pictures of the README', async () => {
  test.setTimeout(300_000)
  await onProvider(async ({ bench, running, watch }) => {
    const { page } = watch
    await page.setViewportSize({ width: 1280, height: 820 })
    await expect(page.locator('[data-index="LINKUSD_RTI"] [data-value]').first()).toBeVisible()
    const alerts = new AlertRun(running, watch)
    const level = levelCrossedTwice()
    const draft = levelDraft(String(level), { condition: 'crosses' })
    await alerts.make({ ...draft, repeat: { mode: 'everyCrossing' } })
    await expect.poll(async () => (await alerts.inbox()).length, { timeout: 60_000 }).toBeGreaterThan(1)
    // Time for the short past of each index, and a first change.
    await page.waitForTimeout(10_000)
    await page.mouse.move(640, 700)
    for (const theme of ['light', 'dark'] as const) {
      await watch.ask('setPreferences', { theme })
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
      await take(page, `watchlist-${theme}`)
    }
    await page.locator('[data-index="BRTI"]').first().dblclick()
    const chart = page.getByRole('slider', { name: 'Chart of BRTI over' })
    await page.getByRole('radio', { name: '1 hour' }).check()
    await page.mouse.move(640, 700)
    await expect(chart).toHaveAccessibleDescription(/alert events?$/)
    await take(page, 'index-page')
    await page.getByRole('button', { name: 'New alert' }).click()
    await page
      .getByRole('dialog')
      .getByLabel('Level')
      .fill((Math.round(level / 100) * 100).toLocaleString('en-GB'))
    // Time until the entered level is tested, not the suggested one.
    await page.waitForTimeout(2_000)
    await expect(page.getByRole('dialog')).toContainText(/Would (not )?have fired/, { timeout: 30_000 })
    await take(page, 'alert-dialog')
    await page.keyboard.press('Escape')
    await page.locator('[data-index="NCI"]').first().dblclick()
    await page.getByRole('tab', { name: 'Constituents' }).click()
    await page.getByRole('tablist').evaluate((tabs) => tabs.scrollIntoView())
    await page.getByRole('button', { name: /^Changes since/ }).click()
    await page.getByRole('menuitem', { name: 'Set baseline' }).click()
    // Until the message has disappeared.
    await expect(page.getByRole('group', { name: 'Message' })).toHaveCount(0, { timeout: 60_000 })
    await page.mouse.move(500, 700)
    await take(page, 'constituents')
    await takeTicker(running, watch)
    await askAsAssistant(watch, bench)
    await page.evaluate(() => (location.hash = '#assistants'))
    await expect(page.getByRole('table', { name: 'Calls of assistants' })).toContainText('propose_alert')
    await page.mouse.move(640, 700)
    await take(page, 'assistants')
    await runTool(page)
    await take(page, 'service-tools')
  })
})

/** Takes the ticker in the dark theme, after a few values. */
async function takeTicker({ app }: RunningApp, watch: WatchPage): Promise<void> {
  const opening = app.waitForEvent('window')
  await watch.ask('setPreferences', { showsTicker: true })
  const ticker = await opening
  await expect(ticker.locator('[data-value]').first()).toBeVisible()
  await ticker.waitForTimeout(5_000)
  await take(ticker, 'ticker')
  await watch.ask('setPreferences', { showsTicker: false })
}

/** Runs a tool for a month of one factor, at the top of the window. */
async function runTool(page: Page): Promise<void> {
  await page.evaluate(() => (location.hash = '#assistants/get_factors_data'))
  const form = page.getByRole('form', { name: 'get_factors_data' })
  await form.getByLabel('kind').selectOption('betas')
  await form.getByLabel('assets (optional)').fill('BTC, ETH, SOL')
  await form.getByLabel('startDate (optional)').fill(new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10))
  await form.getByRole('button', { name: 'Run' }).click()
  await expect(page.getByRole('figure')).toBeVisible()
  await page
    .getByRole('term')
    .filter({ hasText: 'get_factors_data' })
    .evaluate((tool) => tool.scrollIntoView())
  // Beside the chart, to avoid its crosshair.
  await page.mouse.move(1_150, 700)
}
