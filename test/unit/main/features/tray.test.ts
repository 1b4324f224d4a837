import { expect, test } from 'vitest'
import type { AlertSnooze } from '../../../../core/alerts'
import { presentTrayView } from '../../../../main/features/tray'
import { firstSettings } from '../../../../main/storage/settings'

const nowMs = Date.UTC(2023, 10, 1, 12)

function context(
  pinnedIds: string[],
  known: string[],
  snoozes: AlertSnooze[] = [],
  { ages = {}, ids = ['BRTI'] }: { ages?: Record<string, number>; ids?: string[] } = {},
): Parameters<typeof presentTrayView>[0] {
  const list = { id: 'l', name: 'L', entries: ids.map((id) => ({ id, maxResolution: 'PER_200MS' })) }
  return {
    settings: { get: () => ({ ...firstSettings(), watchlists: [list], pinnedIds }) },
    alerts: { listening: () => [], unreadCount: () => 0, snoozes: () => snoozes },
    judging: { view: { state: 'judged' } },
    dataWatch: { view: { indices: [], ruleCount: 0 } },
    connections: {
      status: { state: 'live', name: 'Mine', isDemo: false, streamCount: 0 },
      resolutionOf: () => 'PER_SECOND',
    },
    quotes: {
      pastValues: { facts: () => ({ reference: { kind: 'previousClose', value: '1', publishedAtMs: 0 } }) },
      store: {
        ageMs: (id: string) => (known.includes(id) ? (ages[id] ?? 0) : undefined),
        get: (id: string) =>
          known.includes(id) ? { id, value: '1.50', publishedAtMs: nowMs, source: 'stream' } : undefined,
      },
    },
  } as unknown as Parameters<typeof presentTrayView>[0]
}

test('the tray shows a mute of all alerts while it lasts, and no other snooze', () => {
  const isMuted = (snooze: AlertSnooze) => presentTrayView(context([], [], [snooze]), nowMs).icon.isMuted
  expect(isMuted({ scope: { of: 'all' }, untilMs: nowMs + 1 })).toBe(true)
  expect(isMuted({ scope: { of: 'all' }, untilMs: null })).toBe(true)
  expect(isMuted({ scope: { of: 'all' }, untilMs: nowMs })).toBe(false)
  expect(isMuted({ scope: { of: 'index', indexId: 'BRTI' }, untilMs: null })).toBe(false)
})

test('the tray marks a stale value, and knows when the next becomes stale', () => {
  const view = presentTrayView(context(['A', 'B'], ['A', 'B'], [], { ages: { A: 10_000, B: 4_000 } }), nowMs)
  expect(view.title).toBe('')
  expect(view.tooltip).toBe('Indexwatch: Live\nA 1.50 ▲ 50.00 % at 12:00:00 (not live)\nB 1.50 ▲ 50.00 % at 12:00:00')
  expect(view.staleInMs).toBe(6_000)
  expect(presentTrayView(context(['A'], ['A'], [], { ages: { A: 9_999 } }), nowMs)).toMatchObject({
    title: 'A 1.50',
    staleInMs: 1,
  })
})
