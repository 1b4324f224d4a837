import { expect, test } from 'vitest'
import type { AlertSnooze } from '../../../protocol/alerts'
import { allRowFacts, presentTrayView, wantedSubscriptions, type Owners } from '../../../main/app-views'
import { firstSettings } from '../../../main/storage/settings-document'
import { levelDraft, ruleView } from '../../support/sample-alerts'

const nowMs = Date.UTC(2023, 10, 1, 12)

function owners(pinnedIds: string[], known: string[], snoozes: AlertSnooze[] = []): Owners {
  const list = { id: 'l', name: 'L', entries: [{ id: 'BRTI', maxResolution: 'PER_200MS' }] }
  return {
    settings: { get: () => ({ ...firstSettings(), watchlists: [list], pinnedIds }) },
    alerts: { listening: () => [], unreadCount: () => 0, snoozes: () => snoozes },
    page: {},
    services: { status: { state: 'live', name: 'Mine', isDemo: false, streamCount: 0 } },
    values: {
      store: {
        get: (id: string) =>
          known.includes(id) ? { id, value: '1.50', publishedAtMs: nowMs, source: 'stream' } : undefined,
      },
    },
  } as unknown as Owners
}

function shownIds(view: ReturnType<typeof presentTrayView>): string[] {
  return view.items.flatMap((item) => (item.kind === 'value' ? [item.id] : []))
}

test('the tray shows every pinned index in its order, and the first list while none is pinned', () => {
  const pinned = ['G', 'F', 'E', 'D', 'C', 'B', 'A']
  expect(shownIds(presentTrayView(owners(pinned, [...pinned, 'BRTI']), nowMs))).toEqual(pinned)
  expect(shownIds(presentTrayView(owners(pinned, ['C', 'E', 'BRTI']), nowMs))).toEqual(['E', 'C'])
  expect(shownIds(presentTrayView(owners([], ['BRTI']), nowMs))).toEqual(['BRTI'])
})

test('what is pinned is asked for, in a list or not', () => {
  expect(wantedSubscriptions(owners(['NCI'], []))).toEqual([
    { stream: 'value', id: 'BRTI', maxResolution: 'PER_200MS' },
    { stream: 'value', id: 'NCI', maxResolution: 'PER_SECOND' },
  ])
})

test('the tray tells of a mute of everything that still lasts, and of no other silence', () => {
  const isMuted = (snooze: AlertSnooze) => presentTrayView(owners([], [], [snooze]), nowMs).icon.isMuted
  expect(isMuted({ scope: { of: 'all' }, untilMs: nowMs + 1 })).toBe(true)
  expect(isMuted({ scope: { of: 'all' }, untilMs: null })).toBe(true)
  expect(isMuted({ scope: { of: 'all' }, untilMs: nowMs })).toBe(false)
  expect(isMuted({ scope: { of: 'index', indexId: 'BRTI' }, untilMs: null })).toBe(false)
})

test('a window that opens learns that the index of an alert is refused, though it is in no list', () => {
  const some = owners([], [])
  Object.assign(some, {
    alerts: { views: () => [ruleView('r1', levelDraft('1', { indexId: 'NOPE_RTI' }))] },
    values: { history: { facts: () => ({}) } },
    services: { refusal: (id: string) => (id === 'NOPE_RTI' ? 'Unrecognised stream ID' : undefined) },
  })
  expect(allRowFacts(some)).toEqual([{ id: 'BRTI' }, { id: 'NOPE_RTI', refusal: 'Unrecognised stream ID' }])
})
