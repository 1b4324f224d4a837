import { forIndex, forIndices, type Endpoint, type Payload } from './endpoint'

const dayMs = 86_400_000

/** The latest value and those of the last 24 hours, ascending: one a minute, or all if the index is slower. */
const summaryOf: Payload = ({ publications, nowMs }, index, resolution) => ({
  ...publications.latest(index, nowMs, resolution),
  last24Hours: publications.minutes(index, nowMs, dayMs),
})

/**
 * The values of an index (protocol, 4.2). docs/development/decisions/0007-where-the-spec-is-silent.md explains requests
 * for several ids.
 */
export const valueEndpoints: readonly Endpoint[] = [
  // The last hour of a real-time index, the last year of a daily one, ascending.
  forIndex('values', ({ publications, nowMs }, index, resolution) => publications.history(index, nowMs, resolution)),
  forIndices('latest_values', ({ publications, nowMs }, index, resolution) =>
    publications.latest(index, nowMs, resolution),
  ),
  forIndex('summary', summaryOf),
  forIndices('summaries', summaryOf),
]
