import type { RequestedResolution } from '../../core/model'
import { findIndex } from '../catalogue'
import type { IndexDefinition } from '../index-definition'
import type { PublishedValue } from '../publications'
import {
  badResolution,
  requestedIndices,
  requestedResolution,
  unknownId,
  type Endpoint,
  type RestRequest,
} from './endpoint'

const dayMs = 86_400_000

/** The latest value and those of the last 24 hours, ascending: one a minute, or all of a slower index. */
interface Summary extends PublishedValue {
  readonly last24Hours: readonly PublishedValue[]
}

/** `GET summary` of one index (wire facts 2.2). */
export const summary: Endpoint = {
  path: 'summary',
  respond(request) {
    const resolution = requestedResolution(request.query)
    if (resolution === undefined) return badResolution
    const index = findIndex(request.query.get('id') ?? '')
    return index === undefined ? unknownId : { payload: summaryOf(request, index, resolution) }
  },
}

/** `GET summaries` of up to 30 ids, separated by commas (docs/development/decisions/0007-where-the-spec-is-silent.md). */
export const summaries: Endpoint = {
  path: 'summaries',
  respond(request) {
    const resolution = requestedResolution(request.query)
    if (resolution === undefined) return badResolution
    const indices = requestedIndices(request.query)
    if ('status' in indices) return indices
    const all = indices.map((index) => [index.id, summaryOf(request, index, resolution)] as const)
    return { payload: { summaries: Object.fromEntries(all) } }
  },
}

function summaryOf(
  { publications, nowMs }: RestRequest,
  index: IndexDefinition,
  resolution: RequestedResolution,
): Summary {
  return {
    ...publications.latest(index, nowMs, resolution),
    last24Hours: publications.minutes(index, nowMs, dayMs),
  }
}
