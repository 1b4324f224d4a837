import { findIndex } from '../catalogue'
import { badResolution, resolutionAsked, unknownId, type Endpoint } from './endpoint'

/** `GET values`: the last hour of a real-time index, the last year of a daily one, ascending. */
export const values: Endpoint = {
  path: 'values',
  answer({ query, publications, nowMs }) {
    const resolution = resolutionAsked(query)
    if (resolution === undefined) return badResolution
    const index = findIndex(query.get('id') ?? '')
    return index === undefined ? unknownId : { payload: publications.history(index, nowMs, resolution) }
  },
}
