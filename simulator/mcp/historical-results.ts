import { z } from 'zod'
import { findIndex } from '../catalogue'
import { historySpanMs } from '../schedule'
import { indexArgument, tool, type ToolSources } from './tool'

const maxLookups = 100
const dayMs = 86_400_000

const lookup = z.object({
  index: indexArgument,
  datetime: z.iso.datetime({ offset: true }).describe('ISO 8601 with a zone, such as "2026-11-20T16:00:00Z"'),
})

const result = lookup.extend({
  time: z.number().optional().describe('Calculation time, milliseconds since the Unix epoch'),
  value: z.string().optional().describe('A decimal, possibly in scientific notation'),
  amendTime: z.number().optional(),
  repeatOfPreviousValue: z.literal(true).optional(),
  error: z.string().optional().describe('Why there is no value for this lookup'),
})

/**
 * `get_historical_results`: the most recent value at each requested moment. A failed lookup does not affect the others.
 */
export const historicalResults = tool(
  'get_historical_results',
  {
    title: 'Historical results',
    description: 'Historical publishable index values for one or more (index, datetime) lookups',
    inputSchema: { lookups: z.array(lookup).min(1).max(maxLookups) },
    outputSchema: { results: z.array(result) },
  },
  ({ lookups }, sources) => ({ results: lookups.map((one) => ({ ...one, ...valueOf(one, sources) })) }),
)

function valueOf({ index: id, datetime }: z.infer<typeof lookup>, { publications, nowMs }: ToolSources): object {
  const index = findIndex(id)
  if (index === undefined) return { error: 'Unknown id' }
  const timeMs = Date.parse(datetime)
  if (timeMs > nowMs) return { error: 'Not yet published' }
  // A daily index reaches back as far as `values`. A real-time index reaches back a day, like the service's history.
  const spanMs = Math.max(historySpanMs(index.schedule), dayMs)
  if (timeMs < nowMs - spanMs) return { error: 'Before the history of this index' }
  return publications.asOf(index, timeMs, nowMs)
}
