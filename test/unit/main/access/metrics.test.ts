import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Metrics, type DeskMetrics } from '../../../../main/access/metrics'
import { Judging } from '../../../../main/alerts/judging'
import { Emitter } from '../../../../main/base/emitter'
import type { AlertView } from '../../../../core/alerts'
import { FakeClock } from '../../../support/fake-clock'
import { levelDraft, ruleView } from '../../../support/sample-alerts'
import { onError } from '../../../support/on-error'

type Context = ConstructorParameters<typeof Metrics>[0]['context']

function opened(names: readonly string[] = ['Desk']) {
  const received = new Emitter<{ received: { id: string; publication: object } }>(onError)
  const changed = new Emitter<{ statusChanged: null }>(onError)
  const views = names.map((name, at) => ({ id: `c${at}`, name, isDemo: false, state: 'connecting' }))
  const clock = new FakeClock(0)
  const judging = new Judging({ clock, onError })
  judging.setRulesRead(true)
  const rules: AlertView[] = []
  const ages = { ms: 1_500.000_4 }
  const desk: { now?: DeskMetrics } = {}
  const context = {
    appVersion: '0.1.0',
    quotes: { store: { events: received, ageMs: () => ages.ms } },
    alerts: { events: new Emitter(onError), views: () => rules },
    judging,
    connections: { events: changed, views, resolutionOf: () => 'PER_SECOND' },
    diagnostics: () => ({ counters: { 'feed.dropped': 3 } }),
  } as unknown as Context
  const redact = (text: string) => text.replaceAll('canary', '[redacted]')
  const metrics = new Metrics({ clock, context, ids: () => ['BRTI'], redact, onError, desk: () => desk.now })
  const become = (state: string) => {
    for (const view of views) view.state = state
    changed.emit('statusChanged', null)
  }
  const receive = (publication: object) => received.emit('received', { id: 'BRTI', publication })
  const lines = () => metrics.text().split('\n')
  return { become, receive, lines, judging, rules, ages, desk }
}

test('ages, states, dropped messages and reconnects are separate metrics', () => {
  const { become, lines } = opened()
  expect(lines()).toContain('indexwatch_index_age_seconds{id="BRTI"} 1.5')
  expect(lines()).toContain('indexwatch_connection_up{connection="Desk",isDemo="false"} 0')
  for (const state of ['live', 'reconnecting', 'live', 'live', 'reconnecting', 'live']) become(state)
  expect(lines()).toContain('indexwatch_connection_up{connection="Desk",isDemo="false"} 1')
  expect(lines()).toContain('indexwatch_connection_state{connection="Desk",isDemo="false",state="live"} 1')
  expect(lines()).toContain('indexwatch_reconnects_total{connection="Desk",isDemo="false"} 2')
  expect(lines()).toContain('indexwatch_dropped_frames_total 3')
})

test('a metric says whether alerts are judged, and how many rules may fire', () => {
  const { lines, judging, rules } = opened()
  const dead = { cannotFire: 'There is no BTCC.', sinceMs: 1 }
  rules.push(
    ruleView('r1', levelDraft('1')),
    ruleView('r2', levelDraft('2'), { phase: 'triggered' }),
    ruleView('r3', levelDraft('3'), { reach: dead }),
  )
  expect(lines()).toContain('indexwatch_alerts_judged 1')
  expect(lines()).toContain('indexwatch_rules_active 1')
  judging.set('history', { reason: 'full', isJudged: true })
  expect(lines()).toContain('indexwatch_alerts_judged 0')
  expect(lines()).toContain('indexwatch_rules_active 1')
  judging.set('history', { reason: 'locked' })
  expect(lines()).toContain('indexwatch_rules_active 0')
  judging.set('history', undefined)
  expect(lines()).toContain('indexwatch_alerts_judged 1')
})

test('a watcher of a desk says whether it leads, what is unpublished and how many seats', () => {
  const { lines, desk } = opened()
  expect(lines().join()).not.toContain('desk')
  desk.now = { leads: true, unpublished: 2, seats: 3 }
  expect(lines()).toContain('indexwatch_desk_leads 1')
  expect(lines()).toContain('indexwatch_desk_unpublished_events 2')
  expect(lines()).toContain('indexwatch_desk_seats_connected 3')
})

test('an amendment counts once however often it is sent', () => {
  const { receive, lines } = opened()
  const amended = { value: '1', publishedAtMs: 1_000, amendedAtMs: 1_500 }
  for (const each of [amended, { ...amended, amendedAtMs: 1_700 }, amended, { value: '2', publishedAtMs: 2_000 }]) {
    receive(each)
  }
  expect(lines()).toContain('indexwatch_amendments_total 2')
})

test('names are escaped and redacted, and no two series have the same labels', () => {
  const { lines } = opened(['a "b" \\ canary', 'Desk', 'Desk'])
  const samples = lines().filter((line) => line.startsWith('indexwatch_connection_up'))
  expect(samples).toEqual([
    String.raw`indexwatch_connection_up{connection="a \"b\" \\ [redacted]",isDemo="false"} 0`,
    'indexwatch_connection_up{connection="Desk",isDemo="false"} 0',
    'indexwatch_connection_up{connection="Desk (2)",isDemo="false"} 0',
  ])
})

test('an index is stale once its value is older than its frequency allows', () => {
  const { lines, ages } = opened()
  expect(lines()).toContain('indexwatch_index_stale{id="BRTI"} 0')
  ages.ms = 10_001
  expect(lines()).toContain('indexwatch_index_stale{id="BRTI"} 1')
})

test('the main process has metrics by the names that Prometheus gives them', () => {
  const value = (name: string) =>
    Number(
      opened()
        .lines()
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    )
  expect(value('process_cpu_seconds_total')).toBeGreaterThan(0)
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(2 ** 20)
  expect(value('process_start_time_seconds')).toBe(Math.round(performance.timeOrigin) / 1_000)
  if (process.platform !== 'linux') return
  expect(value('process_open_fds')).toBeGreaterThan(2)
  expect(value('process_max_fds')).toBeGreaterThan(value('process_open_fds'))
})

test.runIf(process.platform === 'linux')('the reference has exactly the metrics that are served', () => {
  const { lines, desk } = opened()
  desk.now = { leads: true, unpublished: 0, seats: 0 }
  const served = lines().flatMap((line) => /^# TYPE (\S+) (\S+)/.exec(line)?.slice(1).join(' ') ?? [])
  const reference = readFileSync(join(import.meta.dirname, '../../../../docs/reference/metrics.md'), 'utf8')
  const listed = [...reference.matchAll(/^\| `([a-z_]+)[^|]*\| (\w+)/gm)].map(([, name, type]) => `${name} ${type}`)
  expect(listed.toSorted()).toEqual(served.toSorted())
})
