import { untilInAnHour } from '../support/alert-run'
import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'

test('while all is muted nothing reaches the desktop, and the inbox says what was held back', async ({
  bench,
  alerts,
  run,
}) => {
  await run.make({ ...levelDraft('110'), repeat: { mode: 'everyCrossing' } })
  await run.watch.ask('snoozeAlerts', { scope: { of: 'all' }, untilMs: null })
  alerts.publish('110.00')
  await expect.poll(() => run.deliveries()).toContain('heldBack')
  const held = (await run.inbox()).filter(({ delivery }) => delivery === 'heldBack')
  expect(held).toMatchObject([{ kind: 'fired', heldBackBy: 'muted', inputs: { value: '110.00' } }])
  expect(bench.peer.unreadCount).toBe(0)
  await run.watch.ask('endSnooze', { scope: { of: 'all' } })
  alerts.publish('100.00')
  alerts.publish('111.00')
  // The first that the desktop hears of is the second crossing.
  expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 111.00 (level 110)')
})

test('muted for an hour from the menu of the tray, the desktop stays quiet and the inbox goes on', async ({
  bench,
  alerts,
  run,
}) => {
  await bench.peer.nextTrayItem()
  await run.make({ ...levelDraft('110'), repeat: { mode: 'everyCrossing' }, severity: 'urgent' })
  await expect.poll(async () => (await bench.peer.trayMenu()).map(({ label }) => label)).toContain('Mute for 1 hour')
  const beforeMs = Date.now()
  await bench.peer.clickMenu('Mute for 1 hour')
  await expect.poll(() => bench.peer.trayTooltip()).toMatch(untilInAnHour)
  const [snooze] = (await run.state()).snoozes
  expect((snooze?.untilMs ?? 0) - 3_600_000).toBeGreaterThanOrEqual(beforeMs)
  alerts.publish('110.00')
  const held = () => run.inbox().then((events) => events.filter(({ delivery }) => delivery === 'heldBack'))
  await expect.poll(held).toMatchObject([{ kind: 'fired', heldBackBy: 'muted', inputs: { value: '110.00' } }])
  await expect.poll(() => bench.peer.trayTooltip()).toContain('1 unread alert')
  await bench.peer.clickMenu('Unmute')
  await expect.poll(() => bench.peer.trayTooltip()).not.toContain('muted')
  alerts.publish('100.00')
  alerts.publish('111.00')
  // What was held back stays so: the first that the desktop hears of is the second crossing.
  expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 111.00 (level 110)')
  expect(await held()).toHaveLength(1)
  expect(bench.peer.unreadCount).toBe(0)
})

test('twelve alerts of one value are one notification, and a click on it leads to the inbox', async ({
  bench,
  alerts,
  run,
}) => {
  for (let level = 110; level < 122; level++) await run.make(levelDraft(String(level)))
  alerts.publish('130.00')
  const shown = await bench.peer.nextNotification()
  expect(shown.summary).toBe('12 alerts in the last minute')
  expect(shown.body.split('\n')).toEqual([
    'BRTI rose to 130.00 (level 110)',
    'BRTI rose to 130.00 (level 111)',
    'BRTI rose to 130.00 (level 112)',
    'and 9 more: see the inbox',
  ])
  await expect.poll(() => run.deliveries()).toEqual(Array<string>(12).fill('inDigest'))
  expect(bench.peer.unreadCount).toBe(0)
  bench.peer.click(shown)
  await expect(run.watch.page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
})
