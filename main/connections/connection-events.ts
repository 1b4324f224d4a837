import type { IndexId, Publication, Resolution } from '../../core/model'
import type { CaughtUp, StayedUnknown } from './catch-up'
import type { FeedEvents } from '../feed/session'

/** Events of all connections together. Their subscribers are connected in `app/`. */
export interface ConnectionEvents extends Pick<
  FeedEvents,
  'constituentsPublished' | 'conditionsPublished' | 'corporateActionPublished' | 'refused'
> {
  /** `resolution` is the frequency of the index. Undefined until its service has sent it. */
  published: { id: IndexId; publication: Publication; source: 'stream' | 'rest'; resolution: Resolution | undefined }
  /** The frequency of this index became known after its first values. */
  resolutionKnown: { id: IndexId; resolution: Resolution }
  /** Values that the stream had not delivered, ascending. Complete for their range. */
  caughtUp: CaughtUp
  /** All caught-up values have been passed to the history. */
  recorded: CaughtUp
  /** The service has no values for this range. */
  stayedUnknown: StayedUnknown
  /** The last 24 hours by REST, ascending. */
  dayFetched: { id: IndexId; publications: Publication[] }
  /** A connection is live and has subscribed to everything wanted of these indices. */
  wentLive: ReadonlySet<IndexId>
  /** The reason why the service refuses the values of this index has changed. */
  refusalChanged: IndexId
  /** Another connection now answers for these indices. Their current values came from the earlier one. */
  moved: readonly IndexId[]
  /** Each wanted index has been assigned to a connection. */
  assigned: null
  /** A message to show once. */
  notice: string
  statusChanged: null
  catalogueChanged: null
  toolsChanged: null
}
