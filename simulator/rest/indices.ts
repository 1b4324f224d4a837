import { catalogue, findIndex } from '../catalogue'
import type { IndexDefinition } from '../index-definition'
import { detailOf, summaryOf } from '../reference-data'
import type { Endpoint } from './endpoint'

/** `GET indices`, and for each index its list entry and its reference data. */
export const indexEndpoints: readonly Endpoint[] = [
  { path: 'indices', respond: () => ({ payload: catalogue.map(summaryOf) }) },
  forNamed('indices/{externalId}', summaryOf),
  forNamed('indices/{externalId}/detail', detailOf),
]

/** An id in a path names a resource, so an unknown one is 404. */
function forNamed(path: string, payload: (index: IndexDefinition) => unknown): Endpoint {
  return {
    path,
    respond({ parameter }) {
      const index = findIndex(parameter)
      return index === undefined ? { status: 404, error: 'Unknown id' } : { payload: payload(index) }
    },
  }
}
