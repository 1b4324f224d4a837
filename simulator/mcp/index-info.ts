import { z } from 'zod'
import { resolutions } from '../../core/model'
import { findIndex } from '../catalogue'
import type { IndexDefinition } from '../index-definition'
import { detailOf } from '../reference-data'
import { indexArgument, tool, ToolError } from './tool'

const output = {
  id: z.string(),
  name: z.string(),
  decimals: z.number().int(),
  base: z.string().optional(),
  quote: z.string().optional(),
  demiseDateTime: z.string().optional(),
  maxResolution: z.enum(resolutions),
  underlyingAssetsType: z.enum(['SINGLE_ASSET', 'PORTFOLIO']),
  family: z.string().optional(),
  inceptionValue: z.number().optional(),
  publicationFrequency: z.string().optional(),
  publicationTime: z.string().optional(),
  publicationTimeZone: z.string().optional(),
  inceptionDateTime: z.string().optional(),
  launchDateTime: z.string().optional(),
  constituentExchanges: z.array(z.string()).optional(),
  methodology: z.string(),
}

/** `get_index_info`: reference data of an index and how it is calculated. */
export const indexInfo = tool(
  'get_index_info',
  {
    title: 'Index information',
    description: 'Index methodology and information',
    inputSchema: { index: indexArgument },
    outputSchema: output,
  },
  ({ index: id }) => {
    const index = findIndex(id)
    if (index === undefined) throw new ToolError(`Unknown id: ${id}`)
    return { ...withoutNulls(detailOf(index)), methodology: methodologyOf(index) }
  },
)

/** Omits what an index does not have. The forms of some clients cannot show a type that may be null. */
function withoutNulls(detail: object): object {
  return Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== null))
}

function methodologyOf({ underlying, schedule, constituents, base }: IndexDefinition): string {
  const when = 'dailyIn' in schedule ? `once a day at 16:00 in ${schedule.dailyIn}` : 'in real time'
  if ('basket' in underlying) {
    const by = constituents === 'withExchanges' ? ' The divisor is published with the constituents.' : ''
    return `Sum of the constituents' prices times their units, divided by a divisor, calculated ${when}.${by} Rebalances change units, members and divisor without changing the value.`
  }
  if (base === undefined) return `A rate or volatility, calculated ${when}.`
  return `Price of one unit from trades on the constituent exchanges, calculated ${when}.`
}
