import type { AlertEvent } from '../../protocol/alert-events'
import type { AlertDraft, AlertView, LevelTerms } from '../../protocol/alerts'
import { sampleNowMs } from './sample-now'

const hour = 3_600_000

/** A draft that tells once when BRTI rises to 68,500.00. */
export function levelDraft(
  level = '68500.00',
  { indexId = 'BRTI', condition = 'risesTo' }: { indexId?: string; condition?: LevelTerms['condition'] } = {},
): AlertDraft {
  return { indexId, terms: { condition, level }, repeat: { mode: 'once' }, severity: 'normal' }
}

/** A rule as the window is told of it. */
export function ruleView(id: string, draft: AlertDraft, more: Partial<AlertView> = {}): AlertView {
  return { ...draft, id, version: 1, createdAtMs: sampleNowMs - hour, phase: 'armed', ...more }
}

/** An event of a level that was reached, shown and not yet read. */
export function firedEvent(number: number, draft: AlertDraft, more: Partial<AlertEvent> = {}): AlertEvent {
  const { indexId, terms, severity } = draft
  return {
    id: `e${number}`,
    number,
    kind: 'fired',
    ruleId: 'r0',
    ruleVersion: 1,
    indexId,
    terms,
    severity,
    recordedAtMs: sampleNowMs - hour,
    inputs: { value: 'level' in terms ? terms.level : '1', publishedAtMs: sampleNowMs - hour, direction: 'up' },
    delivery: 'shown',
    isRead: false,
    ...more,
  }
}

const xrp = levelDraft('1.20', { indexId: 'XRPUSD_RTI' })
const sol = levelDraft('140', { indexId: 'SOLUSD_RTI', condition: 'fallsTo' })

export const sampleRules: AlertView[] = [
  ruleView('r1', levelDraft()),
  ruleView('r2', levelDraft('3500', { indexId: 'ETHUSD_RTI', condition: 'fallsTo' }), { phase: 'disarmed' }),
  ruleView('r3', xrp, { phase: 'triggered' }),
]

/** Newest first. */
export const sampleInbox: AlertEvent[] = [
  firedEvent(3, xrp, {
    ruleId: 'r3',
    recordedAtMs: sampleNowMs - 899_800,
    inputs: { value: '1.2003', publishedAtMs: sampleNowMs - 900_000, direction: 'up' },
  }),
  firedEvent(2, sol, {
    recordedAtMs: sampleNowMs - 3 * hour + 90,
    inputs: {
      value: '139.8812',
      publishedAtMs: sampleNowMs - 3 * hour,
      gapSinceMs: sampleNowMs - 4 * hour,
      direction: 'down',
    },
    delivery: 'clicked',
  }),
  firedEvent(1, levelDraft('60000', { indexId: 'BRR' }), {
    recordedAtMs: sampleNowMs - 46 * hour,
    inputs: { value: '66795.66', publishedAtMs: sampleNowMs - 46 * hour, direction: 'up' },
    delivery: 'failed',
    isRead: true,
  }),
]
