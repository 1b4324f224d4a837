import type { IndexDetailPayload, IndexSummaryPayload } from '../protocol/rest'
import { assetNamed } from './asset-facts'
import type { IndexDefinition } from './index-definition'
import { exchangesOf } from './exchanges'
import { resolutionOf } from './schedule'

/** Reference data of an index; `base` and `quote` are left out when there is none (spec 2.7). */
export function summaryOf({ id, name, decimals, base, quote, schedule }: IndexDefinition): IndexSummaryPayload {
  return {
    ...{ id, name, decimals },
    ...(base !== undefined && { base }),
    ...(quote !== undefined && { quote }),
    demiseDateTime: null,
    maxResolution: resolutionOf(schedule),
  }
}

/** Reference data in full; what an index does not have is null (wire facts 2.2). */
export function detailOf(index: IndexDefinition): IndexDetailPayload {
  const { family, schedule, underlying } = index
  const isPortfolio = 'basket' in underlying
  const isDaily = 'dailyIn' in schedule
  return {
    ...summaryOf(index),
    underlyingAssetsType: isPortfolio ? 'PORTFOLIO' : 'SINGLE_ASSET',
    family: family ?? null,
    inceptionValue: isPortfolio ? 1_000 : null,
    publicationFrequency: isDaily ? 'DAILY' : 'PER_SECOND',
    publicationTime: isDaily ? '16:00' : null,
    publicationTimeZone: isDaily ? schedule.dailyIn : null,
    inceptionDateTime: isPortfolio ? '2022-09-01T00:00:00.000Z' : null,
    launchDateTime: index.isTokenizedEquity === true ? '2026-02-02T00:00:00.000Z' : '2023-01-02T00:00:00.000Z',
    constituentExchanges: exchangesBehind(index),
  }
}

/** The exchanges behind an index of one asset; a portfolio names them per constituent, a rate has none. */
function exchangesBehind({ base, underlying }: IndexDefinition): string[] | null {
  const asset = base !== undefined && 'asset' in underlying ? assetNamed(underlying.asset) : undefined
  return asset === undefined ? null : [...exchangesOf(asset)]
}
