import type { Endpoint } from './endpoint'
import { indexDetail, indices, oneIndex } from './indices'
import { latestValues } from './latest-values'
import { stats } from './stats'
import { summaries, summary } from './summary'
import { values } from './values'

/** Every REST path (spec 4.2). */
export const endpoints: readonly Endpoint[] = [
  indices,
  oneIndex,
  indexDetail,
  values,
  latestValues,
  summary,
  summaries,
  stats,
]
