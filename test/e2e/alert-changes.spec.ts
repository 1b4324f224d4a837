/** What the window is sent of rules and events: what has changed, and nothing twice. */
import type { Page } from '@playwright/test'
import type { DesktopApi } from '../../protocol/commands/contract'
import type { WindowUpdate } from '../../protocol/desktop'
import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'

type Sent = NonNullable<WindowUpdate['lists']>
type Listening = typeof globalThis & { indexwatch: DesktopApi; sent: Sent[] }

/** Notes from now on what the page is sent of rules and events. */
function listen(page: Page): Promise<void> {
  return page.evaluate(() => {
    const window = globalThis as Listening
    window.sent = []
    window.indexwatch.onUpdate((update) => {
      const { lists } = JSON.parse(String(update)) as WindowUpdate
      if (lists !== undefined) window.sent.push(lists)
    })
  })
}

const sentTo = (page: Page) => page.evaluate(() => (globalThis as Listening).sent)

test('of many rules the one that fires is sent, and a window that was hidden or loaded again shows what there is', async ({
  bench,
  alerts,
}) => {
  const run = await alerts.launch(bench)
  const { page } = run.watch
  alerts.publish('100.00')
  await run.watch.expectValue('BRTI', '100.00', '100.00')
  const first = await run.make(levelDraft('110.00'))
  const second = await run.make(levelDraft('120.00'))
  for (let at = 0; at < 40; at++) await run.make(levelDraft(`${200 + at}.00`))
  await run.watch.open('Alerts')
  const rules = page.getByRole('table', { name: 'Alerts' })
  await expect(rules).toHaveAttribute('aria-rowcount', '43')
  await listen(page)
  alerts.publish('111.00')
  await bench.peer.nextNotification()
  const inbox = page.getByRole('table', { name: 'Alert inbox' })
  await expect(inbox.locator('tr[data-event]')).toHaveCount(1)
  const sent = await sentTo(page)
  expect([...new Set(sent.flatMap((lists) => lists.alerts?.put ?? []).map(({ id }) => id))]).toEqual([first.id])
  expect([...new Set(sent.flatMap((lists) => lists.inbox?.put ?? []).map(({ ruleId }) => ruleId))]).toEqual([first.id])
  expect(sent.flatMap((lists) => [...(lists.alerts?.removed ?? []), ...(lists.inbox?.removed ?? [])])).toEqual([])

  const isShown = (shows: boolean) =>
    run.running.app.evaluate(({ BrowserWindow }, isToShow) => {
      const [window] = BrowserWindow.getAllWindows()
      if (isToShow) window?.show()
      else window?.hide()
    }, shows)
  await isShown(false)
  const before = (await sentTo(page)).length
  await run.watch.ask('deleteAlert', { ruleId: first.id })
  alerts.publish('121.00')
  await bench.peer.nextNotification()
  await expect.poll(() => run.deliveries()).toEqual(['shown', 'shown'])
  expect((await sentTo(page)).length).toBe(before)
  await isShown(true)
  await expect(inbox.locator('tr[data-event]')).toHaveCount(2)
  await expect(rules).toHaveAttribute('aria-rowcount', '42')
  await expect(page.locator(`[data-rule="${second.id}"]`)).toContainText('fired')

  await page.reload()
  await expect(inbox.locator('tr[data-event]')).toHaveCount(2)
  await expect(rules).toHaveAttribute('aria-rowcount', '42')
  alerts.publish('200.00')
  await bench.peer.nextNotification()
  await expect(inbox.locator('tr[data-event]')).toHaveCount(3)
  expect(run.running.pageErrors).toEqual([])
})
