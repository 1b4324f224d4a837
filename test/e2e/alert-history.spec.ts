/** Alerts over what was published while nobody listened: a cut line, a closed app, an amendment after a restart. */
import type { AppBench } from '../support/app-bench'
import { AlertService, type AlertRun } from '../support/alert-run'
import { expect, test } from '../support/app-test'
import { levelDraft } from '../support/sample-alerts'
import { failureBody, successBody, type ScriptedService } from '../support/scripted-service'

const inbox = (run: AlertRun) => run.watch.page.getByRole('table', { name: 'Alert inbox' })

/** What the service answers when it is asked for values: these, a second apart, up to the last one sent. */
function answerValues(service: ScriptedService, alerts: AlertService, values: readonly string[]): void {
  const rows = values.map((value, at) => ({ value, time: alerts.timeMs - (values.length - 1 - at) * 1_000 }))
  for (const path of ['values?id=BRTI', 'values?id=BRTI&maxResolution=PER_200MS']) {
    service.routes.set(path, { body: successBody(rows) })
  }
  // Asked for together with the other rows of the list, which it does not know.
  const latest = successBody({ latest_values: { BRTI: rows.at(-1) } })
  service.answerOthers = ({ url = '' }, response) => {
    const isLatest = url.includes('/latest_values?') && url.includes('BRTI')
    response.writeHead(isLatest ? 200 : 400, { 'Content-Type': 'application/json' })
    response.end(isLatest ? latest : failureBody('Unknown id'))
  }
}

/** The rule "rises to 110" has seen 100; then 101, 125 and 102 are missed. */
async function missed(bench: AppBench, service: ScriptedService, end: (run: AlertRun) => Promise<void>) {
  const alerts = new AlertService(service)
  const run = await alerts.launch(bench)
  alerts.publish('100.00')
  await run.watch.expectValue('BRTI', '100.00', '100.00')
  await run.make(levelDraft('110'))
  await end(run)
  alerts.timeMs += 600_000 - 30_000
  const atMs = alerts.timeMs + 2_000
  alerts.timeMs += 4_000
  answerValues(service, alerts, ['101.00', '125.00', '102.00', '103.00'])
  return { alerts, run, atMs }
}

/** A span as the app rounds it. */
function lateText(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  return seconds < 60 ? `${seconds} s` : `${Math.round(ms / 60_000)} min`
}

async function expectLate(bench: AppBench, run: AlertRun, atMs: number): Promise<void> {
  const { summary } = await bench.peer.nextNotification()
  const events = await run.inbox()
  expect(events).toMatchObject([{ kind: 'lateFromHistory', inputs: { value: '125.00', publishedAtMs: atMs } }])
  const clock = (ms: number) => new Date(ms).toISOString().slice(11, 23)
  const late = lateText((events[0]?.recordedAtMs ?? 0) - atMs)
  expect(summary).toBe(
    `BRTI rose to 125.00 at ${clock(atMs)} (level 110) and was back below at ${clock(atMs + 1_000)}, late by ${late}; now 103.00`,
  )
  expect((await run.state()).alerts).toMatchObject([{ phase: 'triggered' }])
  await run.watch.open('Alerts')
  await expect(inbox(run)).toContainText('late, from history')
  expect(bench.peer.unreadCount).toBe(0)
}

test('a level reached and left while the line was cut fires late, from history, after the reconnect', async ({
  bench,
  service,
}) => {
  const { run, alerts, atMs } = await missed(bench, service, () => {
    service.drop()
    return Promise.resolve()
  })
  await expect.poll(() => service.connectionCount).toBe(1)
  service.sendValue('BRTI', '103.00', alerts.timeMs)
  await expectLate(bench, run, atMs)
})

test('a level reached and left while the app was closed fires late, from history, after the start', async ({
  bench,
  service,
}) => {
  const { alerts, atMs } = await missed(bench, service, (run) => run.running.quit())
  const run = await alerts.launch(bench)
  service.sendValue('BRTI', '103.00', alerts.timeMs)
  await expectLate(bench, run, atMs)
})

test('an amendment, after a restart, of a value that had fired nothing before it, fires late', async ({
  bench,
  service,
}) => {
  const alerts = new AlertService(service)
  const before = await alerts.launch(bench)
  alerts.publish('100.00')
  await before.watch.expectValue('BRTI', '100.00', '100.00')
  await before.make(levelDraft('110'))
  alerts.publish('101.00')
  const time = alerts.timeMs
  alerts.publish('102.00')
  await before.watch.expectValue('BRTI', '102.00', '102.00')
  await before.running.quit()
  const run = await alerts.launch(bench)
  alerts.publish('103.00')
  await run.watch.expectValue('BRTI', '103.00', '103.00')
  service.send({ type: 'value', time, id: 'BRTI', value: '111.00', amendTime: time + 5_500 })
  expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 111.00 (level 110), late, by amendment')
  expect((await run.state()).alerts).toMatchObject([{ phase: 'triggered' }])
  expect(bench.peer.unreadCount).toBe(0)
})
