import { ok, refused } from '../support/fake-desktop'
import { expect, openStory, test } from './window-page'

test('an edit of a desk alert that came second shows both texts, and can replace the first', async ({ page }) => {
  const fake = await openStory(page, 'alerts, desk')
  const versions: number[] = []
  const told = 'ben changed this alert at 13:58 to “BRTI rises to 69,000”. Yours is “BRTI rises to 70,000”.'
  fake.handlers.editDeskAlert = async ({ version }) => {
    versions.push(version)
    const { desk } = fake.snapshot.state
    const [first, ...others] = desk?.alerts ?? []
    if (versions.length > 1 || desk === null || first === undefined) return ok(null)
    const changed = { ...first, rule: { ...first.rule, version: version + 1 } }
    await fake.push({ state: { desk: { ...desk, alerts: [changed, ...others] } } })
    return refused('duplicate', told)
  }
  await page.getByRole('button', { name: /^Edit: BRTI/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit alert of the desk' })
  await dialog.locator('[data-main]').fill('70000')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(told)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  expect(versions).toEqual([1, 2])
})
