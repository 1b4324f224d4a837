import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'

test(
  'an alert is made by the names on screen alone, each of which names one element, and says that it is of the demo',
  { tag: '@deep' },
  async ({ bench }) => {
    const { running, watch } = await bench.launchDemo()
    const { page } = watch
    const main = page.getByRole('navigation', { name: 'Main' })
    for (const name of ['Watchlists', 'Indices', 'Alerts', 'Assistants', 'Settings']) {
      await expect(main.getByRole('link', { name })).toHaveCount(1)
    }
    await main.getByRole('link', { name: 'Alerts' }).click()
    await page.getByRole('button', { name: 'New alert' }).click()
    const dialog = page.getByRole('dialog', { name: 'New alert' })
    for (const name of ['Index', 'Condition', 'Level', 'Repeat']) {
      await expect(page.getByLabel(name)).toHaveCount(1)
      await expect(page.getByLabel(name, { exact: true })).toHaveCount(1)
    }
    await dialog.getByText('More', { exact: true }).click()
    for (const name of ['Index', 'Condition', 'Level', 'Repeat']) await expect(page.getByLabel(name)).toHaveCount(1)

    await page.getByLabel('Index').selectOption('ETHUSD_RTI')
    await page.getByLabel('Index').selectOption({ label: 'BRTI' })
    await page.getByLabel('Condition').selectOption({ label: 'falls to' })
    await page.getByLabel('Condition').selectOption('risesTo')
    await page.getByLabel('Repeat').selectOption({ label: 'every crossing' })
    await page.getByLabel('Repeat').selectOption('once')
    await page.getByLabel('Level').fill('168,500.00')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    const rules = page.getByRole('table', { name: 'Alerts' })
    await expect(rules.getByRole('row', { name: /BRTI/ })).toContainText(/rises to.*168,500\.00.*once/s)

    await test.step('on the desktop, in the inbox and in the tray', async () => {
      const draft = levelDraft('1', { condition: 'isAbove' })
      expect(await watch.ask('createAlert', { draft, whenAlreadyMet: 'fire' })).toMatchObject({ ok: true })
      expect((await bench.peer.nextNotification()).summary).toMatch(/^Demo · BRTI is above 1: [\d,.]+$/)
      expect((await watch.snapshot()).state.inbox).toMatchObject([{ connection: 'Demo', isDemo: true }])
      await bench.peer.nextTrayItem()
      await expect.poll(() => bench.peer.trayTooltip()).toContain('(Demo)\n1 unread event')
      const inbox = page.getByRole('table', { name: 'Alert inbox' })
      await expect(inbox.getByRole('row', { name: /BRTI/ })).toContainText('Demo')
    })
    // A page that complains of its own markup is found here alone: the pages of components run in another Chromium.
    expect(running.pageErrors).toEqual([])
  },
)
