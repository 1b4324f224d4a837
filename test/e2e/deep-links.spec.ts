import { once } from 'node:events'
import { connectionVariables } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { addressOf } from '../support/scripted-rest'
import { WatchPage } from '../support/watch-page'

test('a link opens its target or fills in an alert without saving it, and a wrong one is refused', async ({
  bench,
  service,
}) => {
  const variables = connectionVariables(addressOf(service))
  const running = await bench.launch(['indexwatch://index/BRTI'], variables)
  const watch = await running.watch()
  const { page } = watch
  await expect(page.getByRole('button', { name: 'Close BRTI' })).toBeVisible()

  const follow = async (link: string) => {
    const [code] = (await once(bench.spawn([link], variables), 'exit')) as [number | null]
    expect(code).toBe(0)
  }
  await follow('indexwatch://alert/new?index=BRTI&level=68500.00')
  const dialog = page.getByRole('dialog', { name: 'New alert' })
  await expect(dialog.getByLabel('Level')).toHaveValue('68,500.00')
  await expect(dialog.getByLabel('Index')).toHaveValue(/BRTI/)

  // Typed text is kept. The link waits until the dialog closes.
  await dialog.getByLabel('Level').fill('70000')
  await follow('indexwatch://alert/new?index=BRTI&level=1')
  await expect(dialog.getByLabel('Level')).toHaveValue('70000')
  await page.keyboard.press('Escape')
  await expect(dialog.getByLabel('Level')).toHaveValue('1')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect((await watch.snapshot()).state.alerts).toEqual([])

  // The app is now only in the tray.
  await running.closeWindows()
  const reopened = running.app.waitForEvent('window')
  await follow('indexwatch://list/MY%20LIST')
  const again = new WatchPage(await reopened)
  await expect(again.row('BRTI')).toBeVisible()

  // Hands a link over directly, like the second starts above.
  const handOver = (link: string) =>
    running.app.evaluate(({ app }, each) => app.emit('second-instance', {}, ['indexwatch', each], '', {}), link)
  await handOver('indexwatch://alert/delete?index=BRTI')
  await expect(again.notices).toContainText('The link was not opened: links look like indexwatch://index/BRTI')
  await handOver('indexwatch://list/Nobody%20has%20it')
  await expect(again.notices.filter({ hasText: 'there is no watchlist of that name' })).toBeVisible()
  expect(running.pageErrors).toEqual([])
})
