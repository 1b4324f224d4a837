import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'
import { addressOf } from '../support/scripted-rest'
import type { ScriptedService } from '../support/scripted-service'
import type { WatchPage } from '../support/watch-page'

/** The time of the first value. Later values are whole seconds apart. */
const startMs = Math.floor(Date.now() / 1_000) * 1_000 - 60_000

function amend(service: ScriptedService, value: string, second: number): void {
  const time = startMs + second * 1_000
  service.send({ type: 'value', time, id: 'BRTI', value, amendTime: time + 5_500 })
}

const inbox = (watch: WatchPage) => watch.page.getByRole('table', { name: 'Alert inbox' })
const rule = (watch: WatchPage, level: string) =>
  watch.page.getByRole('table', { name: 'Alerts' }).getByRole('row', { name: `rises to ${level}` })

test('an amendment that undoes or causes a crossing is notified once and kept in the inbox', async ({
  bench,
  service,
}) => {
  const { watch } = await bench.launchLive(addressOf(service))
  await expect.poll(() => service.connectionCount).toBe(1)
  service.sendValue('BRTI', '99.00', startMs)
  await watch.expectValue('BRTI', '99.00', '99.00')
  const phases = async () => (await watch.snapshot()).state.alerts.map(({ phase }) => phase)
  const make = async (level: string) => {
    expect(await watch.ask('createAlert', { draft: levelDraft(level), whenAlreadyMet: 'wait' })).toMatchObject({
      ok: true,
    })
  }

  await test.step('one that undoes a fired crossing retracts it and arms the rule again', async () => {
    await make('100')
    service.sendValue('BRTI', '100.50', startMs + 1_000)
    expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 100.50 (level 100)')
    await watch.open('Alerts')
    await expect(rule(watch, '100')).toContainText('fired')
    amend(service, '99.50', 1)
    expect((await bench.peer.nextNotification()).summary).toBe('BRTI alert retracted: amended to 99.50')
    await expect(
      inbox(watch)
        .getByRole('row', { name: /retracted/i })
        .first(),
    ).toBeVisible()
    await expect(inbox(watch)).toContainText('100.50')
    // An amendment of an old value. The alert waits, although it has no data.
    await expect(rule(watch, '100')).toContainText('no data since')
    expect(await phases()).toEqual(['armed'])
    // Only the next crossing notifies, not the repeated amendment.
    amend(service, '99.50', 1)
    service.sendValue('BRTI', '101.00', startMs + 2_000)
    expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 101.00 (level 100)')
    expect(bench.peer.unreadCount).toBe(0)
  })

  await test.step('one that causes a crossing is notified as late: value amended', async () => {
    await make('110')
    service.sendValue('BRTI', '109.20', startMs + 3_000)
    service.sendValue('BRTI', '109.10', startMs + 4_000)
    await expect.poll(async () => (await watch.snapshot()).quotes[0]?.value).toBe('109.10')
    amend(service, '110.00', 3)
    expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 110.00 (level 110) (late: value amended)')
    await expect(inbox(watch)).toContainText(/late: value amended/)
    await expect(rule(watch, '110')).toContainText('fired')
    expect(bench.peer.unreadCount).toBe(0)
  })

  await test.step('one that leaves a crossing true is recorded but not notified', async () => {
    await make('120')
    service.sendValue('BRTI', '120.50', startMs + 5_000)
    expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 120.50 (level 120)')
    amend(service, '120.40', 5)
    await expect(inbox(watch)).toContainText('amended to 120.40, still true')
    expect(bench.peer.unreadCount).toBe(0)
  })
})
