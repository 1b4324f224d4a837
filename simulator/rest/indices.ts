import type { IndexSummaryPayload } from '../../protocol/rest'
import { catalogue, findIndex, type IndexDefinition } from '../catalogue'
import { resolutionOf } from '../schedule'
import type { Endpoint } from './endpoint'

/** Reference data of an index; `base` and `quote` are left out when there is none (spec 2.7). */
function summary({ id, name, decimals, base, quote, schedule }: IndexDefinition): IndexSummaryPayload {
  return {
    ...{ id, name, decimals },
    ...(base !== undefined && { base }),
    ...(quote !== undefined && { quote }),
    demiseDateTime: null,
    maxResolution: resolutionOf(schedule),
  }
}

/** `GET indices`. */
export const indices: Endpoint = {
  path: 'indices',
  answer: () => ({ payload: catalogue.map(summary) }),
}

/** `GET indices/{externalId}`. */
export const oneIndex: Endpoint = {
  path: 'indices/{externalId}',
  answer({ parameter }) {
    const index = findIndex(parameter)
    return index === undefined ? { status: 404, error: 'Unknown id' } : { payload: summary(index) }
  },
}
