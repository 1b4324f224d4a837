import type { IndexId, Publication, Resolution } from '../../core/model'
import type { CaughtUp, StayedUnknown } from './catch-up'
import type { FeedEvents } from '../feed/session'

/** What all connections together report. Whoever needs it is connected in `app/`. */
export interface ConnectionEvents extends Pick<
  FeedEvents,
  'constituentsPublished' | 'conditionsPublished' | 'corporateActionPublished' | 'refused'
> {
  /** `resolution` is how often the index publishes, as soon as its service has said so. */
  published: { id: IndexId; publication: Publication; source: 'stream' | 'rest'; resolution: Resolution | undefined }
  /** It is known from now on how often this index publishes; values of it came before. */
  resolutionKnown: { id: IndexId; resolution: Resolution }
  /** What the stream had not brought, ascending: all the service has of a stretch of time. */
  caughtUp: CaughtUp
  /** What was caught up has been handed to the history, all of it. */
  recorded: CaughtUp
  /** What was published in a stretch of time stays unknown: nobody can say. */
  stayedUnknown: StayedUnknown
  /** The last 24 hours by REST, ascending. */
  dayFetched: { id: IndexId; publications: Publication[] }
  /** A connection is live and has asked for everything that is wanted of these indices. */
  wentLive: ReadonlySet<IndexId>
  /** Why the service refuses the values of this index is different now. */
  refusalChanged: IndexId
  /** Another connection answers for these from now on: what is held of them came from an earlier one. */
  moved: readonly IndexId[]
  /** Every wanted index has been given to the connection that answers for it. */
  assigned: null
  /** A sentence the user should read once. */
  notice: string
  statusChanged: null
  catalogueChanged: null
  toolsChanged: null
}
