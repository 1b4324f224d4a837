import { expect, test } from 'vitest'
import { Terminal } from '../../../../main/access/terminal'
import { Judging } from '../../../../main/alerts/judging'
import { Emitter } from '../../../../main/base/emitter'
import type { Owners } from '../../../../main/access/latest'
import type { ConnectionEvents } from '../../../../main/connections/connection-events'
import type { WatchOptions } from '../../../../main/desktop/launch-options'
import { firstSettings } from '../../../../main/storage/settings'
import type { ConnectionState, Publication } from '../../../../core/model'
import { FakeClock } from '../../../support/fake-clock'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'
import { onError } from '../../../support/on-error'

const startMs = Date.UTC(2026, 10, 21, 14, 2, 11)

/** A watch on one list with BRTI and NCI, and what it prints. */
function open(watch: Partial<WatchOptions> = {}, states: ConnectionState[] = ['live']) {
  const rules = [{ id: 'r1' }, { id: 'r2', group: 'Desk' }, { id: 'r3', group: 'Night' }]
  const events = new Emitter<ConnectionEvents>(onError)
  const view = (state: ConnectionState) => ({ state, name: 'Desk', isDemo: false, streamCount: 1 })
  const connections = {
    events,
    status: view(states[0] ?? 'live'),
    views: states.map(view),
    connectionOf: () => undefined,
    refusal: () => 'Unrecognised id',
    resolutionOf: (id: string) => (id === 'BRR' ? 'DAILY' : 'PER_SECOND'),
  }
  const entries = ['BRTI', 'NCI'].map((id) => ({ id, maxResolution: 'PER_SECOND' as const }))
  const settings = { ...firstSettings(), watchlists: [{ id: 'l', name: 'Majors', entries }] }
  const deliveries: unknown[] = []
  const clock = new FakeClock(startMs)
  const judging = new Judging({
    clock,
    onError,
  })
  const context = {
    settings: { get: () => settings },
    connections,
    judging,
    alerts: {
      noteOutcome: (...delivery: unknown[]) => deliveries.push(delivery),
      views: () => rules,
      view: (ruleId: string) => rules.find(({ id }) => id === ruleId),
    },
  } as unknown as Owners
  const lines: string[] = []
  const lost: string[] = []
  const unknown: string[] = []
  const terminal = new Terminal({
    clock,
    context,
    watch: { lists: [], ids: [], isJson: false, printsAlerts: false, rules: [], ...watch },
    print: (line) => lines.push(line),
    onKeyLost: (problem) => lost.push(problem),
    onUnknownRule: (problem) => unknown.push(problem),
  })
  const publish = (publication: Partial<Publication>, source: 'stream' | 'rest' = 'stream', id = 'BRTI') => {
    const whole = { value: '1.50', publishedAtMs: startMs, ...publication }
    events.emit('published', { id, publication: whole, source, resolution: 'PER_SECOND' })
  }
  return { terminal, events, views: connections.views, publish, lines, lost, deliveries, clock, judging, unknown }
}

test('each value is printed once as published, although REST repeats it', () => {
  const { terminal, publish, lines } = open()
  terminal.start()
  publish({ value: '68000.1200' })
  publish({ value: '68000.1200' }, 'rest')
  publish({ value: '68001', publishedAtMs: startMs + 1_000, isRepeatOfPrevious: true })
  publish({ value: '68000.1200' }, 'rest')
  expect(lines).toEqual([
    '2026-11-21T14:02:11.000Z\tBRTI\t68000.1200',
    '2026-11-21T14:02:12.000Z\tBRTI\t68001\tcarried forward',
  ])
})

test('amendments are lines of their own, of the newest value and of an earlier one', () => {
  const { terminal, publish, lines } = open()
  terminal.start()
  publish({ value: '1' })
  publish({ value: '2', publishedAtMs: startMs + 1_000 })
  publish({ value: '2.5', publishedAtMs: startMs + 1_000, amendedAtMs: startMs + 2_000 })
  publish({ value: '1.5', amendedAtMs: startMs + 3_000 })
  expect(lines.slice(2)).toEqual([
    '2026-11-21T14:02:12.000Z\tBRTI\t2.5\tamended 2026-11-21T14:02:13.000Z',
    '2026-11-21T14:02:11.000Z\tBRTI\t1.5\tamended 2026-11-21T14:02:14.000Z',
  ])
})

test('other indices and values from the future are not printed', () => {
  const { terminal, publish, lines } = open({ ids: ['ETHUSD_RTI'] })
  terminal.start()
  publish({})
  publish({ publishedAtMs: startMs + 3_600_000 }, 'stream', 'ETHUSD_RTI')
  expect(lines).toEqual([])
  publish({}, 'stream', 'ETHUSD_RTI')
  expect(lines).toEqual(['2026-11-21T14:02:11.000Z\tETHUSD_RTI\t1.50'])
})

test('a list is chosen by name, and an unknown name is reported with the known ones', () => {
  const { terminal, publish, lines } = open({ lists: ['Majors'], isJson: true })
  expect(terminal.start()).toEqual({ ok: true, value: null })
  publish({}, 'stream', 'NCI')
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    type: 'value',
    id: 'NCI',
    value: '1.50',
    published: '2026-11-21T14:02:11.000Z',
    isCarriedForward: false,
    source: 'stream',
    connection: 'Desk',
    isDemo: false,
  })
  expect(open({ lists: ['Minors'] }).terminal.start()).toMatchObject({
    problem: { message: 'There is no watchlist “Minors”. Choose one of: “Majors”.' },
  })
})

test('alerts are printed if requested, and their delivery is recorded', () => {
  const asked = open({ printsAlerts: true })
  asked.terminal.notify([firedEvent(1, levelDraft())])
  expect(asked.lines).toHaveLength(1)
  expect(asked.lines[0]).toContain('\tALERT\tBRTI rose to')
  expect(asked.deliveries).toEqual([['e1', { delivery: 'shown' }]])
  const unasked = open()
  unasked.terminal.notify([firedEvent(2, levelDraft())])
  expect(unasked.lines).toEqual([])
  expect(unasked.deliveries).toEqual([['e2', { delivery: 'off' }]])
})

test('control and bidirectional characters of a note are escaped or removed', () => {
  const note = 'a\u001b[2J\u009b\u0085\u2028\u202eb'
  for (const isJson of [true, false]) {
    const { terminal, lines } = open({ printsAlerts: true, isJson })
    terminal.notify([firedEvent(1, levelDraft(), { note })])
    expect(lines[0]?.replaceAll('\t', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    if (isJson) expect(JSON.parse(lines[0] ?? '')).toMatchObject({ note })
  }
})

test('only alerts of the named rules or groups are printed, and an unknown name is reported', () => {
  const event = (number: number, ruleId: string) => ({ ...firedEvent(number, levelDraft()), ruleId })
  const chosen = open({ printsAlerts: true, rules: ['r1', 'Night'] })
  chosen.terminal.start()
  chosen.judging.setRulesRead(true)
  expect(chosen.unknown).toEqual([])
  chosen.terminal.notify([event(1, 'r1'), event(2, 'r2'), event(3, 'r3')])
  expect(chosen.lines).toHaveLength(2)
  expect(chosen.deliveries).toEqual([
    ['e1', { delivery: 'shown' }],
    ['e2', { delivery: 'off' }],
    ['e3', { delivery: 'shown' }],
  ])
  const wrong = open({ printsAlerts: true, rules: ['Desk', 'day'] })
  wrong.terminal.start()
  expect(wrong.unknown).toEqual([])
  wrong.judging.setRulesRead(true)
  expect(wrong.unknown).toEqual([expect.stringMatching(/“day”.*“Desk”, “Night”/)])
})

test('a watch prints when and why alerts are off, and from when to when none were checked', () => {
  const [forPeople, forPrograms] = [open(), open({ isJson: true })]
  for (const { terminal, judging, clock } of [forPeople, forPrograms]) {
    terminal.start()
    judging.set('history', { reason: 'locked' })
    clock.advance(60_000)
    judging.set('history', undefined)
    judging.setRulesRead(true)
  }
  expect(forPeople.lines).toEqual([
    expect.stringMatching(
      /^2026-11-21T14:02:11.000Z\tALERTS\tAlerts are off: the history is in use by another program\. Close/,
    ),
    '2026-11-21T14:03:11.000Z\tALERTS\tAlerts are on again. No alerts were checked from 2026-11-21T14:02:11.000Z to 2026-11-21T14:03:11.000Z.',
  ])
  expect(forPrograms.lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { type: 'alerts', areJudged: false, reason: 'locked', since: '2026-11-21T14:02:11.000Z' },
    {
      type: 'alerts',
      areJudged: true,
      notWatched: { from: '2026-11-21T14:02:11.000Z', to: '2026-11-21T14:03:11.000Z' },
    },
  ])
})

test('a mean prints how many values it lacks, and one of a daily rate why it has none, once', () => {
  const { terminal, events, publish, lines } = open({ ids: ['mean(BRTI, 60)', 'mean(BRR, 60)'] })
  terminal.start()
  events.emit('catalogueChanged', null)
  events.emit('catalogueChanged', null)
  publish({ missing: 2 }, 'stream', 'mean(BRTI, 60)')
  expect(lines.map((line) => line.split('\t').slice(1, 4))).toEqual([
    ['mean(BRR, 60)', expect.stringMatching(/^refused: BRR publishes less often than each second/)],
    ['mean(BRTI, 60)', '1.50', '2 missing'],
  ])
})

test('a watch is over when every key is refused, not while one connection lives', () => {
  const one = open({}, ['notAuthorised', 'live'])
  one.terminal.start()
  one.events.emit('statusChanged', null)
  expect(one.lost).toEqual([])
  // The combined status is unchanged.
  one.views.splice(1, 1, ...one.views.slice(0, 1))
  one.events.emit('statusChanged', null)
  expect(one.lost).toHaveLength(1)
  const none = open({}, [])
  none.terminal.start()
  none.events.emit('statusChanged', null)
  expect(none.lost).toEqual([])
  const all = open({}, ['notAuthorised', 'notAuthorised'])
  all.terminal.start()
  all.events.emit('statusChanged', null)
  expect(all.lost).toEqual(['The provider refused the key.'])
})

test('a formula is printed with the time of its older part', () => {
  const { terminal, publish, lines } = open({ ids: ['BRTI − NCI'] })
  terminal.start()
  publish({ value: '2', olderPartMs: startMs - 4_000 }, 'stream', 'BRTI − NCI')
  expect(lines).toEqual(['2026-11-21T14:02:07.000Z\tBRTI − NCI\t2'])
})
