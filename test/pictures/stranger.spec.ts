/** `npm run pictures -- stranger`: what a new user wants first, from an empty profile, at the pace of a hand; clicks and seconds. */
import { expect, test, type Locator, type Page } from '@playwright/test'
import { AppBench } from '../support/app-bench'

/** Between seeing what to click and the click, and between two keys. */
const [lookMs, keyMs] = [1_200, 160]

class Hand {
  clicks = 0
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async click(what: Locator): Promise<void> {
    await what.waitFor()
    await this.#page.waitForTimeout(lookMs)
    await what.click()
    this.clicks++
  }

  async doubleClick(what: Locator): Promise<void> {
    await what.waitFor()
    await this.#page.waitForTimeout(lookMs)
    await what.dblclick()
    this.clicks += 2
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text, { delay: keyMs })
  }

  async press(key: string): Promise<void> {
    await this.#page.waitForTimeout(lookMs / 2)
    await this.#page.keyboard.press(key)
  }
}

test('a stranger finds what they want', async () => {
  test.setTimeout(300_000)
  const bench = await AppBench.create()
  const { running, watch } = await bench.launchDemo()
  const { page } = watch
  const say = (text: string) => process.stdout.write(`${text}\n`)
  const timed = async (task: string, run: (hand: Hand) => Promise<void>) => {
    const startedAt = performance.now()
    const hand = new Hand(page)
    await run(hand)
    say(`${task}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s, ${hand.clicks} clicks`)
  }

  await timed('a first list of four with columns of its own', async (hand) => {
    await hand.click(page.getByRole('button', { name: 'New watchlist' }))
    await hand.type('Mine')
    await hand.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Mine' })).toBeVisible()
    for (const words of ['bitcoin real', 'ether', 'solana', 'nci']) {
      await hand.click(page.getByRole('button', { name: 'Add index' }).first())
      await hand.type(words)
      await expect(page.getByRole('option', { selected: true })).toBeVisible()
      await hand.press('Enter')
    }
    await expect(page.locator('tr[data-index] [data-value]')).toHaveCount(4)
    await hand.click(page.getByRole('button', { name: 'Columns' }))
    for (const column of ['Name', 'Frequency'])
      await hand.click(page.getByRole('checkbox', { name: column, exact: true }))
    await hand.press('Escape')
    await expect(page.getByRole('columnheader', { name: 'Name', exact: true })).toHaveCount(0)
  })

  await timed('an alert at a round level', async (hand) => {
    await hand.doubleClick(page.locator('tr[data-index="BRTI"]'))
    await hand.click(page.getByRole('region', { name: 'BRTI', exact: true }).getByRole('button', { name: 'New alert' }))
    const dialog = page.getByRole('dialog', { name: 'New alert' })
    await expect(dialog.getByLabel('Level')).toHaveValue(/^[\d,]+00(\.0+)?$/)
    await hand.click(dialog.getByRole('button', { name: 'Save' }))
    await expect(dialog).toHaveCount(0)
  })

  await timed('how far ETH is from its fixing', async (hand) => {
    await hand.doubleClick(page.locator('tr[data-index="ETHUSD_RTI"]'))
    await hand.click(page.getByRole('tab', { name: 'Fixings' }))
    await expect(page.getByRole('tabpanel')).toContainText(/bp/)
  })

  await timed('what an amendment changed', async (hand) => {
    await hand.click(page.getByRole('link', { name: 'Indices' }))
    await hand.click(page.getByRole('main').getByRole('link', { name: 'Amendments' }))
    const rows = page.getByRole('table', { name: 'Amendments' }).locator('tbody tr')
    await expect(rows.first()).toBeVisible({ timeout: 120_000 })
    await hand.click(rows.first().getByRole('button').first())
    await expect(page.getByRole('dialog', { name: /^Amendment of/ })).toBeVisible()
  })
  await page.screenshot({ path: 'test-results/stranger.png' })
  await running.quit()
  await bench.dispose()
})
