/** Alerts on missed values: after a lost connection, a closed app, a sleep, and an amendment after a restart. */
import type { AppBench } from '../support/app-bench'
import { AlertRun, AlertService } from '../support/alert-run'
import { expect, test } from '../support/app-test'
import type { AlertDraft } from '../../core/alerts'
import { levelDraft } from '../support/sample-alerts'
import { serveCatalogue } from '../support/scripted-rest'
import { successBody, type ScriptedService } from '../support/scripted-service'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

const inbox = (run: AlertRun) => run.watch.page.getByRole('table', { name: 'Alert inbox' })

/** Creates a rule that has seen 100 and waits for 110. */
async function waitFor110(run: AlertRun, alerts: AlertService): Promise<void> {
  alerts.publish('100.00')
  await expect.poll(async () => (await run.watch.snapshot()).quotes[0]?.publishedAtMs).toBe(alerts.timeMs)
  await run.make(levelDraft('110'))
}

/** Creates a rule that waits for 110 and misses 101, 125 and 102. Returns the publication time of 125. */
async function missed(run: AlertRun, alerts: AlertService, end: () => Promise<void> | void) {
  await waitFor110(run, alerts)
  await end()
  alerts.timeMs += 280 * second
  const atMs = alerts.timeMs + 2 * second
  alerts.timeMs += 4 * second
  alerts.answerValues(['101.00', '125.00', '102.00', '103.00'])
  return atMs
}

/**
 * Answers history requests. Each hour has 103 in its last second. The hour of `atMs` also has 101, 125 and 102 around
 * it. The stream sends 103 later too, so an alert names 103 as the current value in either order of arrival.
 */
function answerHistory(service: ScriptedService, fromMs: number, toMs: number, atMs: number): void {
  for (let hourMs = fromMs - (fromMs % hour); hourMs <= toMs; hourMs += hour) {
    const crossing = [
      { value: '101.00', time: atMs - second },
      { value: '125.00', time: atMs },
      { value: '102.00', time: atMs + second },
    ]
    const rows = [
      ...(atMs - (atMs % hour) === hourMs ? crossing : []),
      { value: '103.00', time: hourMs + hour - second },
    ]
    const timestamp = new Date(hourMs).toISOString().replace('.000Z', 'Z')
    const path = `history/values?id=BRTI&timespan=HOUR&timestamp=${timestamp}`
    service.routes.set(path, { body: successBody(rows) })
  }
}

const silent = (afterMs: number): AlertDraft => ({
  ...levelDraft(),
  indexId: 'ETHUSD_RTI',
  terms: { condition: 'noUpdate', afterMs },
})

/** A duration, rounded as in the app. */
function lateText(ms: number): string {
  const seconds = Math.round(ms / second)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(ms / minute)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 ? [`${rest} min`] : [])].join(' ')
}

/** A time as the app writes it at `nowMs`, with the date if it is another day. */
function timeText(ms: number, nowMs: number): string {
  const [date, now] = [new Date(ms), new Date(nowMs)]
  const month = date.toLocaleString('en', { month: 'short', timeZone: 'UTC' })
  const day = date.getUTCDate() === now.getUTCDate() ? '' : `${date.getUTCDate()} ${month} `
  return day + date.toISOString().slice(11, 23)
}

/** Expects that the newest event is 125, late from history, and notified once with this text. */
async function expectLate(bench: AppBench, run: AlertRun, atMs: number): Promise<void> {
  const { summary } = await bench.peer.nextNotification()
  const [event] = await run.inbox()
  expect(event).toMatchObject({ kind: 'lateFromHistory', inputs: { value: '125.00', publishedAtMs: atMs } })
  const recordedAtMs = event?.recordedAtMs ?? 0
  const clock = (ms: number) => timeText(ms, recordedAtMs)
  const late = lateText(recordedAtMs - atMs)
  expect(summary).toBe(
    `BRTI rose to 125.00 at ${clock(atMs)} (level 110) and was back below at ${clock(atMs + 1_000)}, late by ${late}; now 103.00`,
  )
  expect((await run.state()).alerts.at(-1)).toMatchObject({ phase: 'triggered' })
  await run.watch.open('Alerts')
  await expect(inbox(run)).toContainText('late: backfilled')
  expect(bench.peer.unreadCount).toBe(0)
}

test('a level reached and left while no value was received fires late', async ({ bench, service }) => {
  serveCatalogue(service, [
    { id: 'ETHUSD_RTI', name: 'CME CF Ether-Dollar Real Time Index', decimals: 2, maxResolution: 'PER_200MS' },
  ])
  const alerts = new AlertService(service)
  const first = await alerts.launch(bench)
  const [cutAtMs] = await test.step('lost connection: after the reconnect', async () => {
    const atMs = await missed(first, alerts, () => service.drop())
    await expect.poll(() => service.connectionCount).toBe(1)
    service.sendValue('BRTI', '103.00', alerts.timeMs)
    await expectLate(bench, first, atMs)
    return [atMs]
  })

  // This alert fires only on an amendment of an earlier value.
  await first.make(levelDraft('130'))
  alerts.publish('101.00')
  const time = alerts.timeMs
  const atMs = await missed(first, alerts, () => first.running.quit())
  const logind = await bench.startLogind()
  const restarted = await alerts.launch(bench)
  service.sendValue('BRTI', '103.00', alerts.timeMs)
  await test.step('closed app: after the start, and no earlier alert again', async () => {
    await expectLate(bench, restarted, atMs)
    expect((await restarted.inbox()).map(({ inputs }) => inputs.publishedAtMs)).toEqual([atMs, cutAtMs])
  })

  await test.step('after a restart, an amendment of a value that had not fired', async () => {
    service.send({ type: 'value', time, id: 'BRTI', value: '131.00', amendTime: time + 5_500 })
    expect((await bench.peer.nextNotification()).summary).toBe('BRTI rose to 131.00 (level 130) (late: value amended)')
    expect(
      (await restarted.state()).alerts.find(({ terms }) => 'level' in terms && terms.level === '130'),
    ).toMatchObject({
      phase: 'triggered',
    })
    expect(bench.peer.unreadCount).toBe(0)
  })
  await test.step('a night asleep: once, and no silence from before the wake', async () => {
    for (const hours of [1, 2, 3]) await restarted.make(silent(hours * hour))
    alerts.publish('100.00', 'ETHUSD_RTI')
    await waitFor110(restarted, alerts)
    const fellAsleepAtMs = alerts.timeMs
    const thirdHourMs = fellAsleepAtMs + 3 * hour
    const nightAtMs = thirdHourMs - (thirdHourMs % hour) + 30 * minute
    await logind.sleep(restarted.running.app, 8 * hour, () => {
      service.drop()
      alerts.timeMs += 8 * hour
      answerHistory(service, fellAsleepAtMs, alerts.timeMs, nightAtMs)
      alerts.answerValues(['101.00', '102.00', '103.00'])
    })
    const awake = new AlertRun(restarted.running, await restarted.running.watchAgain())
    await awake.watch.expectState('Live')
    service.sendValue('BRTI', '103.00', alerts.timeMs)
    await expectLate(bench, awake, nightAtMs)
    // The check for this silence checks all others too.
    await awake.make(silent(1_001))
    expect((await bench.peer.nextNotification()).summary).toMatch(/^ETHUSD_RTI no update since /)
    const silences = (await awake.inbox()).filter(({ terms }) => terms.condition === 'noUpdate')
    expect(silences.map(({ terms }) => terms)).toEqual([silent(1_001).terms])
    expect(bench.peer.unreadCount).toBe(0)
    // The service has the night of BRTI only.
    await awake.watch.open('Watchlists')
    const card = awake.watch.page.getByRole('region', { name: 'While you were away' })
    await expect(card).toContainText('8 h · 1 gap (8 h), not filled yet')
    await expect(card).toContainText(/BRTI rose to 125\.00 at .* \(level 110\) and was back below/)
    await card.getByRole('button', { name: 'Dismiss' }).click()
    await expect(card).toHaveCount(0)
  })
})
