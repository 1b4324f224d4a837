import { expect, type Locator, type Page } from '@playwright/test'
import type { CommandAnswer, CommandArguments, CommandName, DesktopApi } from '../../protocol/commands/contract'
import { fromJson } from '../../protocol/json'
import type { WindowSnapshot } from '../../protocol/desktop'
import type { Outcome } from '../../core/model'

/** The page's main view, by its accessible names. */
export class WatchPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Shows Live, Connecting, Reconnecting, Offline or Not authorised, and Demo if it is one. */
  get connection(): Locator {
    return this.page.getByRole('status', { name: 'Connection' })
  }

  get notices(): Locator {
    return this.page.getByRole('region', { name: 'Notice' })
  }

  row(id: string): Locator {
    return this.page.getByRole('table', { name: 'My list' }).locator(`tr[data-index="${id}"]`)
  }

  /** The value cell with the formatted text. `data-value` has the published text. */
  value(id: string): Locator {
    return this.row(id).locator('[data-value]')
  }

  published(id: string): Promise<string | null> {
    return this.value(id).getAttribute('data-value')
  }

  /** The listed ids, from the top. */
  async ids(): Promise<string[]> {
    const headers = this.page.getByRole('table', { name: 'My list' }).getByRole('rowheader')
    await headers.first().waitFor()
    return headers.allTextContents()
  }

  async expectState(text: string): Promise<void> {
    // A limit for what hangs. The library's default of 5 s is too short for a busy machine.
    await expect(this.connection).toContainText(text, { timeout: 60_000 })
  }

  /** Closes the index that is open beside the list after the start, for tests of the list. */
  async closePreview(): Promise<void> {
    await this.page.evaluate("localStorage.setItem('index-panel-closed', 'yes')")
    if (await this.page.evaluate("localStorage.getItem('index-panel-preview') === 'yes'"))
      await this.ask('closeIndex', {})
  }

  async expectValue(id: string, published: string, text: string): Promise<void> {
    await expect(this.value(id)).toHaveAttribute('data-value', published)
    await expect(this.value(id)).toHaveText(text)
  }

  /** Types an id into the dialog and adds the marked option. */
  async add(id: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Add index' }).click()
    const search = this.page
      .getByRole('dialog', { name: 'Add index' })
      .getByRole('combobox', { name: 'Search indices' })
    await search.fill(id)
    await search.press('Enter')
  }

  async chooseRowAction(id: string, action: string): Promise<void> {
    await this.row(id).hover()
    await this.row(id)
      .getByRole('button', { name: `Actions for ${id}` })
      .click()
    await this.page
      .getByRole('menu', { name: `Actions for ${id}` })
      .getByText(action)
      .click()
  }

  async open(section: 'Watchlists' | 'Alerts' | 'Settings'): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: section }).click()
  }

  /** The main process's answer to a page that requests everything. */
  async snapshot(): Promise<WindowSnapshot> {
    const answer = await this.ask('getSnapshot', {})
    if (!answer.ok) throw new Error(answer.problem.message)
    return fromJson(answer.value)
  }

  /** Sends a command to the main process as the page does. */
  ask<N extends CommandName>(name: N, args: CommandArguments<N>): Promise<Outcome<CommandAnswer<N>>> {
    return this.page.evaluate(
      ([command, given]) => {
        const { indexwatch } = globalThis as unknown as { indexwatch: DesktopApi }
        const call = indexwatch[command] as (args: unknown) => Promise<unknown>
        return call(given) as Promise<never>
      },
      [name, args] as const,
    )
  }
}
