import { findIndex } from '../catalogue'
import type { PublishedValue } from '../publications'
import { badResolution, requestedIndices, requestedResolution, unknownId, type Endpoint } from './endpoint'

/** `GET values`: the last hour of a real-time index, the last year of a daily one, ascending. */
export const values: Endpoint = {
  path: 'values',
  respond({ query, publications, nowMs }) {
    const resolution = requestedResolution(query)
    if (resolution === undefined) return badResolution
    const index = findIndex(query.get('id') ?? '')
    return index === undefined ? unknownId : { payload: publications.history(index, nowMs, resolution) }
  },
}

/** `GET latest_values`: the latest value of each of up to 30 ids, separated by commas. */
export const latestValues: Endpoint = {
  path: 'latest_values',
  respond({ query, publications, nowMs }) {
    const resolution = requestedResolution(query)
    if (resolution === undefined) return badResolution
    const indices = requestedIndices(query)
    if ('status' in indices) return indices
    const latest: Record<string, PublishedValue> = {}
    for (const index of indices) latest[index.id] = publications.latest(index, nowMs, resolution)
    return { payload: { latest_values: latest } }
  },
}
