import type { AssetWeight } from '../../protocol/model'
import { isDecimal } from './publication'
import { isRecord, readWords } from './untrusted-text'

const mostAssets = 5_000

/**
 * Reads the weights of a basket, named by asset (wire facts 1.3). Assets keep their names, XBT too; `undefined` when
 * they are anything else or more than 5,000.
 */
export function readWeights(raw: unknown): AssetWeight[] | undefined {
  if (!isRecord(raw)) return undefined
  const entries = Object.entries(raw)
  if (entries.length > mostAssets) return undefined
  const weights: AssetWeight[] = []
  for (const [asset, entry] of entries) {
    const weightPercent = isRecord(entry) ? entry['weightPercent'] : undefined
    if (!isDecimal(weightPercent)) return undefined
    weights.push({ asset: readWords(asset), weightPercent })
  }
  return weights
}
