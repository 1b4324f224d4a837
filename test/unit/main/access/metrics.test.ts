import { expect, test } from 'vitest'
import { Metrics } from '../../../../main/access/metrics'
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
  const context = {
    appVersion: '0.1.0',
    quotes: { store: { events: received, ageMs: () => 1_500.000_4 } },
    alerts: { events: new Emitter(onError), views: () => rules },
    judging,
    connections: { events: changed, views },
    diagnostics: () => ({ counters: { 'feed.dropped': 3 } }),
  } as unknown as Context
  const redact = (text: string) => text.replaceAll('canary', '[redacted]')
  const metrics = new Metrics({ clock, context, ids: () => ['BRTI'], redact, onError })
  const become = (state: string) => {
    for (const view of views) view.state = state
    changed.emit('statusChanged', null)
  }
  const receive = (publication: object) => received.emit('received', { id: 'BRTI', publication })
  const lines = () => metrics.text().split('\n')
  return { become, receive, lines, judging, rules }
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
