import type { AlertEvaluation, InboxPage, InboxQuery, PastExplanation } from '../../core/alert-events'
import type { AlertDraft, AlertRule, RuleValidity } from '../../core/alerts'
import type { AlertPhase } from '../../core/evaluation/state'
import type { AmendmentPage, AmendmentCursor, ValueAt } from '../../protocol/history'
import type { ConstituentsPublication, IndexId, IndexInfo, Outcome, Resolution, Watchlist } from '../../core/model'
import { quoteRecord, type KnownQuote } from '../../core/records'
import type { Judging } from '../../protocol/judging'
import type { ConnectionView } from '../../protocol/responses'
import type { HistoryAccess } from '../history-store/contract'

/** A rule as far as its state is known. */
interface KnownRule extends AlertRule {
  phase?: AlertPhase
  reach?: RuleValidity
}

/** What became of a proposal in this run of the app. */
export interface KnownProposal {
  id: string
  words: string
  state: 'waiting' | 'accepted' | 'declined'
}

/** All that assistants are answered from: the running app, or the history on the disk while it is closed. */
export interface Known {
  answeredBy: 'app' | 'history'
  /** The values are the demo service's. */
  isDemo: boolean
  nowMs: number
  watchlists: readonly Watchlist[]
  catalogue: readonly IndexInfo[]
  connections: readonly ConnectionView[]
  rules: readonly KnownRule[]
  proposals: readonly KnownProposal[]
  /** Whether alerts are judged, by the app that runs. */
  judging?: Judging
  history: Pick<HistoryAccess, 'query'>
  latest: (id: IndexId) => KnownQuote | undefined
  resolutionOf: (id: IndexId) => Resolution | undefined
  /** Why its service refused an index, in its own words. */
  refusal: (id: IndexId) => string | undefined
  constituents: (
    id: IndexId,
  ) => Promise<{ publication: ConstituentsPublication; source: 'stream' | 'history' } | undefined>
  valueAt: (id: IndexId, atMs: number) => Promise<Outcome<ValueAt>>
  amendments: (
    wanted: { indexId?: IndexId | undefined; before?: AmendmentCursor | undefined },
    limit: number,
  ) => Promise<Outcome<AmendmentPage>>
  events: (query: InboxQuery) => Promise<Outcome<InboxPage>>
  /** The last evaluations of a rule in this run, newest first; `undefined`: it is not running. */
  explain: (ruleId: string) => readonly AlertEvaluation[] | undefined
  explainAt: (ruleId: string, atMs: number) => Promise<Outcome<PastExplanation>>
  /** Puts an alert before the user; answers the id of the proposal. */
  propose: (draft: AlertDraft) => Outcome<string>
}

/** The indices in these lists, each once. */
export function idsIn(lists: readonly Watchlist[]): Set<IndexId> {
  return new Set(lists.flatMap(({ entries }) => entries.map(({ id }) => id)))
}

/** The latest values of these indices, as programs are told. */
export function latestRecords(
  known: Pick<Known, 'catalogue' | 'isDemo' | 'latest' | 'refusal' | 'resolutionOf'>,
  ids: Iterable<IndexId>,
) {
  const names = new Map(known.catalogue.map((index) => [index.id, index.name]))
  return [...ids].map((id) =>
    quoteRecord({
      id,
      name: names.get(id),
      quote: known.latest(id),
      frequency: known.resolutionOf(id),
      isDemo: known.isDemo,
      refusal: known.refusal(id),
    }),
  )
}
