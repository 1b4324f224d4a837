import type { CommandHandlers } from '../../protocol/commands/contract'
import { toJson } from '../../protocol/json'
import type { ChartPoint, ChartSeries } from '../../protocol/responses'
import type { AlertEvent } from '../../core/alert-events'
import { ok } from './fake-desktop'
import { firedEvent, levelDraft } from './sample-alerts'
import { sampleNowMs } from './sample-window'

const secondMs = 1_000

/** A deterministic series around 68,170.00. */
function valueAt(at: number): string {
  const wave = Math.sin(at / 540) * 210 + Math.sin(at / 97) * 90 + Math.sin(at / 13) * 24 + Math.sin(at * 1.7) * 6
  return (68_170 + wave).toFixed(2)
}

/**
 * An hour of BRTI by the second up to 14:02:11: 3,600 points minus gaps of 5 minutes and 40 seconds. One point is
 * amended and one is carried forward. The newest is 68123.40.
 */
export function sampleSeries(): ChartPoint[] {
  const lastMs = Math.floor(sampleNowMs / secondMs) * secondMs
  return Array.from({ length: 3_600 }, (_, at): ChartPoint => {
    const publishedAtMs = lastMs - (3_599 - at) * secondMs
    if (at === 3_599) return { value: '68123.40', publishedAtMs }
    if (at === 900) return { value: valueAt(at), publishedAtMs, amendedAtMs: publishedAtMs + 2_400 }
    if (at === 3_000) return { value: valueAt(at), publishedAtMs, isRepeatOfPrevious: true }
    return { value: valueAt(at), publishedAtMs }
  }).filter((_, at) => !(at > 1_700 && at <= 2_000) && !(at > 2_600 && at <= 2_640))
}

/** Two firings on these points: one live, one backfilled. */
export function sampleFirings(): AlertEvent[] {
  const points = sampleSeries()
  const kinds = [
    [700, 'fired'],
    [2_500, 'lateFromHistory'],
  ] as const
  return kinds.flatMap(([at, kind], number) => {
    const { value = '', publishedAtMs = 0 } = points[at] ?? {}
    const inputs = { value, publishedAtMs, direction: 'up' } as const
    return firedEvent(900 + number, levelDraft('68200'), { kind, inputs, recordedAtMs: publishedAtMs + 42_000 })
  })
}

/** Answers `getChart` for compared indices with the hour of `sampleSeries`, scaled and shaped differently for each. */
export const comparedAnswer: NonNullable<CommandHandlers['getChart']> = ({ indexId, range }) => {
  const kind = indexId.length + indexId.charCodeAt(0)
  const points = sampleSeries().map((point, at): ChartPoint => {
    const share = 1 + Math.sin(at / (300 + 40 * (kind % 7)) + kind) / 80 + Math.sin(at / 61 + kind) / 900
    return { ...point, value: indexId === 'BRTI' ? point.value : (3_141.59 * (1 + (kind % 5)) * share).toFixed(2) }
  })
  const known = indexId === 'NCI' ? points.slice(1_200) : points
  return ok(toJson<ChartSeries>({ indexId, range, points: known, gapAfterMs: 10_000 }))
}

/**
 * Answers `getChart` with two weeks of fixings at 16:00 UTC, one amended and one carried forward. The last `missing`
 * fixings are left out. A requested span, as for the real-time index, gets a value a minute.
 */
export function fixingsAnswer(missing = 0): NonNullable<CommandHandlers['getChart']> {
  const dayMs = 86_400_000
  const lastMs = Math.floor(sampleNowMs / dayMs) * dayMs - 8 * 3_600_000
  const fixings = Array.from({ length: 14 }, (_, at): ChartPoint => {
    const publishedAtMs = lastMs - (13 - at) * dayMs
    // The window sample has the last two fixings.
    if (at === 12) return { value: '66795.66', publishedAtMs }
    if (at === 13) return { value: '67999.99', publishedAtMs }
    if (at === 10) return { value: valueAt(at * 900), publishedAtMs, amendedAtMs: publishedAtMs + 5_400_000 }
    if (at === 11) return { value: valueAt(10 * 900), publishedAtMs, isRepeatOfPrevious: true }
    return { value: valueAt(at * 900), publishedAtMs }
  }).slice(0, 14 - missing)
  return ({ indexId, range }) => {
    if (typeof range === 'string') {
      return ok(toJson<ChartSeries>({ indexId, range, points: fixings, gapAfterMs: 5 * dayMs }))
    }
    const { fromMs, toMs } = range
    const minutes = Math.floor((Math.min(toMs, sampleNowMs) - fromMs) / 60_000)
    const points = Array.from({ length: minutes }, (_, at): ChartPoint => {
      return { value: valueAt(at * 3), publishedAtMs: fromMs + at * 60_000 }
    })
    return ok(toJson<ChartSeries>({ indexId, range, points, gapAfterMs: 180_000 }))
  }
}

/** Answers `getChart` with these points for every range. */
export function chartAnswer(
  points: ChartPoint[],
  more: Partial<Pick<ChartSeries, 'gapAfterMs' | 'problem' | 'spacingMs'>> = {},
): NonNullable<CommandHandlers['getChart']> {
  return ({ indexId, range }) => ok(toJson<ChartSeries>({ indexId, range, points, gapAfterMs: 10_000, ...more }))
}
