import type { IndexDetailPayload, IndexSummaryPayload } from '../protocol/rest'
import { assetNamed } from './asset-facts'
import type { IndexDefinition } from './index-definition'
import { exchangesOf } from './exchanges'
import { resolutionOf } from './schedule'

/** Reference data of an index; `base` and `quote` are omitted when there is none (protocol, 2.7). */
export function summaryOf({ id, name, decimals, base, quote, schedule }: IndexDefinition): IndexSummaryPayload {
  return {
    ...{ id, name, decimals },
    base,
    quote,
    demiseDateTime: null,
    maxResolution: resolutionOf(schedule),
  }
}

/** Complete reference data; null for what an index does not have (protocol, 2.7). */
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
    // A rate made of trades uses one hour in 12 partitions of 5 minutes.
    referenceRateParameters:
      isDaily && exchangesBehind(index) !== null ? { windowDuration: 'PT1H', partitionCount: 12 } : null,
    inceptionDateTime: isPortfolio ? '2022-09-01T00:00:00.000Z' : null,
    launchDateTime: new Date(launchMs(index)).toISOString(),
    constituentExchanges: exchangesBehind(index),
  }
}

/** When an index was first published, epoch milliseconds; its history begins here. */
export function launchMs({ isTokenizedEquity }: IndexDefinition): number {
  return isTokenizedEquity === true ? Date.UTC(2026, 1, 2) : Date.UTC(2023, 0, 2)
}

/** The exchanges behind an index of one asset; a portfolio lists them per constituent, a rate has none. */
function exchangesBehind({ base, underlying }: IndexDefinition): string[] | null {
  const asset = base !== undefined && 'asset' in underlying ? assetNamed(underlying.asset) : undefined
  return asset === undefined ? null : [...exchangesOf(asset)]
}
