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
  /** The query. Each name occurs once. */
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

/** One REST path. Add others as further values of this shape, listed in `router.ts`. */
export interface Endpoint {
  /** The path after `/api/v1/`. A segment in braces matches any one segment. */
  readonly path: string
  respond(request: RestRequest): RestResponse
}

/**
 * No index with this id for this key. The response is the same if the id does not exist or is not allowed (protocol,
 * 7).
 */
export const unknownId: RestRefusal = { status: 400, error: 'Unknown id' }

const badResolution: RestRefusal = { status: 400, error: 'maxResolution must be PER_SECOND or PER_200MS' }

/** Returns the answer for an index. */
export type Payload = (request: RestRequest, index: IndexDefinition, resolution: RequestedResolution) => unknown

/** A path for the index that the query names, and the `maxResolution` it asks for. */
export function forIndex(path: string, payload: Payload): Endpoint {
  return withResolution(path, (request, resolution) => {
    const index = findIndex(request.query.get('id') ?? '')
    return index === undefined ? unknownId : { payload: payload(request, index, resolution) }
  })
}

/** `forIndex` for up to 30 ids, separated by commas (protocol, 4.2). One unknown id fails the request. */
export function forIndices(path: string, payload: Payload): Endpoint {
  return withResolution(path, (request, resolution) => {
    const ids = (request.query.get('id') ?? '').split(',')
    if (ids.length > latestValuesLimit) return { status: 400, error: `At most ${latestValuesLimit} ids` }
    const found = ids.flatMap((id) => findIndex(id) ?? [])
    if (found.length < ids.length) return unknownId
    const all = found.map((index) => [index.id, payload(request, index, resolution)])
    return { payload: { [path]: Object.fromEntries(all) as object } }
  })
}

/** `maxResolution` (protocol, 4.2): second boundaries by default. */
function withResolution(
  path: string,
  respond: (request: RestRequest, resolution: RequestedResolution) => RestResponse,
): Endpoint {
  return {
    path,
    respond(request) {
      const text = request.query.get('maxResolution') ?? 'PER_SECOND'
      return text === 'PER_SECOND' || text === 'PER_200MS' ? respond(request, text) : badResolution
    },
  }
}
