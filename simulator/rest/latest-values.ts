import { findIndex } from '../catalogue'
import type { PublishedValue } from '../publications'
import { badResolution, resolutionAsked, unknownId, type Endpoint } from './endpoint'

/** Wire facts 2.2. */
const mostIds = 30

/** `GET latest_values`: the latest value of each of up to 30 ids, separated by commas. */
export const latestValues: Endpoint = {
  path: 'latest_values',
  answer({ query, publications, nowMs }) {
    const resolution = resolutionAsked(query)
    if (resolution === undefined) return badResolution
    const ids = (query.get('id') ?? '').split(',')
    if (ids.length > mostIds) return { status: 400, error: `At most ${mostIds} ids` }
    const latest: Record<string, PublishedValue> = {}
    for (const id of ids) {
      const index = findIndex(id)
      if (index === undefined) return unknownId
      latest[id] = publications.latest(index, nowMs, resolution)
    }
    return { payload: { latest_values: latest } }
  },
}
