import type { AlertDraft } from '../../core/alerts'
import { untilInAnHour, type AlertRun } from '../support/alert-run'
import { expect, test } from '../support/app-test'
import { levelDraft, wholeDay } from '../support/sample-alerts'

async function deleteRules(run: AlertRun): Promise<void> {
  for (const { id } of (await run.state()).alerts) await run.watch.ask('deleteAlert', { ruleId: id })
}

test('what is outside its hours, muted or too much at once leaves the desktop quiet, and the inbox has it all', async ({
  bench,
  alerts,
  run,
}) => {
  await bench.peer.nextTrayItem()
  const held = () => run.inbox().then((events) => events.filter(({ delivery }) => delivery === 'heldBack'))

  await test.step('outside its hours an alert does not fire, and within them another of the same value does', async () => {
    // Hours are those of the value's time. Midnight may come: the day after is within them too, the third is not.
    const day = (ahead: number) => wholeDay(alerts.timeMs, ahead)
    const [today, tomorrow, later] = [day(0), day(1), day(3)]
    const within: AlertDraft = { ...levelDraft('110'), hours: { ...today, days: [...today.days, ...tomorrow.days] } }
    await run.make({ ...levelDraft('109'), hours: later })
    await run.make(within)
    alerts.publish('112.00')
    expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 112.00 (level 110)')
    expect((await run.inbox()).map(({ kind, hours }) => [kind, hours])).toEqual([['fired', within.hours]])
    const { alerts: rules } = await run.state()
    const outside = rules.find(({ hours }) => hours?.days[0] === later.days[0])
    const evaluations = await run.watch.ask('explainAlert', { ruleId: outside?.id ?? '' })
    expect(JSON.stringify(evaluations)).toContain('112.00 is above 109: outside its hours.')
    await deleteRules(run)
  })

  await test.step('while all is muted nothing reaches the desktop, and the inbox says what was held back', async () => {
    await run.make({ ...levelDraft('120'), repeat: { mode: 'everyCrossing' } })
    await run.watch.ask('snoozeAlerts', { scope: { of: 'all' }, untilMs: null })
    alerts.publish('120.00')
    await expect.poll(held).toMatchObject([{ kind: 'fired', heldBackBy: 'muted', inputs: { value: '120.00' } }])
    expect(bench.peer.unreadCount).toBe(0)
    await run.watch.ask('endSnooze', { scope: { of: 'all' } })
    alerts.publish('100.00')
    alerts.publish('121.00')
    // The first that the desktop hears of is the second crossing.
    expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 121.00 (level 120)')
    await deleteRules(run)
  })

  await test.step('muted for an hour from the menu of the tray, which shows it, the inbox goes on', async () => {
    await run.make({ ...levelDraft('130'), repeat: { mode: 'everyCrossing' }, severity: 'urgent' })
    await expect
      .poll(async () => (await bench.peer.trayMenu()).map(({ label }) => label))
      .toContain('Mute alerts for 1 hour')
    const [beforeMs, icon] = [Date.now(), await bench.peer.trayIcon()]
    await bench.peer.clickMenu('Mute alerts for 1 hour')
    await expect.poll(() => bench.peer.trayTooltip()).toMatch(untilInAnHour)
    expect((await bench.peer.trayIcon()).equals(icon)).toBe(false)
    const [snooze] = (await run.state()).snoozes
    expect(snooze?.scope).toEqual({ of: 'all' })
    expect((snooze?.untilMs ?? 0) - 3_600_000).toBeGreaterThanOrEqual(beforeMs)
    alerts.publish('130.00')
    await expect
      .poll(async () => (await held())[0])
      .toMatchObject({
        ...{ kind: 'fired', heldBackBy: 'muted', inputs: { value: '130.00' } },
      })
    await expect.poll(() => bench.peer.trayTooltip()).toContain('4 unread events')
    await bench.peer.clickMenu('Unmute alerts')
    await expect.poll(() => bench.peer.trayTooltip()).not.toContain('muted')
    expect((await run.state()).snoozes).toEqual([])
    alerts.publish('100.00')
    alerts.publish('131.00')
    // What was held back stays so: the first that the desktop hears of is the second crossing.
    expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 131.00 (level 130)')
    expect(await held()).toHaveLength(2)
    await bench.peer.clickMenu('Mute alerts until I unmute')
    await expect.poll(() => bench.peer.trayTooltip()).toMatch(/Alerts muted\n/)
    await bench.peer.clickMenu('Unmute alerts')
    await expect.poll(() => bench.peer.trayTooltip()).not.toContain('muted')
    expect(bench.peer.unreadCount).toBe(0)
    await deleteRules(run)
  })

  await test.step('twelve alerts of one value are one notification, and a click on it leads to the inbox', async () => {
    for (let level = 140; level < 152; level++) await run.make(levelDraft(String(level)))
    alerts.publish('160.00')
    const shown = await bench.peer.nextNotification()
    expect(shown.summary).toBe('12 events in the last minute')
    expect(shown.body.split('\n')).toEqual([
      'BRTI rose to 160.00 (level 140)',
      'BRTI rose to 160.00 (level 141)',
      'BRTI rose to 160.00 (level 142)',
      'and 9 more: see the inbox',
    ])
    const ofTwelve = async () => (await run.deliveries()).slice(0, 12)
    await expect.poll(ofTwelve).toEqual(Array<string>(12).fill('inDigest'))
    expect(bench.peer.unreadCount).toBe(0)
    bench.peer.click(shown)
    await expect(run.watch.page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
  })
})
