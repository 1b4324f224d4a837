import type { AlertEvent } from '../../core/alert-events'
import { alertConditions, specOf } from '../../core/conditions/list'
import type { AlertDraft, AlertTerms, AlertView, LevelTerms } from '../../core/alerts'
import { weekdays, type AlertHours } from '../../core/alert-timing'
import type { ListAlert } from '../../core/list-alerts'
import type { NotJudged } from '../../protocol/judging'
import { sampleNowMs } from './sample-now'

const minute = 60_000
const hour = 60 * minute

/** The terms of every condition, with typical numbers. */
export const sampleTerms = alertConditions.flatMap((condition) =>
  specOf(condition).samples.map((fields) => ({ condition, ...fields }) as AlertTerms),
)

/** A draft that fires once when BRTI rises to 68,500.00. */
export function levelDraft(
  level = '68500.00',
  { indexId = 'BRTI', condition = 'risesTo' }: { indexId?: string; condition?: LevelTerms['condition'] } = {},
): AlertDraft {
  return { indexId, terms: { condition, level }, repeat: { mode: 'once' }, severity: 'normal' }
}

/** A rule as the window receives it. */
export function ruleView(id: string, draft: AlertDraft, more: Partial<AlertView> = {}): AlertView {
  return { ...draft, id, version: 1, createdAtMs: sampleNowMs - hour, phase: 'armed', ...more }
}

/** A firing of a level rule, shown and unread. */
export function firedEvent(number: number, draft: AlertDraft, more: Partial<AlertEvent> = {}): AlertEvent {
  const { indexId, terms, severity } = draft
  return {
    id: `e${number}`,
    number,
    kind: 'fired',
    ruleId: 'r0',
    ruleVersion: 1,
    indexId,
    terms,
    severity,
    recordedAtMs: sampleNowMs - hour,
    inputs: { value: 'level' in terms ? terms.level : '1', publishedAtMs: sampleNowMs - hour, direction: 'up' },
    delivery: 'shown',
    isRead: false,
    ...more,
  }
}

const xrp = levelDraft('1.20', { indexId: 'XRPUSD_RTI' })
const sol = levelDraft('140', { indexId: 'SOLUSD_RTI', condition: 'fallsTo' })

export const sampleRules: AlertView[] = [
  ruleView('r1', levelDraft()),
  ruleView('r2', levelDraft('3500', { indexId: 'ETHUSD_RTI', condition: 'fallsTo' }), { phase: 'disarmed' }),
  ruleView('r3', xrp, { phase: 'triggered' }),
]

/** Newest first. */
export const sampleInbox: AlertEvent[] = [
  firedEvent(3, xrp, {
    ruleId: 'r3',
    recordedAtMs: sampleNowMs - 899_800,
    inputs: { value: '1.2003', publishedAtMs: sampleNowMs - 900_000, direction: 'up' },
  }),
  firedEvent(2, sol, {
    recordedAtMs: sampleNowMs - 3 * hour + 90,
    inputs: {
      value: '139.8812',
      publishedAtMs: sampleNowMs - 3 * hour,
      gapSinceMs: sampleNowMs - 4 * hour,
      direction: 'down',
    },
    delivery: 'clicked',
  }),
  firedEvent(1, levelDraft('60000', { indexId: 'BRR' }), {
    recordedAtMs: sampleNowMs - 46 * hour,
    inputs: { value: '66795.66', publishedAtMs: sampleNowMs - 46 * hour, direction: 'up' },
    delivery: 'failed',
    isRead: true,
  }),
]

/** Rules of every kind and phase, as after some weeks of use. */
export const richRules: AlertView[] = [
  ruleView('r1', { ...levelDraft(), repeat: { mode: 'everyCrossing' }, note: 'Sell a third' }),
  ruleView(
    'r2',
    { ...levelDraft('3400.00', { indexId: 'ETHUSD_RTI', condition: 'fallsTo' }), severity: 'urgent' },
    {
      cooldown: { untilMs: sampleNowMs + 10 * minute, heldBack: 3 },
    },
  ),
  ruleView(
    'r3',
    {
      ...levelDraft('', { indexId: 'NCI' }),
      terms: { condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '60' },
      holdMs: minute,
    },
    { phase: 'holding', heldMs: 42_000, measure: '60.214' },
  ),
  ruleView(
    'r4',
    {
      ...levelDraft('', { indexId: 'SOLUSD_RTI' }),
      terms: { condition: 'moves', direction: 'either', amount: '3', unit: 'percent', withinMs: 15 * minute },
      repeat: { mode: 'daily', max: 3 },
      group: 'swing',
    },
    { measure: '2.73' },
  ),
  ruleView('r5', {
    ...levelDraft('', { indexId: 'BRR' }),
    terms: { condition: 'noUpdate', afterMs: 25 * hour },
    repeat: { mode: 'everyCrossing' },
  }),
  ruleView('r6', xrp, { phase: 'triggered' }),
  ruleView('r7', levelDraft('2830', { indexId: 'NCI', condition: 'crosses' }), {
    phase: 'suspended',
    suspension: 'It fired 15 times in 3 min',
  }),
  ruleView('r8', levelDraft('0.00001349', { indexId: 'SHIBUSD_RTI', condition: 'isAbove' }), { phase: 'disarmed' }),
  ruleView('r9', levelDraft('1.00', { indexId: 'NOPE_RTI' }), {
    phase: 'waiting',
    reach: { cannotFire: 'the provider refuses NOPE_RTI: Unrecognised stream ID', sinceMs: sampleNowMs - hour },
  }),
  ruleView('r10', levelDraft('440', { indexId: 'TSLAXUSD_RTI' }), { phase: 'expired' }),
]

/** An event of every kind, newest first. */
export const richInbox: AlertEvent[] = [
  firedEvent(13, levelDraft(), { kind: 'cooldownOver', ruleId: 'r1', heldBackCount: 3, inputs: { value: '68400.10' } }),
  firedEvent(12, levelDraft('2830', { indexId: 'NCI' }), {
    kind: 'retracted',
    ruleId: 'r7',
    aboutEventId: 'e8',
    recordedAtMs: sampleNowMs - 30 * minute,
    inputs: { value: '2829.61', publishedAtMs: sampleNowMs - 50 * minute, amendedAtMs: sampleNowMs - 30 * minute },
  }),
  ...sampleInbox.slice(0, 1).map((event) => ({ ...event, number: 11, id: 'e11', ruleId: 'r6' })),
  firedEvent(10, levelDraft('2831', { indexId: 'NCI' }), {
    kind: 'lateByAmendment',
    ruleId: 'r12',
    inputs: { value: '2831.02', publishedAtMs: sampleNowMs - 2 * hour },
    delivery: 'inDigest',
    isRead: true,
  }),
  firedEvent(9, levelDraft('2830', { indexId: 'NCI' }), {
    kind: 'confirmed',
    ruleId: 'r12',
    inputs: { value: '2830.90' },
    delivery: 'none',
    isRead: true,
  }),
  firedEvent(8, levelDraft('2830', { indexId: 'NCI' }), {
    ruleId: 'r7',
    ruleVersion: 2,
    note: 'Rebalance',
    inputs: {
      value: '2830.07',
      publishedAtMs: sampleNowMs - 50 * minute,
      previous: { value: '2829.99', publishedAtMs: sampleNowMs - 50 * minute - 1_000 },
    },
    delivery: 'clicked',
    webhookResult: 'answered 200',
    isRead: true,
  }),
  firedEvent(
    7,
    { ...sol, severity: 'urgent' },
    {
      ruleId: 'r13',
      inputs: { value: '139.8812', publishedAtMs: sampleNowMs - 3 * hour, gapSinceMs: sampleNowMs - 4 * hour },
      delivery: 'heldBack',
      heldBackBy: 'snooze',
      isRead: true,
    },
  ),
  firedEvent(6, levelDraft(), {
    kind: 'suspended',
    reason: 'it fired 15 times in 3 min',
    delivery: 'failed',
    isRead: true,
  }),
  firedEvent(5, levelDraft(), { kind: 'snoozed', untilMs: sampleNowMs + hour, delivery: 'none', isRead: true }),
  firedEvent(4, levelDraft(), { kind: 'expiresSoon', untilMs: sampleNowMs + 20 * hour, isRead: true }),
  firedEvent(3, levelDraft(), { kind: 'expired', isRead: true }),
  firedEvent(
    2,
    { ...levelDraft('', { indexId: 'BRR' }), terms: { condition: 'noUpdate' } },
    { kind: 'recovered', ruleId: 'r5', inputs: { value: '67999.99' }, isRead: true },
  ),
  firedEvent(1, levelDraft('60000', { indexId: 'BRR' }), {
    ruleId: 'r14',
    recordedAtMs: sampleNowMs - 46 * hour,
    delivery: 'heldBack',
    heldBackBy: 'muted',
    isRead: true,
  }),
]

/** Events of rules that fire again and again, mixed with others, newest first. */
export function flappingInbox(): AlertEvent[] {
  const crossing = levelDraft('84720.81', { condition: 'crosses' })
  const silent = { ...levelDraft('', { indexId: 'BRR' }), terms: { condition: 'noUpdate' } as const }
  const at = (minutesAgo: number, value = '84721.05') => {
    const recordedAtMs = sampleNowMs - minutesAgo * minute
    const inputs = { value, publishedAtMs: recordedAtMs - 200, direction: value > '84720.81' ? 'up' : 'down' } as const
    return { recordedAtMs, inputs }
  }
  const held = { delivery: 'heldBack', heldBackBy: 'cooldown' } as const
  const urgent = {
    ...levelDraft('3400.00', { indexId: 'ETHUSD_RTI', condition: 'fallsTo' }),
    severity: 'urgent',
  } as const
  return [
    firedEvent(15, crossing, { ruleId: 'f1', ...at(1, '84720.79'), ...held }),
    firedEvent(14, crossing, { ruleId: 'f1', ...at(1.4), ...held }),
    firedEvent(13, levelDraft('1.20', { indexId: 'XRPUSD_RTI' }), { ruleId: 'f2', ...at(2, '1.2003') }),
    firedEvent(12, crossing, { ruleId: 'f1', ...at(2.2, '84720.80'), ...held }),
    firedEvent(11, crossing, { ruleId: 'f1', ...at(3), ...held }),
    firedEvent(10, urgent, { ruleId: 'f3', ...at(4, '3399.12'), delivery: 'failed' }),
    firedEvent(9, crossing, { ruleId: 'f1', ...at(5, '84720.44'), ...held, heldBackCount: 1 }),
    firedEvent(8, urgent, { ruleId: 'f3', ...at(6, '3399.80') }),
    firedEvent(7, crossing, { ruleId: 'f1', ...at(7) }),
    firedEvent(6, silent, { ruleId: 'f4', kind: 'recovered', ...at(25, '67999.99'), isRead: true }),
    firedEvent(5, silent, {
      ruleId: 'f4',
      ...at(26),
      inputs: { silentSinceMs: sampleNowMs - 30 * minute },
      isRead: true,
    }),
    firedEvent(4, silent, { ruleId: 'f4', kind: 'recovered', ...at(33, '67998.12'), isRead: true }),
    firedEvent(3, silent, {
      ruleId: 'f4',
      ...at(34),
      inputs: { silentSinceMs: sampleNowMs - 40 * minute },
      isRead: true,
    }),
    firedEvent(2, crossing, { ruleId: 'f1', ...at(47, '84722.10'), isRead: true }),
    firedEvent(1, levelDraft(), {
      kind: 'snoozed',
      isMute: true,
      untilMs: null,
      ...at(50),
      delivery: 'none',
      isRead: true,
    }),
  ]
}

/** A whole UTC day, `ahead` days after the day of a time. */
export function wholeDay(timeMs: number, ahead: number): AlertHours {
  const day = weekdays[(new Date(timeMs).getUTCDay() + 6 + ahead) % 7]
  return { days: day === undefined ? [] : [day], from: '00:00', to: '00:00', timeZone: 'UTC' }
}

/** Another program has locked the history. */
export const alertsOff: NotJudged = {
  state: 'off',
  reason: 'locked',
  summary: 'Alerts are off',
  words: 'Alerts are off: the history is in use by another program',
  remedy: 'Close that program, such as a backup. Indexwatch retries automatically.',
  sinceMs: sampleNowMs,
  areRulesRead: false,
}

const listMoves: AlertDraft = {
  ...levelDraft(),
  terms: { condition: 'moves', direction: 'either', amount: '3', unit: 'percent', withinMs: 15 * minute },
  repeat: { mode: 'everyCrossing' },
}

/** An alert on the list of the window, with the rules of its first indices. */
export const listAlertWindow = {
  listAlerts: [
    {
      id: 'l1',
      target: { listId: 'watchlist' },
      name: 'My list',
      draft: listMoves,
      createdAtMs: sampleNowMs - hour,
    } satisfies ListAlert,
  ],
  alerts: [
    ...sampleRules,
    ...['BRTI', 'ETHUSD_RTI', 'SOLUSD_RTI', 'SHIBUSD_RTI'].map((indexId, at) =>
      ruleView(
        `l1-${indexId}`,
        { ...listMoves, indexId },
        { follows: 'l1', measure: ['0.41', '-1.87', '2.64', '0.09'][at] ?? '', ...(at === 2 && { phase: 'disarmed' }) },
      ),
    ),
  ],
}
