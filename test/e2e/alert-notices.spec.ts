import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { AlertRun } from '../support/alert-run'
import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'

/** The open page of BRTI. */
const indexPage = (page: Page) => page.getByRole('button', { name: 'Close BRTI' })

test('a notification names the value that reached the level, and a click opens its index', async ({
  bench,
  alerts,
  run,
}) => {
  await run.make({ ...levelDraft('110'), note: 'Sell half' })
  alerts.publish('110.120')
  // No further value is sent, so this one caused the notification.
  const shown = await bench.peer.nextNotification()
  expect(shown).toMatchObject({
    summary: 'BRTI rose to 110.120 (level 110)',
    // A value from before midnight also has its date.
    body: expect.stringMatching(
      new RegExp(`^Published at (\\d+ \\w+ )?${alerts.timeText}\nWatchlist: My list\nSell half$`),
    ),
    urgency: 1,
    timeoutMs: -1,
  })
  await expect.poll(() => run.deliveries()).toEqual(['shown'])

  await test.step('a note and the name of a list are shown on the desktop without markup', async () => {
    const [list] = (await run.state()).settings.watchlists
    await run.watch.ask('renameList', { listId: list?.id ?? '', name: '<i>Mine</i> & yours' })
    await run.make({ ...levelDraft('120'), note: '<img src=x onerror=alert(1)> & {{x}} ${x}' })
    alerts.publish('120.00')
    const { summary, body } = await bench.peer.nextNotification()
    expect(summary + body).not.toMatch(/[<>&]/)
    expect(body).toContain('‹img src=x onerror=alert(1)› + {{x}} ${x}')
    expect(body).toContain('Watchlist: ‹i›Mine‹/i› + yours')
  })

  await test.step('a click opens the page of the index, in the open window or in a new one', async () => {
    await run.make({ ...levelDraft('130'), repeat: { mode: 'everyCrossing' } })
    await run.watch.open('Settings')
    alerts.publish('130.00')
    const first = await bench.peer.nextNotification()
    await expect(indexPage(run.watch.page)).toHaveCount(0)
    bench.peer.click(first)
    await expect(indexPage(run.watch.page)).toBeVisible()
    await expect.poll(() => run.deliveries()).toEqual(['clicked', 'shown', 'shown'])

    await run.watch.page.getByRole('button', { name: 'Close BRTI' }).click()
    await expect(indexPage(run.watch.page)).toHaveCount(0)
    await run.running.closeWindows()
    alerts.publish('100.00')
    alerts.publish('131.00')
    const second = await bench.peer.nextAlert('BRTI')
    const reopened = run.running.app.waitForEvent('window')
    bench.peer.click(second)
    await expect(indexPage(await reopened)).toBeVisible()
  })

  await test.step('an unread event is counted in the tray, whose menu opens it', async () => {
    const again = new AlertRun(run.running, await run.running.watch())
    await again.watch.open('Alerts')
    await expect.poll(() => bench.peer.trayTooltip()).not.toContain('unread')
    await again.make(levelDraft('140.00'))
    await again.running.closeWindows()
    alerts.publish('140.00')
    await bench.peer.nextAlert('BRTI')
    await expect.poll(() => bench.peer.trayTooltip()).toContain('1 unread event')
    const reopened = run.running.app.waitForEvent('window')
    await bench.peer.clickMenu('1 unread event')
    await expect((await reopened).getByText('rose to 140.00 (level 140.00)').first()).toBeVisible()
    await expect.poll(() => bench.peer.trayTooltip()).not.toContain('unread')
  })
  expect(run.running.pageErrors).toEqual([])
})

test(
  'a test alert reports its delivery, and an urgent alert stays on screen and sounds',
  { tag: '@deep' },
  async ({ bench, alerts, run }) => {
    await test.step('a test alert reaches the desktop, and says so', async () => {
      await run.watch.open('Settings')
      const { page } = run.watch
      await page.getByRole('button', { name: 'Send a test alert' }).click()
      expect((await bench.peer.nextNotification()).summary).toBe('This is a test alert')
      await expect(page.getByText('The desktop showed it.', { exact: true })).toBeVisible()
      expect(await run.inbox()).toEqual([])
      await page.getByRole('switch', { name: 'Notifications' }).click()
      await page.getByRole('button', { name: 'Send a test alert' }).click()
      await expect(page.getByText('Notifications are off. Events go to the inbox only.')).toBeVisible()
      expect(bench.peer.unreadCount).toBe(0)
      await page.getByRole('switch', { name: 'Notifications' }).click()
    })

    await test.step('an urgent alert stays on the desktop and sounds, another does neither', async () => {
      /** Beeps after this many notifications. Waits, because evaluating during a notification may lose the result. */
      const beepsAfter = async (count: number) => {
        await expect.poll(() => run.deliveries()).toEqual(Array<string>(count).fill('shown'))
        return run.running.app.evaluate(() => (globalThis as { beeps?: number }).beeps ?? 0)
      }
      await run.running.app.evaluate(({ shell }) => {
        shell.beep = () => {
          const counted = globalThis as { beeps?: number }
          counted.beeps = (counted.beeps ?? 0) + 1
        }
      })
      await run.make({ ...levelDraft('110'), severity: 'info' })
      await run.make({ ...levelDraft('120'), severity: 'urgent' })
      alerts.publish('110.00')
      expect(await bench.peer.nextNotification()).toMatchObject({ urgency: 0, timeoutMs: -1 })
      expect(await beepsAfter(1)).toBe(0)
      alerts.publish('120.00')
      expect(await bench.peer.nextNotification()).toMatchObject({ urgency: 2, timeoutMs: 0 })
      expect(await beepsAfter(2)).toBe(1)
      await run.watch.ask('setPreferences', { alertSounds: [] })
      await run.make({ ...levelDraft('130'), severity: 'urgent' })
      alerts.publish('130.00')
      await bench.peer.nextNotification()
      expect(await beepsAfter(3)).toBe(1)
    })
  },
)

test.describe('without a notification service', () => {
  test.use({ desktop: { hasNotifications: false } })

  test('without notifications the window says so, and an urgent alert uses the second channel', async ({
    alerts,
    run,
  }) => {
    await run.make(levelDraft('110'))
    alerts.publish('110.00')
    const { page } = run.watch
    const notice = page.getByRole('region', { name: /could not be shown on the desktop/ })
    await expect(notice).toContainText('BRTI rose to 110.00 (level 110)')
    await expect.poll(() => run.deliveries()).toEqual(['failed'])
    await notice.getByRole('button', { name: 'Open BRTI' }).click()
    await expect(indexPage(page)).toBeVisible()
    await expect(notice).toHaveCount(0)
    await run.watch.open('Settings')
    await page.getByRole('button', { name: 'Send a test alert' }).click()
    await expect(page.getByText('No notification service answered. Events will appear in the window')).toBeVisible()

    const posts: string[] = []
    const hook = createHttpServer((request, response) => {
      request.on('data', (data: Buffer) => posts.push(data.toString()))
      request.on('end', () => response.writeHead(204).end())
    })
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
    const { port } = hook.address() as AddressInfo
    await page
      .getByRole('radiogroup', { name: 'Escalate urgent alerts' })
      .getByRole('radio', { name: 'Webhook' })
      .check()
    await page.getByRole('textbox', { name: 'Webhook URL' }).fill(`http://127.0.0.1:${port}/hook`)
    await page.locator('form', { hasText: 'Webhook URL' }).getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await run.state()).settings.secondChannel).toBe('webhook')
    await run.make({ ...levelDraft('120'), severity: 'urgent' })
    await run.make(levelDraft('121'))
    alerts.publish('120.00')
    alerts.publish('121.00')
    await expect.poll(() => run.deliveries()).toEqual(['failed', 'failed', 'failed'])
    const answered = `127.0.0.1:${port} answered 204`
    await expect
      .poll(async () => (await run.inbox()).map(({ secondChannel }) => secondChannel))
      .toEqual([undefined, answered, undefined])
    expect(posts.map((post) => (JSON.parse(post) as { text: string }).text)).toEqual([
      expect.stringContaining('BRTI rose to 120.00 (level 120)'),
    ])
    await run.watch.ask('setPreferences', { heartbeatMinutes: 1, heartbeatWebhook: `http://127.0.0.1:${port}/beat` })
    await expect.poll(() => posts.length).toBe(2)
    expect(posts[1]).toContain('every connection is live and alerts are checked')
    await new Promise((resolve) => hook.close(resolve))
  })
})
