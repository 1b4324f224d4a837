import type { Locator, Page } from '@playwright/test'
import { expect } from './window-page'

/** The panel of an open index. */
export const panelOf = (page: Page, id: string): Locator => page.getByRole('region', { name: id, exact: true })

/** Opens an index of the watchlist. */
export async function openByKey(page: Page, id: string): Promise<void> {
  await page.locator(`[data-index="${id}"]`).focus()
  await page.keyboard.press('Enter')
  await expect(panelOf(page, id)).toBeVisible()
}
