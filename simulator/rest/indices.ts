import { catalogue, findIndex } from '../catalogue'
import { detailOf, summaryOf } from '../reference-data'
import type { Endpoint, RestResponse } from './endpoint'

/** An id in a path names a resource, so an unknown one is 404. */
const notFound: RestResponse = { status: 404, error: 'Unknown id' }

/** `GET indices`. */
export const indices: Endpoint = {
  path: 'indices',
  respond: () => ({ payload: catalogue.map(summaryOf) }),
}

/** `GET indices/{externalId}`. */
export const oneIndex: Endpoint = {
  path: 'indices/{externalId}',
  respond({ parameter }) {
    const index = findIndex(parameter)
    return index === undefined ? notFound : { payload: summaryOf(index) }
  },
}

/** `GET indices/{externalId}/detail`. */
export const indexDetail: Endpoint = {
  path: 'indices/{externalId}/detail',
  respond({ parameter }) {
    const index = findIndex(parameter)
    return index === undefined ? notFound : { payload: detailOf(index) }
  },
}
