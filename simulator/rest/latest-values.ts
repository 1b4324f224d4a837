import type { PublishedValue } from '../publications'
import { badResolution, idsAsked, resolutionAsked, type Endpoint } from './endpoint'

/** `GET latest_values`: the latest value of each of up to 30 ids, separated by commas. */
export const latestValues: Endpoint = {
  path: 'latest_values',
  answer({ query, publications, nowMs }) {
    const resolution = resolutionAsked(query)
    if (resolution === undefined) return badResolution
    const asked = idsAsked(query)
    if ('status' in asked) return asked
    const latest: Record<string, PublishedValue> = {}
    for (const index of asked) latest[index.id] = publications.latest(index, nowMs, resolution)
    return { payload: { latest_values: latest } }
  },
}
