import { z } from 'zod'
import { assetFacts, type HeldAssetName } from '../asset-facts'
import { factorDataKinds, factorExposures, factorReturns, type FactorDataKind } from '../factors'
import { assetArgument, knownAsset, tool, ToolError, type ToolSources } from './tool'

const dayMs = 86_400_000
const maxRows = 2_000

const date = z.iso.date()

const row = z
  .object({ time: z.number(), asset: z.string().optional(), broadCapConstituent: z.boolean().optional() })
  .catchall(z.number())

const input = z.object({
  kind: z.enum(factorDataKinds as [FactorDataKind, ...FactorDataKind[]]),
  assets: z.array(assetArgument).min(1).max(100).optional().describe('All digital assets by default'),
  startDate: date.optional().describe('First day, YYYY-MM-DD; yesterday by default'),
  endDate: date.optional().describe('Day after the last one; today by default'),
})

/** `get_factors_data`: factor scores, betas or returns. A row per day and, except for returns, per asset. */
export const factorsData = tool(
  'get_factors_data',
  {
    title: 'Factor data',
    description: 'Factor scores, betas and returns',
    inputSchema: input.shape,
    outputSchema: { rows: z.array(row) },
  },
  (given, sources) => ({ rows: rowsOf(given, sources) }),
)

function rowsOf({ kind, assets, startDate, endDate }: z.output<typeof input>, { seed, nowMs }: ToolSources): object[] {
  const days = requestedDays(startDate, endDate, nowMs)
  if (kind === 'returns') {
    limit(days.length)
    return days.map((day) => factorReturns(seed, day))
  }
  const wanted = assets?.map(knownAsset) ?? digitalAssets
  limit(days.length * wanted.length)
  return days.flatMap((day) => wanted.map((asset) => factorExposures(seed, kind, { asset, day })))
}

const digitalAssets = (Object.keys(assetFacts) as HeldAssetName[]).filter(
  (asset) => assetFacts[asset].category === 'Digital asset',
)

function requestedDays(startDate: string | undefined, endDate: string | undefined, nowMs: number): number[] {
  const today = Math.floor(nowMs / dayMs)
  const end = Math.min(endDate === undefined ? today : Date.parse(endDate) / dayMs, today)
  const start = startDate === undefined ? end - 1 : Date.parse(startDate) / dayMs
  if (startDate !== undefined && endDate !== undefined && startDate >= endDate) {
    throw new ToolError('startDate must be before endDate')
  }
  limit(end - start)
  return Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at)
}

function limit(rows: number): void {
  if (rows > maxRows) throw new ToolError(`More than ${maxRows} rows: request fewer days or assets`)
}
