import type { AppBench } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'
import { addressOf } from '../support/scripted-rest'
import type { ScriptedService } from '../support/scripted-service'
import type { WatchPage } from '../support/watch-page'

/** The time of the first value; later ones are whole seconds apart. */
const startMs = Math.floor(Date.now() / 1_000) * 1_000 - 60_000

function amend(service: ScriptedService, value: string, second: number): void {
  const time = startMs + second * 1_000
  service.send({ type: 'value', time, id: 'BRTI', value, amendTime: time + 5_500 })
}

async function launchWithRule(bench: AppBench, service: ScriptedService): Promise<WatchPage> {
  const { watch } = await bench.launchLive(addressOf(service))
  await expect.poll(() => service.connectionCount).toBe(1)
  service.sendValue('BRTI', '99.00', startMs)
  await watch.expectValue('BRTI', '99.00', '99.00')
  expect(await watch.ask('createAlert', { draft: levelDraft('100'), whenAlreadyMet: 'wait' })).toMatchObject({
    ok: true,
  })
  return watch
}

const inbox = (watch: WatchPage) => watch.page.getByRole('table', { name: 'Alert inbox' })
const rule = (watch: WatchPage) =>
  watch.page.getByRole('table', { name: 'Alert rules' }).getByRole('row', { name: /BRTI/ })

test('an amendment that undoes a fired crossing is notified once, retracts it in the inbox and arms the rule again', async ({
  bench,
  service,
}) => {
  const watch = await launchWithRule(bench, service)
  service.sendValue('BRTI', '100.50', startMs + 1_000)
  expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 100.50 (level 100)')
  await watch.open('Alerts')
  await expect(rule(watch)).toContainText('triggered')
  amend(service, '99.50', 1)
  expect((await bench.peer.nextNotification()).summary).toBe('BRTI alert retracted: amended to 99.50')
  await expect(
    inbox(watch)
      .getByRole('row', { name: /retracted/i })
      .first(),
  ).toBeVisible()
  await expect(inbox(watch)).toContainText('100.50')
  // Of an old value: without data, the rule waits all the same.
  await expect(rule(watch)).toContainText('no data since')
  expect((await watch.snapshot()).state.alerts).toMatchObject([{ phase: 'armed' }])
  // The same amendment again is no news; the next crossing is.
  amend(service, '99.50', 1)
  service.sendValue('BRTI', '101.00', startMs + 2_000)
  expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 101.00 (level 100)')
  expect(bench.peer.unreadCount).toBe(0)
})

test('an amendment that makes a crossing is notified as late, by amendment', async ({ bench, service }) => {
  const watch = await launchWithRule(bench, service)
  service.sendValue('BRTI', '99.20', startMs + 1_000)
  service.sendValue('BRTI', '99.10', startMs + 2_000)
  await watch.expectValue('BRTI', '99.10', '99.10')
  amend(service, '100.00', 1)
  expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 100.00 (level 100), late, by amendment')
  await watch.open('Alerts')
  await expect(inbox(watch)).toContainText(/late[:,]? by amendment/i)
  await expect(rule(watch)).toContainText('triggered')
  expect(bench.peer.unreadCount).toBe(0)
})

test('an amendment that leaves a crossing true is noted and notifies nobody', async ({ bench, service }) => {
  const watch = await launchWithRule(bench, service)
  service.sendValue('BRTI', '100.50', startMs + 1_000)
  await bench.peer.nextNotification()
  amend(service, '100.40', 1)
  await watch.open('Alerts')
  await expect(inbox(watch)).toContainText('amended to 100.40, still true')
  expect(bench.peer.unreadCount).toBe(0)
})
