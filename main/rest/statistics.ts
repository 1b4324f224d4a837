import type {
  AssetWeight,
  ConstituentsPublication,
  DecimalText,
  MarketConditions,
  Publication,
} from '../../protocol/model'
import type { StatsStreamType } from '../../protocol/rest'
import { readWeights } from '../base/asset-weights'
import { readConstituents } from '../base/constituents'
import { readCorporateAction } from '../base/corporate-action'
import type { CorporateActionState } from '../base/corporate-action'
import { readConditions } from '../base/market-conditions'
import { isDecimal, readPublication } from '../base/publication'
import { isRecord, readWords } from '../base/untrusted-text'
import { decodeRows } from './decode'
import type { Rows } from './decode'

/** Traded volume behind a reference rate, and the share of each exchange in percent as published. */
export interface VolumeStatistic extends Publication {
  volume: DecimalText
  volumes: { exchange: string; volumePercent: DecimalText }[]
}

export interface WeightStatistic extends Publication {
  weights: AssetWeight[]
}

/** One row of `stats` by its stream type (wire facts 2.2). */
export interface StatisticByType {
  volume: VolumeStatistic
  weight: WeightStatistic
  constituentresult: ConstituentsPublication
  rti: MarketConditions
  activecorporateaction: CorporateActionState
}

const mostExchanges = 100

type RowDecoders = { [T in StatsStreamType]: (row: Record<string, unknown>) => StatisticByType[T] | string | undefined }

const rowDecoders: RowDecoders = {
  volume: decodeVolume,
  weight: decodeWeight,
  constituentresult: (row) => {
    const read = readConstituents(row)
    return typeof read === 'string' ? read : read.publication
  },
  rti: readConditions,
  activecorporateaction: readCorporateAction,
}

/** `stats`, ascending by time whatever order they came in; `undefined` when it is no list. */
export function decodeStatistics<T extends StatsStreamType>(
  type: T,
  payload: unknown,
): Rows<StatisticByType[T]> | undefined {
  const decodeRow: RowDecoders[T] = rowDecoders[type]
  const decoded = decodeRows(payload, (row): StatisticByType[T] | undefined => {
    const statistic = isRecord(row) ? decodeRow(row) : undefined
    return typeof statistic === 'string' ? undefined : statistic
  })
  decoded?.rows.sort((a, b) => a.publishedAtMs - b.publishedAtMs)
  return decoded
}

function decodeVolume(row: Record<string, unknown>): VolumeStatistic | undefined {
  const publication = readPublication(row)
  const { volume, volumes } = row as { volume?: unknown; volumes?: unknown }
  if (typeof publication === 'string' || !isDecimal(volume) || !isRecord(volumes)) return undefined
  const entries = Object.entries(volumes)
  if (entries.length > mostExchanges) return undefined
  const shares: VolumeStatistic['volumes'] = []
  for (const [exchange, entry] of entries) {
    const volumePercent = isRecord(entry) ? entry['volumePercent'] : undefined
    if (!isDecimal(volumePercent)) return undefined
    shares.push({ exchange: readWords(exchange), volumePercent })
  }
  return { ...publication, volume, volumes: shares }
}

function decodeWeight(row: Record<string, unknown>): WeightStatistic | undefined {
  const publication = readPublication(row)
  const weights = readWeights(row['weights'])
  return typeof publication === 'string' || weights === undefined ? undefined : { ...publication, weights }
}
