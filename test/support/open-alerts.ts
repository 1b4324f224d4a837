import type { AlertEvent, AlertOrigin } from '../../core/alert-events'
import type { AlertDraft } from '../../core/alerts'
import type { IndexId, Publication, Quote, Resolution } from '../../core/model'
import { AlertEngine } from '../../main/alerts/engine'
import type { distribute } from '../../main/app/received'
import { createLog } from '../../main/base/log'
import type { Source } from '../../core/publication'
import { QuoteStore } from '../../main/quotes/quote-store'
import type { HistoryAccess, StoredValue, ValueOrigin } from '../../main/history-store/contract'
import { FakeClock } from './fake-clock'
import { MemoryHistory } from './memory-history'
import { levelDraft } from './sample-alerts'

export const startMs = Date.UTC(2023, 10, 1, 12)
export const above = levelDraft('100.00')

/** Replaces the alert engine in tests without alerts. */
export const noRules: Parameters<typeof distribute>[1]['rules'] = {
  considerConstituents: () => undefined,
  considerConditions: () => undefined,
  considerCorporateAction: () => undefined,
  learnedLate: () => undefined,
  notKnown: () => undefined,
}

/** The engine with a real quote store and a history, as in the app. Ids are a, b, c and so on. */
export async function openAlerts<T extends HistoryAccess = MemoryHistory>(
  history: T = new MemoryHistory() as HistoryAccess as T,
  {
    clock = new FakeClock(startMs),
    prefix = '',
    origin = { connection: 'Desk', isDemo: false },
    cadenceOf = (id) => (id === 'UNKNOWN' ? undefined : 'PER_SECOND'),
  }: {
    clock?: FakeClock
    prefix?: string
    origin?: AlertOrigin
    cadenceOf?: (id: IndexId) => Resolution | undefined
  } = {},
) {
  let made = 0
  const throwOn = (error: unknown) => {
    throw error
  }
  const lines: string[] = []
  const quotes = new QuoteStore({ clock, onError: throwOn })
  const engine = new AlertEngine({
    clock,
    newId: () => prefix + idAt(made++),
    log: createLog({ write: (line) => lines.push(line), redact: (text) => text, clock }),
    history,
    cadenceOf,
    originOf: () => origin,
    sourceOf: (id) => quotes.sourceOf(id),
  })
  quotes.events.on('changed', ({ previous, next, by, isBehind }) => engine.consider(previous, next, by, isBehind))
  quotes.events.on('past', ({ id, publication, by }) => engine.considerPast(id, publication, by))
  const fired: AlertEvent[] = []
  const notices: string[] = []
  let changes = 0
  engine.events.on('notify', (events) => fired.push(...events))
  engine.events.on('notice', (notice) => notices.push(notice))
  engine.events.on('changed', () => changes++)
  await engine.use()
  let source: Source = { id: 'demo', name: 'Demo' }
  /** Switches to another connection. */
  const turnTo = (to: Source) => {
    source = to
  }
  const toHistory = (id: IndexId, publication: Publication, origin: ValueOrigin): StoredValue => {
    const { value, publishedAtMs, amendedAtMs, isRepeatOfPrevious } = publication
    return {
      id,
      value,
      publishedAtMs,
      learnedAtMs: clock.wallMs(),
      origin,
      connection: source.name,
      connectionId: source.id,
      ...(amendedAtMs !== undefined && { amendedAtMs }),
      ...(isRepeatOfPrevious !== undefined && { isRepeatOfPrevious }),
    }
  }
  /** Receives a value as a connection does: stores it first, then passes it to the quotes and rules. */
  const receive = (id: IndexId, publication: Publication, way: 'stream' | 'rest' = 'stream') => {
    history.append([toHistory(id, publication, way)])
    quotes.apply(id, publication, way, source)
  }
  /** Publishes now and advances by a second. */
  const publish = (value: string, more: Partial<Quote> = {}) => {
    receive(more.id ?? 'BRTI', { publishedAtMs: clock.wallMs(), ...more, value })
    clock.advance(1_000)
  }
  /** Receives these values from catch-up. */
  const learn = async (publications: readonly Publication[], id: IndexId = 'BRTI') => {
    const committed = history.commit({ values: publications.map((each) => toHistory(id, each, 'catchUp')) })
    engine.learnedLate(id, publications, committed, source)
    await engine.flush()
  }
  return {
    clock,
    history,
    lines,
    quotes,
    engine,
    fired,
    notices,
    receive,
    publish,
    learn,
    turnTo,
    changes: () => changes,
  }
}

/** `openAlerts` with one rule, to which these values were published. */
export async function openWithRule(draft: AlertDraft, ...values: readonly string[]) {
  const opened = await openAlerts()
  await opened.engine.create(draft, 'wait', undefined)
  for (const value of values) opened.publish(value)
  return opened
}

/** Counts a to z, then a1 to z1 and so on. */
function idAt(at: number): string {
  const round = Math.floor(at / 26)
  return String.fromCharCode(97 + (at % 26)) + (round === 0 ? '' : String(round))
}
