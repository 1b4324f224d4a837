import type { RequestedResolution } from '../../protocol/model'
import { latestValuesLimit } from '../../protocol/rest'
import { findIndex } from '../catalogue'
import type { IndexDefinition } from '../index-definition'
import type { Publications } from '../publications'

/** A question as an endpoint sees it. */
export interface RestQuestion {
  /** What stood in the place of the path's `{…}`. */
  readonly parameter: string
  /** The query; no name occurs twice. */
  readonly query: URLSearchParams
  readonly publications: Publications
  readonly seed: number
  /** The time of the market. */
  readonly nowMs: number
}

export interface RestRefusal {
  readonly status: number
  readonly error: string
}

export type RestAnswer = { readonly payload: unknown } | RestRefusal

/** One REST path. A further one is one more file with a value of this shape, named in `endpoints.ts`. */
export interface Endpoint {
  /** What follows `/api/v1/`; a segment in braces stands for any one segment. */
  readonly path: string
  answer(question: RestQuestion): RestAnswer
}

/** An id the key has no index for: the same answer whether it does not exist or is not allowed (wire facts 2.3). */
export const unknownId: RestRefusal = { status: 400, error: 'Unknown id' }

/** An answer for what `maxResolution` must not be. */
export const badResolution: RestRefusal = { status: 400, error: 'maxResolution must be PER_SECOND or PER_200MS' }

/** The query's `maxResolution` (spec 4.2): second boundaries unless asked otherwise; `undefined` for any other value. */
export function resolutionAsked(query: URLSearchParams): RequestedResolution | undefined {
  const asked = query.get('maxResolution') ?? 'PER_SECOND'
  return asked === 'PER_SECOND' || asked === 'PER_200MS' ? asked : undefined
}

/** The indices of a query that names several ids, separated by commas (wire facts 2.2); one unknown id fails them all. */
export function idsAsked(query: URLSearchParams): IndexDefinition[] | RestRefusal {
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
