import type { Away, AwayReport } from '../../protocol/away'
import { firedEvent, levelDraft } from './sample-alerts'
import { sampleNowMs } from './sample-now'

const minute = 60_000
const fromMs = sampleNowMs - 134 * minute

/** An absence of 134 minutes. */
export const sampleAway: Away = { fromMs, toMs: sampleNowMs, version: 1 }

function wave(swing: number, gapAt?: number): (number | null)[] {
  return Array.from({ length: 60 }, (_, at) =>
    gapAt !== undefined && at >= gapAt && at < gapAt + 3 ? null : Math.sin(at / 9) * swing + Math.sin(at * 1.7),
  )
}

function firing(number: number, draft: ReturnType<typeof levelDraft>, agoMinutes: number) {
  const publishedAtMs = sampleNowMs - agoMinutes * minute
  const value = 'level' in draft.terms ? draft.terms.level : '1'
  const event = firedEvent(number, draft, {
    ruleId: `away-${number}`,
    recordedAtMs: publishedAtMs + 90,
    inputs: { value, publishedAtMs, direction: draft.terms.condition === 'fallsTo' ? 'down' : 'up' },
  })
  return { event, count: 1, isRetracted: false, atMs: publishedAtMs }
}

/** Three of five alerts, the three largest moves, and a little of everything else. */
export const sampleAwayReport: AwayReport = {
  fromMs,
  toMs: sampleNowMs,
  gaps: { count: 1, totalMs: 5 * minute, filled: { state: 'all' } },
  fired: [
    { ...firing(23, levelDraft('68500.00'), 41), count: 7, trend: wave(9) },
    { ...firing(22, levelDraft('3450.00', { indexId: 'ETHUSD_RTI', condition: 'fallsTo' }), 63), trend: wave(-6, 40) },
    { ...firing(21, levelDraft('1.20', { indexId: 'XRPUSD_RTI' }), 118), isRetracted: true, trend: wave(4) },
  ],
  firedCount: 5,
  moved: [
    { id: 'SOLUSD_RTI', before: { value: '142.3267', publishedAtMs: fromMs - 200 } },
    { id: 'SHIBUSD_RTI', before: { value: '1.3726e-5', publishedAtMs: fromMs - 1_000 } },
    { id: 'BRTI', before: { value: '67711.23', publishedAtMs: fromMs - 200 } },
  ],
  amended: { count: 3, hasMore: false, indexIds: ['BRTI'] },
  carriedOver: ['APT_SRR'],
  members: [{ id: 'NCI', joined: ['LINK'], left: ['BCH'] }],
}
