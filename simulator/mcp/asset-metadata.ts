import { z } from 'zod'
import { assetFacts, type AssetFacts, type HeldAssetName } from '../asset-facts'
import { catalogue } from '../catalogue'
import { assetArgument, knownAsset, tool, type ToolSources } from './tool'

const named = z.object({ id: z.string(), name: z.string() })

const output = {
  id: z.string(),
  name: z.string(),
  aliasIds: z.array(z.string()),
  classification: z.object({ category: z.string(), sector: z.string() }),
  relatedIndices: z.array(named),
  baskets: z.array(named.extend({ weightPercent: z.string() })).describe('Indices that hold it now'),
}

/** `get_asset_metadata`: an asset's identity, the indices that measure it and the baskets that hold it. */
export const assetMetadata = tool(
  'get_asset_metadata',
  {
    title: 'Asset metadata',
    description: 'Asset identity, classification, related indices and basket membership',
    inputSchema: { asset: assetArgument },
    outputSchema: output,
  },
  ({ asset }, sources) => metadataOf(knownAsset(asset), sources),
)

function metadataOf(asset: HeldAssetName, sources: ToolSources): object {
  const { name, aliases = [], category, sector }: AssetFacts = assetFacts[asset]
  const related = catalogue.filter(({ underlying }) => 'asset' in underlying && underlying.asset === asset)
  return {
    ...{ id: asset, name, aliasIds: aliases, classification: { category, sector } },
    relatedIndices: related.map(({ id, name: title }) => ({ id, name: title })),
    baskets: basketsWith(asset, sources),
  }
}

function basketsWith(asset: HeldAssetName, { publications, nowMs }: ToolSources): object[] {
  return catalogue.flatMap((index) => {
    if (!('basket' in index.underlying)) return []
    const { constituents } = publications.calculation(index, publications.latest(index, nowMs, 'PER_SECOND'))
    const part = constituents.find(({ constituent }) => constituent === asset)
    return part === undefined ? [] : [{ id: index.id, name: index.name, weightPercent: part.weightPercent }]
  })
}
