/** The latest value of an index, for programs, from the running app. */
import { serviceIds } from '../../core/formula-id'
import { isStale } from '../../core/freshness'
import type { IndexId, Resolution } from '../../core/model'
import type { KnownQuote } from '../../core/records'
import type { OpenedIndex } from '../../protocol/desktop'
import type { Diagnostics } from '../../protocol/responses'
import type { AlertEngine } from '../alerts/engine'
import type { Judging } from '../alerts/judging'
import type { Clock } from '../base/clock'
import type { Connections } from '../connections/connections'
import type { IndexPage } from '../index-page/index-page'
import type { QuoteData } from '../quotes/quote-data'
import type { SettingsStore } from '../storage/settings'
import type { HistoryStore } from '../history-store/history-store'

/** The open index pages, that of the main window first. */
export interface OpenPages {
  all: () => readonly IndexPage[]
  /** What the open page of this index shows. Undefined if there is none. */
  viewOf: (id: IndexId) => OpenedIndex | undefined
}

/** Where programs' data comes from. */
export interface Owners {
  clock: Clock
  appVersion: string
  settings: SettingsStore
  quotes: QuoteData
  alerts: AlertEngine
  judging: Judging
  connections: Connections
  pages: OpenPages
  history: HistoryStore
  diagnostics: () => Diagnostics
}

/** Assumed if the frequency is unknown, so that an old value never looks live. */
export const fastest: Resolution = 'PER_SECOND'

export function latestQuote(owners: Pick<Owners, 'connections' | 'quotes'>, id: IndexId): KnownQuote | undefined {
  const { connections, quotes } = owners
  const quote = quotes.store.get(id)
  if (quote === undefined) return undefined
  return {
    ...quote,
    ageMs: quotes.store.ageMs(id) ?? 0,
    isStale: isStaleIndex(owners, id, fastest),
    connection: quote.source === 'cache' ? undefined : connections.originOf(id).connection,
    reference: quotes.pastValues.facts(id).reference,
  }
}

/**
 * Whether the latest value of an index, or of a part of a formula, is stale. `assumed` is used if the frequency is
 * unknown. Without it such a value never becomes stale.
 */
export function isStaleIndex(
  { connections, quotes }: Pick<Owners, 'connections' | 'quotes'>,
  id: IndexId,
  assumed?: Resolution,
): boolean {
  return serviceIds(id).some((each) =>
    isStale(quotes.store.ageMs(each) ?? 0, connections.resolutionOf(each) ?? assumed),
  )
}
