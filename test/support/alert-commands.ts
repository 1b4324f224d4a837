import type { AlertEvent, InboxQuery } from '../../core/alert-events'
import type { AlertSnooze } from '../../core/alerts'
import type { AlertHours } from '../../core/alert-timing'
import type { WindowSnapshot } from '../../protocol/desktop'
import { toJson } from '../../protocol/json'
import { ok, type FakeDesktop } from './fake-desktop'
import { firedEvent, levelDraft, richInbox, richRules, ruleView } from './sample-alerts'
import { sampleNowMs } from './sample-now'
import { sampleSnapshot } from './sample-window'

const pageSize = 200

/** A window with a rule of every kind and an event of every kind. */
export function richSnapshot(change: Partial<WindowSnapshot['state']> = {}): WindowSnapshot {
  const snapshot = sampleSnapshot()
  Object.assign(snapshot.state, { alerts: richRules, inbox: richInbox, ...change })
  return snapshot
}

/** The same window disconnected since 09:41, with a rule that is outside its hours. */
export function blindSnapshot(): WindowSnapshot {
  const snapshot = richSnapshot()
  const { state } = snapshot
  const sinceMs = Date.UTC(2026, 10, 21, 9, 41)
  const hours: AlertHours = { days: ['mon', 'fri'], from: '08:00', to: '16:30', timeZone: 'Europe/London' }
  const agedMs = sampleNowMs - sinceMs
  snapshot.quotes = snapshot.quotes.map((quote) => ({
    ...quote,
    ageMs: quote.ageMs + agedMs,
    publishedAtMs: quote.publishedAtMs - agedMs,
  }))
  const problem = 'The connection was lost.'
  Object.assign(state, {
    status: { state: 'reconnecting', name: 'Desk', isDemo: false, streamCount: 0, problem, retryInMs: 30_000 },
    alerts: [...state.alerts, ruleView('r11', { ...levelDraft('70000.00'), hours })],
    missingData: { indices: snapshot.quotes.map(({ id }) => ({ id, sinceMs })), ruleCount: 5 },
  })
  return snapshot
}

/** This many read events, each of its own rule, newest first. */
export function longInbox(count: number): AlertEvent[] {
  return Array.from({ length: count }, (_, at) =>
    firedEvent(count - at, levelDraft(`${count - at}.00`), {
      id: `long-${count - at}`,
      ruleId: `rule-${count - at}`,
      isRead: true,
    }),
  )
}

/** Lets snoozing, arming, deleting and creating rules change the window, as in the app. */
export function workAlerts(fake: FakeDesktop): void {
  const isSame = (a: AlertSnooze['scope'], b: AlertSnooze['scope']) => JSON.stringify(a) === JSON.stringify(b)
  const others = (scope: AlertSnooze['scope']) =>
    fake.snapshot.state.snoozes.filter((snooze) => !isSame(snooze.scope, scope))
  fake.handlers.snoozeAlerts = async ({ scope, untilMs }) => {
    await fake.push({ state: { snoozes: [...others(scope), { scope, untilMs }] } })
    return ok(null)
  }
  fake.handlers.endSnooze = async ({ scope }) => {
    await fake.push({ state: { snoozes: others(scope) } })
    return ok(null)
  }
  fake.handlers.armAlert = async ({ ruleId }) => {
    const alerts = fake.snapshot.state.alerts.map((rule) =>
      rule.id === ruleId ? { ...rule, phase: 'armed' as const } : rule,
    )
    await fake.push({ state: { alerts } })
    return ok(alerts.find(({ id }) => id === ruleId) ?? ruleView(ruleId, levelDraft()))
  }
  fake.handlers.createAlert = async ({ draft }) => {
    const made = ruleView(`made-${fake.callsOf('createAlert').length}`, draft)
    await fake.push({ state: { alerts: [...fake.snapshot.state.alerts, made] } })
    return ok(made)
  }
}

/** Answers for an inbox on disk: pages of 200, newest first, filtered by kind and by index or note. */
export function keepInbox(fake: FakeDesktop, kept: () => readonly AlertEvent[]): void {
  fake.handlers.getInbox = ({ query }) => {
    const all = kept()
    const matching = all.filter((event) => matches(event, query))
    const events = query.after === undefined ? matching.slice(0, pageSize) : matching.slice(-pageSize)
    const ids = new Set(events.map(({ id }) => id))
    const retractions = all.filter(({ kind, aboutEventId = '' }) => kind === 'retracted' && ids.has(aboutEventId))
    return ok(toJson({ events, retractions, hasMore: matching.length > pageSize }))
  }
}

function matches(event: AlertEvent, { search = '', kinds, ruleId, before = Infinity, after = 0 }: InboxQuery): boolean {
  const text = `${event.indexId} ${event.note ?? ''}`.toLowerCase()
  return (
    event.number < before &&
    event.number > after &&
    (kinds === undefined || kinds.includes(event.kind)) &&
    (ruleId === undefined || ruleId === event.ruleId) &&
    text.includes(search.toLowerCase())
  )
}
