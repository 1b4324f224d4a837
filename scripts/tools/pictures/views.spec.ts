/**
 * Takes a picture of every view of the real app, first on the simulator, then of the same profile without a service:
 * `npm run pictures -- views`. Saves them to `views/` in the system's temporary folder. Check each picture.
 */
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { addressOf } from '../../../simulator/address'
import { AlertRun } from '../../../test/support/alert-run'
import { connectionVariables, type RunningApp } from '../../../test/support/app-bench'
import { levelDraft } from '../../../test/support/sample-alerts'
import type { WatchPage } from '../../../test/support/watch-page'
import { onLiveApp } from './live-app'

const root = join(tmpdir(), 'views')
const added = ['NCI', 'TSLAXUSD_RTI', 'ETH_SRR', 'UC5_RTI_TR', 'BVX', 'NQBTCS']
const wide = { width: 1280, height: 820 }
/** The smallest window size. */
const small = { width: 900, height: 600 }
const shots = [
  { size: wide, theme: 'light' },
  { size: wide, theme: 'dark' },
  { size: small, theme: 'light' },
] as const
const ranges = ['1 hour', '24 hours', '7 days', '30 days', '1 year']

class Camera {
  readonly #folder: string
  readonly #watch: WatchPage
  #number = 0

  constructor(folder: string, watch: WatchPage) {
    this.#folder = folder
    this.#watch = watch
  }

  get page(): Page {
    return this.#watch.page
  }

  async take(name: string): Promise<void> {
    this.#number += 1
    const number = String(this.#number).padStart(2, '0')
    for (const { size, theme } of shots) {
      await this.page.setViewportSize(size)
      await this.#watch.ask('setPreferences', { theme })
      await expect(this.page.locator('html')).toHaveAttribute('data-theme', theme)
      await this.page.waitForTimeout(200)
      await this.page.screenshot({ path: join(this.#folder, `${number}-${name}-${size.width}-${theme}.png`) })
    }
    await this.page.setViewportSize(wide)
  }

  async go(hash: string): Promise<void> {
    await this.page.evaluate((wanted) => {
      location.hash = wanted
    }, hash)
    await this.page.waitForTimeout(500)
  }

  async close(): Promise<void> {
    await this.page.keyboard.press('Escape')
    await this.page.waitForTimeout(200)
  }
}

/** Takes every view. Returns the names of missing views and continues with the others. */
async function tour(folder: string, running: RunningApp, watch: WatchPage): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const camera = new Camera(folder, watch)
  const { page } = camera
  page.setDefaultTimeout(5_000)
  const missed: string[] = []
  const step = async (name: string, run: () => Promise<unknown>) => {
    try {
      await run()
      await camera.take(name)
    } catch (error) {
      missed.push(`${name}: ${String(error).split('\n')[0] ?? ''}`)
    }
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialogOf = async (run: () => Promise<unknown>, name: string) => {
    await step(name, async () => {
      await run()
      await expect(page.getByRole('dialog').first()).toBeVisible()
      await page.waitForTimeout(1_000)
    })
    await camera.close()
  }
  const openIndex = async (id: string) => {
    await camera.go(`#index/${id}`)
    await expect(page.locator('#index-title')).toHaveText(id)
    await page.waitForTimeout(1_500)
  }
  const tab = (name: string) => page.getByRole('tab', { name }).click()

  await step('watchlist', () => page.mouse.move(640, 700))
  await step('connection', () => button('Show connections').click())
  await camera.close()
  await step('watchlist-row-menu', async () => {
    await watch.row('BRTI').hover()
    await button('Actions for BRTI').click()
  })
  await camera.close()
  await step('watchlist-row-menu-at-the-pointer', () => watch.row('NCI').click({ button: 'right' }))
  await camera.close()
  await step('panel-follows-the-arrows', async () => {
    await watch.row('BRTI').click()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.waitForTimeout(1_500)
  })
  await step('selected-rows', async () => {
    await watch.row('XRPUSD_RTI').click({ modifiers: ['Shift'] })
    await watch.row('BRR').click({ modifiers: ['Control'] })
  })
  await camera.close()
  await dialogOf(() => page.keyboard.press('e'), 'letter-begins-to-add')
  await dialogOf(() => button('Add index').click(), 'add-index')
  await dialogOf(() => page.keyboard.press('Control+k'), 'palette')
  await dialogOf(async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('fixing sheet')
  }, 'palette-fixing-sheet')
  await dialogOf(() => page.keyboard.press('F1'), 'shortcuts')
  await step('indices', () => camera.go('#indices'))
  await step('amendments', () => camera.go('#indices/amendments'))
  await dialogOf(() => page.locator('tbody').getByTitle('Everything about this amendment').first().click(), 'amendment')

  await step('BRTI', () => openIndex('BRTI'))
  for (const range of ranges) {
    await step(`BRTI-${range.replace(' ', '-')}`, async () => {
      await page.getByRole('radio', { name: range }).check()
      await page.waitForTimeout(1_500)
    })
  }
  await dialogOf(() => button('Values as a table').click(), 'chart-values')
  await dialogOf(() => button('Custom range').click(), 'chart-custom-range')
  for (const name of ['Reference data', 'Amendments', 'Market']) {
    await step(`BRTI-${name.replace(' ', '-')}`, () => tab(name))
  }
  const history = async (item: string) => {
    await button('History of BRTI').click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await dialogOf(async () => {
    await history('Value at…')
    await page
      .getByRole('dialog')
      .getByLabel('Time')
      .fill(new Date(Date.now() - 120_000).toISOString())
    await page.keyboard.press('Enter')
  }, 'value-at')
  await dialogOf(() => history('Export values…'), 'export')
  await dialogOf(() => button('New alert').click(), 'new-alert')
  await step('new-alert-choices', async () => {
    await button('New alert').click()
    await page.getByRole('dialog').getByLabel('Condition').click()
  })
  await camera.close()
  await camera.close()
  for (const id of [...added, 'BRR']) {
    await step(id, () => openIndex(id))
    for (const name of ['Constituents', 'Reference data', 'Corporate actions', 'Market', 'Amendments']) {
      if ((await page.getByRole('tab', { name }).count()) > 0) {
        await step(`${id}-${name.replace(' ', '-')}`, () => tab(name))
      }
    }
    if ((await page.getByRole('tab', { name: 'Constituents' }).count()) > 0) {
      await tab('Constituents')
      await step(`${id}-weights`, () => page.getByRole('columnheader', { name: 'Weight %' }).scrollIntoViewIfNeeded())
    }
  }
  await step('alerts', async () => {
    await camera.close()
    await camera.go('#alerts')
  })
  for (const [name, row] of [
    ['why-rule', 'tr[data-rule]'],
    ['why-event', 'tr[data-event]'],
  ] as const) {
    await dialogOf(async () => {
      if (name === 'why-event')
        await page
          .getByRole('button', { name: /\d events of/ })
          .first()
          .click()
      await page.locator(row).first().click({ button: 'right' })
      await page.getByRole('menuitem', { name: /^Why/ }).click()
    }, name)
  }
  await step('assistants', () => camera.go('#assistants'))
  for (const part of ['appearance', 'numbers', 'behaviour', 'ticker', 'connections', 'history', 'help']) {
    await step(`settings-${part}`, () => camera.go(`#settings/${part}`))
  }
  await dialogOf(async () => {
    await camera.go('#settings/connections')
    await button('Add connection').first().click()
  }, 'add-connection')
  await step('diagnostics', async () => {
    await camera.go('#settings/diagnostics')
    await page.waitForTimeout(1_500)
  })
  await step('ticker', async () => {
    const known = running.app.windows().length
    await watch.ask('setPreferences', { showsTicker: true })
    await expect.poll(() => running.app.windows().length).toBe(known + 1)
    const ticker = running.app.windows().at(-1)
    await ticker?.waitForTimeout(2_000)
    for (const theme of ['light', 'dark'] as const) {
      await watch.ask('setPreferences', { theme })
      await ticker?.waitForTimeout(500)
      await ticker?.screenshot({ path: join(folder, `ticker-window-${theme}.png`) })
    }
    await watch.ask('setPreferences', { showsTicker: false })
    await camera.go('#watchlist')
  })
  return missed
}

test('every view, live and without a service', async () => {
  test.setTimeout(1_800_000)
  await onLiveApp(async ({ bench, simulator, running, watch }) => {
    const service = addressOf(simulator)
    await watch.page.setViewportSize(wide)
    await expect(watch.page.locator('[data-index="LINKUSD_RTI"] [data-value]')).toBeVisible()
    const { settings } = (await watch.snapshot()).state
    for (const id of added) await watch.ask('addIndex', { listId: settings.watchlists[0]?.id ?? '', indexId: id })
    simulator.playScenario('amend-late')
    const alerts = new AlertRun(running, watch)
    const value = Number(await watch.published('BRTI'))
    const everyCrossing = { repeat: { mode: 'everyCrossing' } } as const
    await alerts.make({ ...levelDraft(value.toFixed(0), { condition: 'crosses' }), ...everyCrossing })
    await alerts.make({ ...levelDraft('', { indexId: 'BRTI' }), terms: { condition: 'amended' }, ...everyCrossing })
    await alerts.make({
      ...levelDraft('', { indexId: 'NCI' }),
      terms: { condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '99' },
    })
    await alerts.make({
      ...levelDraft('', { indexId: 'ETHUSD_RTI' }),
      terms: { condition: 'moves', direction: 'either', amount: '0.01', unit: 'percent', withinMs: 60_000 },
      repeat: { mode: 'daily', max: 3 },
    })
    await alerts.make({ ...levelDraft('', { indexId: 'BRR' }), terms: { condition: 'noUpdate' } })
    await alerts.make({ ...levelDraft('', { indexId: 'TSLAXUSD_RTI' }), terms: { condition: 'corporateAction' } })
    await watch.page.waitForTimeout(20_000)
    const missedLive = await tour(join(root, 'live'), running, watch)
    console.log('live, not there:', missedLive)
    await running.quit()
    await simulator.close()
    const later = await bench.launch([], connectionVariables(service))
    const offline = await later.watch()
    await expect(offline.connection).not.toContainText('Connecting', { timeout: 60_000 })
    await offline.page.setViewportSize(wide)
    await offline.page.waitForTimeout(5_000)
    console.log('offline, not there:', await tour(join(root, 'offline'), later, offline))
    console.log(root)
  })
})
