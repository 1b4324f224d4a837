import type { AlertEvaluation, InboxPage, InboxQuery, PastExplanation } from '../../core/alert-events'
import type { AlertDraft, AlertRule, RuleReach } from '../../core/alerts'
import type { AlertPhase } from '../../core/evaluation/state'
import type { AmendmentPage, AmendmentCursor, ValueAt } from '../../protocol/history'
import type {
  ConstituentsPublication,
  IndexId,
  IndexInfo,
  Outcome,
  Publication,
  Resolution,
  Watchlist,
} from '../../core/model'
import type { Judging } from '../../protocol/judging'
import type { ConnectionView } from '../../protocol/responses'
import type { TapeAccess } from '../tape/contract'

/** Where a value is known from: received in this run, or kept on the tape. */
type KnownSource = 'stream' | 'rest' | 'history'

/** The latest value of an index. */
export interface KnownValue extends Publication {
  source: KnownSource
  ageMs: number
  /** Name of the connection it came by. */
  connection?: string
  isStale: boolean
}

/** A rule as far as its state is known. */
interface KnownRule extends AlertRule {
  phase?: AlertPhase
  reach?: RuleReach
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
  tape: Pick<TapeAccess, 'ask'>
  latest: (id: IndexId) => KnownValue | undefined
  resolutionOf: (id: IndexId) => Resolution | undefined
  /** Why its service refused an index, in its own words. */
  refusal: (id: IndexId) => string | undefined
  constituents: (id: IndexId) => Promise<{ publication: ConstituentsPublication; source: KnownSource } | undefined>
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
