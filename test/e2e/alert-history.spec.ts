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

/** A rule has seen 100; then 101, 125 and 102 are missed. Answers when 125 was published. */
async function missed(run: AlertRun, service: ScriptedService, alerts: AlertService, end: () => Promise<void> | void) {
  alerts.publish('100.00')
  await expect.poll(async () => (await run.watch.snapshot()).quotes[0]?.publishedAtMs).toBe(alerts.timeMs)
  await run.make(levelDraft('110'))
  await end()
  alerts.timeMs += 280_000
  const atMs = alerts.timeMs + 2_000
  alerts.timeMs += 4_000
  answerValues(service, alerts, ['101.00', '125.00', '102.00', '103.00'])
  return atMs
}

/** A span as the app rounds it. */
function lateText(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  return seconds < 60 ? `${seconds} s` : `${Math.round(ms / 60_000)} min`
}

/** The newest event is that of 125, late from history, notified once and in those words. */
async function expectLate(bench: AppBench, run: AlertRun, atMs: number): Promise<void> {
  const { summary } = await bench.peer.nextNotification()
  const [event] = await run.inbox()
  expect(event).toMatchObject({ kind: 'lateFromHistory', inputs: { value: '125.00', publishedAtMs: atMs } })
  const clock = (ms: number) => new Date(ms).toISOString().slice(11, 23)
  const late = lateText((event?.recordedAtMs ?? 0) - atMs)
  expect(summary).toBe(
    `BRTI rose to 125.00 at ${clock(atMs)} (level 110) and was back below at ${clock(atMs + 1_000)}, late by ${late}; now 103.00`,
  )
  expect((await run.state()).alerts.at(-1)).toMatchObject({ phase: 'triggered' })
  await run.watch.open('Alerts')
  await expect(inbox(run)).toContainText('late, from history')
  expect(bench.peer.unreadCount).toBe(0)
}

test('a level reached and left while the line was cut or the app closed fires late, as does an amendment after the restart', async ({
  bench,
  service,
}) => {
  const alerts = new AlertService(service)
  const first = await alerts.launch(bench)
  const [cutAtMs] = await test.step('the line was cut: after the reconnect', async () => {
    const atMs = await missed(first, service, alerts, () => {
      service.drop()
    })
    await expect.poll(() => service.connectionCount).toBe(1)
    service.sendValue('BRTI', '103.00', alerts.timeMs)
    await expectLate(bench, first, atMs)
    return [atMs]
  })

  // One that fires neither before the restart nor from what is missed, but from an amendment of an earlier value.
  await first.make(levelDraft('130'))
  alerts.publish('101.00')
  const time = alerts.timeMs
  const atMs = await missed(first, service, alerts, () => first.running.quit())
  const second = await alerts.launch(bench)
  service.sendValue('BRTI', '103.00', alerts.timeMs)
  await test.step('the app was closed: after the start, and nothing of before again', async () => {
    await expectLate(bench, second, atMs)
    expect((await second.inbox()).map(({ inputs }) => inputs.publishedAtMs)).toEqual([atMs, cutAtMs])
  })

  await test.step('an amendment, after the restart, of a value that had fired nothing before it', async () => {
    service.send({ type: 'value', time, id: 'BRTI', value: '131.00', amendTime: time + 5_500 })
    expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 131.00 (level 130), late, by amendment')
    expect((await second.state()).alerts.find(({ terms }) => 'level' in terms && terms.level === '130')).toMatchObject({
      phase: 'triggered',
    })
    expect(bench.peer.unreadCount).toBe(0)
  })
})
