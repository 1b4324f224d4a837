import type { RequestedResolution } from '../../core/model'
import { latestValuesLimit } from '../../protocol/rest'
import { findIndex } from '../catalogue'
import type { IndexDefinition } from '../index-definition'
import type { RefusalStatus } from '../listener'
import type { Publications } from '../publications'

/** A request as an endpoint receives it. */
export interface RestRequest {
  /** The value of the path's `{…}`. */
  readonly parameter: string
  /** The query; no name occurs twice. */
  readonly query: URLSearchParams
  readonly publications: Publications
  readonly seed: number
  /** The time of the market. */
  readonly nowMs: number
}

export interface RestRefusal {
  readonly status: RefusalStatus
  readonly error: string
}

export type RestResponse = { readonly payload: unknown } | RestRefusal

/** One REST path. A further one is one more value of this shape, listed in `router.ts`. */
export interface Endpoint {
  /** What follows `/api/v1/`; a segment in braces stands for any one segment. */
  readonly path: string
  respond(request: RestRequest): RestResponse
}

/** An id without an index for this key: the same response whether it does not exist or is not allowed (wire facts 2.3). */
export const unknownId: RestRefusal = { status: 400, error: 'Unknown id' }

/** The response to an invalid `maxResolution`. */
export const badResolution: RestRefusal = { status: 400, error: 'maxResolution must be PER_SECOND or PER_200MS' }

/** The query's `maxResolution` (spec 4.2): second boundaries by default; `undefined` for an invalid value. */
export function requestedResolution(query: URLSearchParams): RequestedResolution | undefined {
  const text = query.get('maxResolution') ?? 'PER_SECOND'
  return text === 'PER_SECOND' || text === 'PER_200MS' ? text : undefined
}

/** The indices of a query that names several ids, separated by commas (wire facts 2.2); one unknown id fails them all. */
export function requestedIndices(query: URLSearchParams): IndexDefinition[] | RestRefusal {
  const ids = (query.get('id') ?? '').split(',')
  if (ids.length > latestValuesLimit) return { status: 400, error: `At most ${latestValuesLimit} ids` }
  const found: IndexDefinition[] = []
  for (const id of ids) {
    const index = findIndex(id)
    if (index === undefined) return unknownId
    found.push(index)
  }
  return found
}
