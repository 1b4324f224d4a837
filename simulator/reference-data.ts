import type { IndexDetailPayload, IndexSummaryPayload } from '../protocol/rest'
import { assetNamed } from './asset-facts'
import type { IndexDefinition } from './index-definition'
import { exchangesOf } from './exchanges'
import { resolutionOf } from './schedule'

/** Reference data of an index (protocol, 2.7). Omits `base` and `quote` if there are none. */
export function summaryOf({ id, name, decimals, base, quote, schedule }: IndexDefinition): IndexSummaryPayload {
  return {
    ...{ id, name, decimals },
    base,
    quote,
    demiseDateTime: null,
    maxResolution: resolutionOf(schedule),
  }
}

/** Complete reference data (protocol, 2.7). Fields that do not apply are null. */
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
    // A rate calculated from trades uses one hour in 12 partitions of 5 minutes.
    referenceRateParameters:
      isDaily && exchangesBehind(index) !== null ? { windowDuration: 'PT1H', partitionCount: 12 } : null,
    inceptionDateTime: isPortfolio ? '2022-09-01T00:00:00.000Z' : null,
    launchDateTime: new Date(launchMs(index)).toISOString(),
    constituentExchanges: exchangesBehind(index),
  }
}

/** First publication of an index in epoch milliseconds. Its history begins here. */
export function launchMs({ isTokenizedEquity }: IndexDefinition): number {
  return isTokenizedEquity === true ? Date.UTC(2026, 1, 2) : Date.UTC(2023, 0, 2)
}

/** The exchanges of an index of one asset. A portfolio lists them per constituent, a rate has none. */
function exchangesBehind({ base, underlying }: IndexDefinition): string[] | null {
  const asset = base !== undefined && 'asset' in underlying ? assetNamed(underlying.asset) : undefined
  return asset === undefined ? null : [...exchangesOf(asset)]
}
