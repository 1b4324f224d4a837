import { z } from 'zod'
import { assetFacts } from '../asset-facts'
import { chanceOf } from '../noise'
import { assetArgument, knownAsset, tool, type ToolSources } from './tool'

const dayMs = 86_400_000

const supply = z.object({
  asset: z.string(),
  time: z.number().describe('Start of the day the figures are of, milliseconds since the Unix epoch'),
  totalSupply: z.string(),
  circulatingSupply: z.string(),
  freeFloatSupply: z.string(),
})

/** `get_supplies`: how many units of an asset there are. */
export const supplies = tool(
  'get_supplies',
  {
    title: 'Supplies',
    description: 'Asset supply data',
    inputSchema: { assets: z.array(assetArgument).min(1).max(100).optional().describe('All assets by default') },
    outputSchema: { supplies: z.array(supply) },
  },
  ({ assets = Object.keys(assetFacts) }, sources) => ({ supplies: assets.map((asset) => supplyOf(asset, sources)) }),
)

function supplyOf(symbol: string, { seed, nowMs }: ToolSources): z.infer<typeof supply> {
  const asset = knownAsset(symbol)
  const facts = assetFacts[asset]
  const locked = 0.05 + 0.2 * chanceOf(seed, 'supply', asset, 'locked')
  const unissued = 0.1 * chanceOf(seed, 'supply', asset, 'unissued')
  return {
    asset,
    time: Math.floor(nowMs / dayMs) * dayMs,
    totalSupply: (facts.supply * (1 + unissued)).toFixed(0),
    circulatingSupply: facts.supply.toFixed(0),
    freeFloatSupply: (facts.supply * (1 - locked)).toFixed(0),
  }
}
