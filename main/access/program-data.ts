import type { AlertEvaluation, InboxPage, InboxQuery, PastExplanation } from '../../core/alert-events'
import type { AlertDraft, AlertRule, RuleValidity } from '../../core/alerts'
import type { AlertPhase } from '../../core/evaluation/state'
import type { AmendmentPage, AmendmentCursor, ValueAt } from '../../protocol/history'
import {
  failure,
  ok,
  type ConstituentsPublication,
  type IndexId,
  type IndexInfo,
  type Outcome,
  type Resolution,
  type Watchlist,
} from '../../core/model'
import { quoteRecord, type KnownQuote } from '../../core/records'
import type { Judging } from '../../protocol/judging'
import type { ConnectionView } from '../../protocol/responses'
import { sanitizeText } from '../base/sanitize'
import type { HistoryAccess } from '../history-store/contract'

/** A rule with its state, if known. */
interface RuleWithPhase extends AlertRule {
  phase?: AlertPhase
  reach?: RuleValidity
}

/** A proposal of this run of the app and the user's decision. */
export interface ProposalState {
  id: string
  words: string
  state: 'waiting' | 'accepted' | 'declined'
}

/** The data that assistants' tools read, from the running app or from the history on disk. */
export interface ProgramData {
  answeredBy: 'app' | 'history'
  /** True if the values are from the demo service. */
  isDemo: boolean
  nowMs: number
  watchlists: readonly Watchlist[]
  catalogue: readonly IndexInfo[]
  connections: readonly ConnectionView[]
  rules: readonly RuleWithPhase[]
  proposals: readonly ProposalState[]
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

export const assistantsOff = failure(
  'assistantsOff',
  'Assistants are turned off in Indexwatch. The user can turn them on in Settings, Assistants.',
)

/** The indices in these lists, each once. */
export function idsIn(lists: readonly Watchlist[]): Set<IndexId> {
  return new Set(lists.flatMap(({ entries }) => entries.map(({ id }) => id)))
}

/** Lists with exactly this name. If there are none, lists with this name in another case. Problem `notFound`. */
export function listsNamed(lists: readonly Watchlist[], name: string): Outcome<readonly Watchlist[]> {
  const exact = lists.filter((list) => list.name === name)
  const found = exact.length > 0 ? exact : lists.filter((list) => list.name.toLowerCase() === name.toLowerCase())
  if (found.length > 0) return ok(found)
  const names = lists.map((list) => `“${sanitizeText(list.name)}”`).join(', ')
  return failure('notFound', `There is no watchlist “${sanitizeText(name, 60)}”. Choose one of: ${names}.`)
}

/** The latest values of these indices as records. */
export function latestRecords(
  data: Pick<ProgramData, 'catalogue' | 'isDemo' | 'latest' | 'refusal' | 'resolutionOf'>,
  ids: Iterable<IndexId>,
) {
  const names = new Map(data.catalogue.map((index) => [index.id, index.name]))
  return [...ids].map((id) =>
    quoteRecord({
      id,
      name: names.get(id),
      quote: data.latest(id),
      frequency: data.resolutionOf(id),
      isDemo: data.isDemo,
      refusal: data.refusal(id),
    }),
  )
}
