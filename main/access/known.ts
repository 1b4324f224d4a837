import type { AlertEvaluation, InboxPage, InboxQuery, PastExplanation } from '../../core/alert-events'
import type { AlertDraft, AlertRule, RuleValidity } from '../../core/alerts'
import type { AlertPhase } from '../../core/evaluation/state'
import type { AmendmentPage, AmendmentCursor, ValueAt } from '../../protocol/history'
import type { ConstituentsPublication, IndexId, IndexInfo, Outcome, Resolution, Watchlist } from '../../core/model'
import { quoteRecord, type KnownQuote } from '../../core/records'
import type { Judging } from '../../protocol/judging'
import type { ConnectionView } from '../../protocol/responses'
import type { HistoryAccess } from '../history-store/contract'

/** A rule with its state, if known. */
interface KnownRule extends AlertRule {
  phase?: AlertPhase
  reach?: RuleValidity
}

/** A proposal of this run of the app and the user's decision. */
export interface KnownProposal {
  id: string
  words: string
  state: 'waiting' | 'accepted' | 'declined'
}

/** The data that assistants' tools read, from the running app or from the history on disk. */
export interface Known {
  answeredBy: 'app' | 'history'
  /** True if the values are from the demo service. */
  isDemo: boolean
  nowMs: number
  watchlists: readonly Watchlist[]
  catalogue: readonly IndexInfo[]
  connections: readonly ConnectionView[]
  rules: readonly KnownRule[]
  proposals: readonly KnownProposal[]
  /** Whether the running app checks alerts. */
  judging?: Judging
  history: Pick<HistoryAccess, 'query'>
  latest: (id: IndexId) => KnownQuote | undefined
  resolutionOf: (id: IndexId) => Resolution | undefined
  /** The service's reason for refusing an index. */
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
  /** The last evaluations of a rule in this run, newest first. Undefined if the app is not running. */
  explain: (ruleId: string) => readonly AlertEvaluation[] | undefined
  explainAt: (ruleId: string, atMs: number) => Promise<Outcome<PastExplanation>>
  /** Shows a proposed alert to the user. Returns the id of the proposal. */
  propose: (draft: AlertDraft) => Outcome<string>
}

/** The indices in these lists, each once. */
export function idsIn(lists: readonly Watchlist[]): Set<IndexId> {
  return new Set(lists.flatMap(({ entries }) => entries.map(({ id }) => id)))
}

/** The latest values of these indices as records. */
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
