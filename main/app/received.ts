import { formulaParts } from '../../core/formula-id'
import type { IndexId } from '../../core/model'
import type { AlertEngine } from '../alerts/engine'
import type { Clock } from '../base/clock'
import type { Emitter } from '../base/emitter'
import { isFarFuture, noSource, type Source } from '../../core/publication'
import type { CaughtUp } from '../connections/catch-up'
import type { LookedUpValues } from '../connections/tool-calls'
import type { ConnectionEvents } from '../connections/connection-events'
import type { ServiceConnection } from '../connections/service-connection'
import type { OpenPages } from '../access/latest'
import type { IndexPage } from '../index-page/index-page'
import type { QuoteData } from '../quotes/quote-data'
import type { HistoryAccess, StoredValue } from '../history-store/contract'

interface Receivers {
  clock: Clock
  history: Pick<HistoryAccess, 'append' | 'commit'>
  quotes: Pick<QuoteData, 'store' | 'pastValues' | 'demote'>
  pages: Pick<OpenPages, 'all'>
  /** Rules on constituents, market conditions and corporate actions work without an open page. */
  rules: Pick<
    AlertEngine,
    'considerConstituents' | 'considerConditions' | 'considerCorporateAction' | 'learnedLate' | 'notKnown'
  >
}

/**
 * Delivers what connections receive to its owners. This is the only place where data enters the app. Rules are told
 * before the page, so no alert waits for the page.
 */
export function distribute(
  events: Emitter<ConnectionEvents>,
  { clock, history, quotes, pages, rules }: Receivers,
  connectionOf: (id: IndexId) => ServiceConnection | undefined,
): void {
  const { store, pastValues } = quotes
  const sourceOf = sourcesOf(connectionOf)
  events.on('published', ({ id, publication, source, resolution }) => {
    const isTaken = !isFarFuture(publication, clock.serviceMs()) && publication.isFilling !== true
    const by = sourceOf(id)
    // First, so that the events of rules on this value are recorded with it.
    if (isTaken) {
      const value: StoredValue = {
        ...publication,
        id,
        learnedAtMs: clock.wallMs(),
        origin: source,
        connection: by.name,
      }
      if (by.id !== '') value.connectionId = by.id
      history.append([value])
      // Changes are not computed against a value of another source.
      if (store.isOfOther(id, by)) pastValues.forget(id)
    }
    store.apply(id, publication, source, by)
    if (isTaken && source === 'stream' && resolution !== undefined) pastValues.add(id, publication, resolution)
  })
  events.on('resolutionKnown', ({ id, resolution }) => {
    const quote = store.get(id)
    if (quote !== undefined) pastValues.add(id, quote, resolution)
  })
  events.on('caughtUp', (caughtUp) => {
    const { id, publications, resolution } = caughtUp
    const by = sourceOf(id)
    if (!store.isOfOther(id, by)) pastValues.restore(id, publications, resolution)
    void record({ history, rules }, caughtUp, { by, learnedAtMs: clock.wallMs() }).then(() =>
      events.emit('recorded', caughtUp),
    )
  })
  events.on('stayedUnknown', ({ id, fromMs, toMs, isForNow }) => {
    const span = { id, fromMs, toMs, state: 'unknown', askedAtMs: clock.wallMs() } as const
    // A range recorded in the history is not requested again.
    if (isForNow !== true) void history.commit({ spans: [span] })
    rules.notKnown(id, { fromMs, toMs })
  })
  events.on('dayFetched', ({ id, publications }) => pastValues.restoreDay(id, publications))
  events.on('moved', (ids) => quotes.demote(ids))
  events.on('constituentsPublished', (event) => {
    rules.considerConstituents(event.id, event.publication, sourceOf(event.id))
    for (const page of pages.all()) page.constituentsPublished(event)
  })
  events.on('conditionsPublished', (event) => {
    rules.considerConditions(event.id, event.publication, sourceOf(event.id))
    for (const page of pages.all()) page.conditionsPublished(event)
  })
  events.on('corporateActionPublished', (event) => {
    rules.considerCorporateAction(event.id, event.action, sourceOf(event.id))
    for (const page of pages.all()) page.corporateActionPublished(event)
  })
  events.on('refused', (refusal) => {
    for (const page of pages.all()) page.refused(refusal)
  })
  events.on('wentLive', (ids) => {
    // An open page's index may belong to another connection.
    for (const page of pages.all()) if (page.id !== undefined && ids.has(page.id)) page.connected()
  })
  followPages(events, pages, connectionOf)
}

/**
 * Records what a tool looked up as past values, never as live ones. Only for indices that the tool's connection answers
 * for, so that no service writes another's history.
 */
export async function recordLookedUp(
  { clock, history, rules }: Pick<Receivers, 'clock' | 'history'> & { rules: Pick<AlertEngine, 'learnedLate'> },
  { connectionId, connection, values }: LookedUpValues,
  ownerOf: (id: IndexId) => string | undefined,
  isAhead: (id: IndexId, publishedAtMs: number) => boolean,
): Promise<void> {
  const by = { id: connectionId, name: connection }
  for (const [id, publications] of values) {
    const past = publications.filter((publication) => {
      return !isFarFuture(publication, clock.serviceMs()) && !isAhead(id, publication.publishedAtMs)
    })
    if (past.length === 0 || ownerOf(id) !== connectionId) continue
    const learned = { id, learnedAtMs: clock.wallMs(), origin: 'tool', ...recordedAs(by) } as const
    const committed = history.commit({ values: past.map((publication) => ({ ...publication, ...learned })) })
    rules.learnedLate(id, past, committed, by)
    await committed
  }
}

/**
 * Returns the source of an index's values, always the same object for the same source. The source of a formula combines
 * those of its parts.
 */
function sourcesOf(connectionOf: (id: IndexId) => ServiceConnection | undefined): (id: IndexId) => Source {
  const ofFormulas = new Map<string, Source>()
  return (id) => {
    const parts = formulaParts(id)
    if (parts.length === 0) return connectionOf(id)?.origin ?? noSource
    const sources = [...new Set(parts.map((part) => connectionOf(part)?.origin ?? noSource))]
    const [first = noSource] = sources
    if (sources.length < 2) return first
    const key = sources.map((source) => source.id).join(' ')
    const known = ofFormulas.get(key) ?? { id: key, name: sources.map(({ name }) => name).join(', ') }
    ofFormulas.set(key, known)
    return known
  }
}

function recordedAs({ id, name }: Source): Pick<StoredValue, 'connection' | 'connectionId'> {
  return { connection: name, ...(id !== '' && { connectionId: id }) }
}

/** Records caught-up values, and tells the rules. */
async function record(
  { history, rules }: Pick<Receivers, 'history' | 'rules'>,
  { id, publications, origin, fromMs, toMs }: CaughtUp,
  { by, learnedAtMs }: { by: Source; learnedAtMs: number },
): Promise<void> {
  const values = publications.map((publication) => ({ ...publication, id, learnedAtMs, origin, ...recordedAs(by) }))
  const spans = [{ id, fromMs, toMs, state: 'answered', askedAtMs: learnedAtMs } as const]
  const committed = history.commit({ values, spans })
  rules.learnedLate(id, publications, committed, by)
  await committed
}

/** The index of an open page may move to a connection that has long been live. */
function followPages(
  events: Emitter<ConnectionEvents>,
  pages: Receivers['pages'],
  connectionOf: (id: IndexId) => ServiceConnection | undefined,
): void {
  const last = new WeakMap<IndexPage, { id: IndexId | undefined; connection: ServiceConnection | undefined }>()
  events.on('assigned', () => {
    for (const page of pages.all()) {
      const before = last.get(page)
      const connection = page.id === undefined ? undefined : connectionOf(page.id)
      last.set(page, { id: page.id, connection: connection ?? before?.connection })
      if (before === undefined || page.id !== before.id) continue
      if (connection === undefined || connection === before.connection) continue
      page.serviceChanged()
      if (connection.status.state === 'live') page.connected()
    }
  })
}
