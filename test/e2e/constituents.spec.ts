import { readdir } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import { addressOf } from '../../simulator/address'
import { MachineClock } from '../../simulator/clock'
import { rebalanceEveryMs } from '../../simulator/compositions'
import { startSimulator, type Simulator } from '../../simulator/server'
import type { AppBench, RunningApp } from '../support/app-bench'
import { expect, test } from '../support/app-test'

/** A market in which it is so much earlier. */
class EarlierClock extends MachineClock {
  readonly #byMs: number

  constructor(byMs: number) {
    super()
    this.#byMs = byMs
  }

  override wallMs(): number {
    return super.wallMs() - this.#byMs
  }
}

/** The page of NCI in an app that listens to the simulator. */
async function openNci(
  bench: AppBench,
  simulator: Simulator,
): Promise<{ running: RunningApp; panel: Locator; table: Locator }> {
  const { running, watch } = await bench.launchLive(addressOf(simulator))
  await watch.row('NCI').dblclick()
  const panel = watch.page.getByRole('region', { name: 'NCI', exact: true })
  const table = panel.getByRole('table', { name: 'Constituents of NCI' })
  await expect(table.getByRole('rowheader', { name: 'BTC' })).toBeVisible()
  return { running, panel, table }
}

test(
  'a base outlives a restart, and after a rebalance drifts, members and divisor are counted from it',
  { tag: '@deep' },
  async ({ bench, simulator }) => {
    const earlier = await startSimulator({ clock: new EarlierClock(rebalanceEveryMs) })
    const first = await openNci(bench, earlier)
    await expect(first.table.getByRole('columnheader', { name: 'Drift' })).toHaveCount(0)
    const choose = async (panel: typeof first.panel, item: string) => {
      await panel.getByRole('button', { name: /^Changes since/ }).click()
      await panel.page().getByRole('menuitem', { name: item }).click()
    }
    await choose(first.panel, 'Set baseline')
    await expect(first.table.getByRole('columnheader', { name: 'Drift' })).toBeVisible()
    await expect(first.panel.getByRole('list', { name: /^Constituent changes since/ })).toHaveCount(0)
    await first.running.quit()
    await earlier.close()
    expect(await readdir(bench.userData)).toContain('tape.db')

    const second = await openNci(bench, simulator)
    await expect(second.panel.getByText(/since your baseline \(\d/)).toBeVisible()
    const btc = second.table.getByRole('row', { name: /^BTC/ })
    await expect(btc.getByRole('cell').nth(2)).toHaveText(/^(?:[+\u2212]\d+\.\d+|0\.00)$/)
    // One of them may weigh now what it did; all of them cannot.
    const drifted = second.table.locator('td:nth-of-type(3)').filter({ hasText: /^\s*[+\u2212]\d+\.\d+\s*$/ })
    await expect(drifted).not.toHaveCount(0)
    await expect(btc.getByRole('cell').nth(1)).toHaveText(/\d+\.\d\d %/)
    const moved = second.panel.getByRole('list', { name: 'Constituent changes since your baseline' })
    await expect(moved).toContainText(/\w+ added at [\d.]+ %/)
    await expect(moved).toContainText(/\w+ removed \(was [\d.]+ %\)/)
    await expect(second.panel.locator('dd', { hasText: 'since your baseline' })).toBeVisible()

    await second.panel.getByRole('button', { name: 'Constituent changes of NCI' }).click()
    const membership = second.panel.page().getByRole('dialog', { name: 'Constituent changes of NCI' })
    await expect(membership).toContainText(/\w+ added at [\d.]+ %/)
    await expect(membership).toContainText(/Divisor [\d,.]+ → [\d,.]+/)
    await expect(membership).toContainText(/No data before \d/)
    await membership.getByRole('button', { name: 'Close' }).click()

    await choose(second.panel, 'Clear baseline…')
    const dialog = second.panel.page().getByRole('dialog', { name: 'Clear the baseline of NCI' })
    await dialog.getByRole('button', { name: 'Clear baseline' }).click()
    await expect(second.table.getByRole('columnheader', { name: 'Drift' })).toHaveCount(0)
    expect(second.running.pageErrors).toEqual([])
  },
)
