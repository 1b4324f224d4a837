/** Reports what happened during an absence. Everything comes from the history. */
import * as v from 'valibot'
import { firingKinds, type AlertEvent } from '../../core/alert-events'
import type { AwayFiring, AwayReport } from '../../protocol/away'
import { merged, type TimeRange } from '../../core/ranges'
import { cadencesMs, isRealTime } from '../../core/cadence'
import {
  compareDecimals,
  isDecimalText,
  parseDecimal,
  percentChange,
  toChartNumber,
  type Decimal,
} from '../../core/decimal'
import { staleAfterMs } from '../../core/freshness'
import type { IndexId, Outcome, Quote, Resolution } from '../../core/model'
import { severities } from '../../core/severity'
import { readDocument } from '../base/stored-index'
import { answered } from '../base/answered'
import { asking, type Ask } from '../history-store/asking'
import type { HistoryAccess } from '../history-store/contract'

/** An index in a list or in an alert, with its current value. */
export interface AwayIndex {
  id: IndexId
  /** Undefined until the service has sent it. */
  resolution: Resolution | undefined
  latest: Quote | undefined
}

interface Wanted {
  indices: readonly AwayIndex[]
  /** Service time minus this computer's time. Events are recorded in this computer's time. */
  aheadMs: number
}

const shownCount = 3
/** Largest number of inbox pages read, newest first. */
const maxEventParts = 20
const maxAmendments = 500
/** An open page stores its constituents every five minutes. Older ones may have changed before the absence. */
const maxMembersAgeMs = 10 * 60_000
const trendPoints = 60
/** Length of one query, so that commits do not wait long for it. */
const partMs = 6 * 3_600_000
/** Gaps no farther apart than this are queried together. */
const nearMs = 10 * 60_000
/** Gaps come from the connection, so all its indices have the same ones. This many indices are looked at. */
const maxGapIndices = 50

/** `null` if nothing is worth reporting. Fails if one query fails. */
export async function awayReport(
  history: Pick<HistoryAccess, 'query'>,
  away: TimeRange & { gaps: readonly TimeRange[] },
  wanted: Wanted,
): Promise<Outcome<AwayReport | null>> {
  const { fromMs, toMs } = away
  const { indices } = wanted
  const query = asking(history)
  return answered(async () => {
    const fired = await firedDuring(query, away, wanted)
    const gaps = await gapsOf(query, away.gaps, indices)
    const moved = await largestMoves(query, away, indices)
    const amended = await amendedDuring(query, away)
    const members = await constituentChanges(query, away, indices)
    const carriedOver = indices
      .filter(({ latest }) => latest?.isRepeatOfPrevious === true && isWithin(latest.publishedAtMs, away))
      .map(({ id }) => id)
    const factCount = fired.firedCount + moved.length + amended.count + carriedOver.length + members.length
    if (factCount === 0 && gaps === undefined) return null
    return { fromMs, toMs, gaps, ...fired, moved, amended, carriedOver, members }
  })
}

function isWithin(atMs: number, { fromMs, toMs }: TimeRange): boolean {
  return atMs > fromMs && atMs <= toMs
}

async function firedDuring(
  query: Ask,
  away: TimeRange,
  { aheadMs, indices }: Wanted,
): Promise<Pick<AwayReport, 'fired' | 'firedCount'>> {
  const byRule = new Map<string, Omit<AwayFiring, 'trend'>>()
  let before: number | undefined
  for (let part = 0; part < maxEventParts; part++) {
    const { events, retractions, next } = await query('events', {
      kinds: [...firingKinds],
      before,
    })
    const retracted = new Set(retractions.map(({ aboutEventId }) => aboutEventId))
    for (const event of events) {
      const recordedAtMs = event.recordedAtMs + aheadMs
      const atMs = event.inputs.publishedAtMs ?? recordedAtMs
      // A late event may be recorded after the absence for a value in it, or the other way round.
      if (!isWithin(atMs, away) && !isWithin(recordedAtMs, away)) continue
      const known = byRule.get(event.ruleId)
      const count = (known?.count ?? 0) + 1
      if (known !== undefined && atMs <= known.atMs) known.count = count
      else byRule.set(event.ruleId, { event, count, isRetracted: retracted.has(event.id), atMs })
    }
    const oldest = events.at(-1)
    before = next
    if (next === undefined || (oldest !== undefined && oldest.recordedAtMs + aheadMs < away.fromMs)) break
  }
  const weight = ({ severity }: AlertEvent) => severities.indexOf(severity)
  const ordered = [...byRule.values()].sort((a, b) => weight(b.event) - weight(a.event) || b.atMs - a.atMs)
  const resolutionOf = new Map(indices.map(({ id, resolution }) => [id, resolution]))
  const fired: AwayFiring[] = []
  for (const each of ordered.slice(0, shownCount)) {
    const id = each.event.indexId
    fired.push({ ...each, trend: await trendOf(query, id, away, resolutionOf.get(id) ?? 'PER_SECOND') })
  }
  return { fired, firedCount: ordered.length }
}

/** The last value of each of at most sixty parts. A part is at least as long as the index's publication interval. */
async function trendOf(
  query: Ask,
  id: IndexId,
  { fromMs, toMs }: TimeRange,
  resolution: Resolution,
): Promise<(number | null)[]> {
  const widthMs = Math.max((toMs - fromMs) / trendPoints, cadencesMs[resolution])
  const values = await query('samples', { id, fromMs, toMs, stepMs: Math.ceil(widthMs / 2) })
  const trend = new Array<number | null>(Math.ceil((toMs - fromMs) / widthMs)).fill(null)
  for (const { value, publishedAtMs } of values) {
    const at = Math.min(trend.length - 1, Math.floor((publishedAtMs - fromMs) / widthMs))
    if (isDecimalText(value)) trend[at] = toChartNumber(value)
  }
  return trend
}

async function gapsOf(
  query: Ask,
  gaps: readonly TimeRange[],
  indices: readonly AwayIndex[],
): Promise<AwayReport['gaps']> {
  if (gaps.length === 0) return undefined
  const totalMs = gaps.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  const steady = indices.filter(({ resolution }) => isRealTime(resolution)).slice(0, maxGapIndices)
  const parts = inParts(gaps)
  let openMs = 0
  let unknownMs = 0
  for (const { id, resolution = 'PER_SECOND' } of steady) {
    const missing = { unasked: 0, answered: 0, unknown: 0 }
    for (const part of parts) {
      const gaps = await query('gaps', { id, ...part, maxGapMs: staleAfterMs(resolution) })
      for (const { state, fromMs, toMs } of gaps) missing[state] += toMs - fromMs
    }
    openMs = Math.max(openMs, missing.unasked)
    unknownMs = Math.max(unknownMs, missing.unknown)
  }
  const filled =
    openMs > 0
      ? ({ state: 'open', missingMs: openMs } as const)
      : unknownMs > 0
        ? ({ state: 'unknown', missingMs: unknownMs } as const)
        : ({ state: 'all' } as const)
  return { count: gaps.length, totalMs, ...(steady.length > 0 && { filled }) }
}

/** The gaps in parts of limited length. Gaps near each other are merged first. */
function inParts(gaps: readonly TimeRange[]): TimeRange[] {
  return merged(gaps, nearMs).flatMap(({ fromMs, toMs }) =>
    Array.from({ length: Math.ceil((toMs - fromMs) / partMs) }, (_, at) => ({
      fromMs: fromMs + at * partMs,
      toMs: Math.min(toMs, fromMs + (at + 1) * partMs),
    })),
  )
}

/** Change from the value in effect at the start of the absence to the latest one. An index without both is left out. */
async function largestMoves(
  query: Ask,
  { fromMs }: TimeRange,
  indices: readonly AwayIndex[],
): Promise<AwayReport['moved']> {
  const all: (AwayReport['moved'][number] & { size: Decimal })[] = []
  for (const { id, resolution, latest } of indices) {
    if (resolution === undefined || latest === undefined || latest.source === 'cache') continue
    if (latest.publishedAtMs <= fromMs || latest.isRepeatOfPrevious === true) continue
    const { revisions } = await query('valueAt', { id, atMs: fromMs })
    const last = revisions.at(-1)
    // The start lies in a gap, so the value in effect is unknown.
    if (last === undefined || fromMs - last.publishedAtMs >= staleAfterMs(resolution)) continue
    const { value, publishedAtMs } = last
    if (!isDecimalText(value)) continue
    const size = parseDecimal((percentChange(value, latest.value, 4) ?? '0').replace('-', ''))
    if (size === undefined || size.sign === 0) continue
    all.push({ id, before: { value, publishedAtMs }, size })
  }
  all.sort((a, b) => compareDecimals(b.size, a.size))
  return all.slice(0, shownCount).map(({ id, before }) => ({ id, before }))
}

async function amendedDuring(query: Ask, { fromMs, toMs }: TimeRange): Promise<AwayReport['amended']> {
  const { amendments, next } = await query('amendments', { fromMs, toMs, limit: maxAmendments })
  const indexIds = [...new Set(amendments.map(({ id }) => id))]
  return { count: amendments.length, hasMore: next !== undefined, indexIds }
}

const membersSchema = v.object({ constituents: v.array(v.object({ constituent: v.string() })) })

async function constituentChanges(
  query: Ask,
  { fromMs, toMs }: TimeRange,
  indices: readonly AwayIndex[],
): Promise<AwayReport['members']> {
  const membersAt = async (id: IndexId, atMs: number, sinceMs: number) => {
    const found = await query('snapshotAt', { kind: 'constituents', id, atMs })
    if (found === null || found.publishedAtMs < sinceMs) return undefined
    return readDocument(membersSchema, found.document)?.constituents.map(({ constituent }) => constituent)
  }
  const changed: AwayReport['members'] = []
  for (const { id } of indices) {
    const before = await membersAt(id, fromMs, fromMs - maxMembersAgeMs)
    const after = before && (await membersAt(id, toMs, fromMs))
    if (before === undefined || after === undefined) continue
    const joined = after.filter((member) => !before.includes(member))
    const left = before.filter((member) => !after.includes(member))
    if (joined.length + left.length > 0) changed.push({ id, joined, left })
  }
  return changed
}
