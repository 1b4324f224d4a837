import { z } from 'zod'
import { resolutions } from '../../protocol/model'
import { findIndex } from '../catalogue'
import type { IndexDefinition } from '../index-definition'
import { detailOf } from '../reference-data'
import { indexArgument, readOnly, resultOf, ToolError, type AddTool } from './tool'

const text = z.string().nullable()

const output = {
  id: z.string(),
  name: z.string(),
  decimals: z.number().int(),
  base: z.string().optional(),
  quote: z.string().optional(),
  demiseDateTime: text,
  maxResolution: z.enum(resolutions),
  underlyingAssetsType: z.enum(['SINGLE_ASSET', 'PORTFOLIO']),
  family: text,
  inceptionValue: z.number().nullable(),
  publicationFrequency: text,
  publicationTime: text,
  publicationTimeZone: text,
  inceptionDateTime: text,
  launchDateTime: text,
  constituentExchanges: z.array(z.string()).nullable(),
  methodology: z.string(),
}

/** `get_index_info`: reference data of an index and how it is calculated. */
export const addIndexInfo: AddTool = (server) => {
  server.registerTool(
    'get_index_info',
    {
      title: 'Index information',
      description: 'Index methodology and information',
      inputSchema: { index: indexArgument },
      outputSchema: output,
      annotations: readOnly,
    },
    ({ index: id }) => {
      const index = findIndex(id)
      if (index === undefined) throw new ToolError(`Unknown id: ${id}`)
      return resultOf({ ...detailOf(index), methodology: methodologyOf(index) })
    },
  )
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
