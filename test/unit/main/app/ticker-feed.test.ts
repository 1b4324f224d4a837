import { expect, test } from 'vitest'
import { createTickerFeed } from '../../../../main/app/ticker-feed'
import { Emitter } from '../../../../main/base/emitter'
import type { AppContext } from '../../../../main/commands/context'
import { firstSettings } from '../../../../main/storage/settings'
import type { WindowUpdate } from '../../../../protocol/desktop'
import { fromJson } from '../../../../protocol/json'
import type { Quote, Settings } from '../../../../core/model'
import { FakeClock } from '../../../support/fake-clock'
import { firedEvent, levelDraft, ruleView } from '../../../support/sample-alerts'
import { onError } from '../../../support/on-error'

function quote(id: string, value: string): Quote {
  return { id, value, publishedAtMs: 1, source: 'stream' }
}

/** The feed over owners that know BRTI, NCI and BRR, of which the first two are pinned. */
function start() {
  const clock = new FakeClock()
  const emitter = () => new Emitter<Record<string, unknown>>(onError)
  const profile = {
    id: 'p',
    name: 'Desk',
    auth: 'basic',
    isEnabled: true,
    webSocketUrl: 'wss://x',
    keyId: 'key',
  } as const
  let settings: Settings = { ...firstSettings(), pinnedIds: ['BRTI', 'NCI'], profiles: [profile] }
  const known = ['BRTI', 'NCI', 'BRR']
  const owners = {
    quotes: emitter(),
    connections: emitter(),
    settings: emitter(),
    alerts: emitter(),
    watch: emitter(),
    judging: emitter(),
    formulas: emitter(),
  }
  const context = {
    clock,
    appVersion: '1',
    quotes: {
      store: { events: owners.quotes, all: () => known.map((id) => quote(id, '1')), ageMs: () => 0 },
      history: { facts: () => ({}) },
    },
    connections: {
      events: owners.connections,
      status: { state: 'live', name: 'Desk', isDemo: false, streamCount: 1 },
      catalogue: known.map((id) => ({ id })),
      refusal: () => undefined,
      resolutionOf: () => 'PER_SECOND',
    },
    settings: { events: owners.settings, get: () => settings },
    alerts: {
      events: owners.alerts,
      views: () => known.map((indexId) => ruleView(indexId, levelDraft('1', { indexId }))),
      inbox: () => [
        firedEvent(1, levelDraft('1')),
        firedEvent(2, levelDraft('1'), { isRead: true }),
        firedEvent(3, levelDraft('1', { indexId: 'BRR' })),
      ],
      unreadCount: () => 2,
      olderEventsVersion: () => 0,
      snoozes: () => [],
    },
    formulas: { events: owners.formulas, noValue: () => undefined },
    judging: { events: owners.judging, view: { state: 'judged' } },
    dataWatch: { events: owners.watch, view: { indices: [], ruleCount: 0 } },
  } as unknown as AppContext
  const sent: WindowUpdate[] = []
  const feed = createTickerFeed(context, {
    send: (update) => sent.push(fromJson(update)),
    windowSystem: { placesWindows: false },
  })
  const value = (id: string, text: string) => owners.quotes.emit('changed', { next: quote(id, text) })
  const set = (changed: Partial<Settings>) => {
    settings = { ...settings, ...changed }
    owners.settings.emit('changed', settings)
  }
  return { clock, feed, sent, value, set, snapshot: () => fromJson(feed.snapshot()) }
}

test('its snapshot has what it shows, as one list, and nothing of connections or other indices', () => {
  const { snapshot } = start()
  const { quotes, rows, state } = snapshot()
  expect(quotes.map(({ id }) => id)).toEqual(['BRTI', 'NCI'])
  expect(rows.map(({ id }) => id)).toEqual(['BRTI', 'NCI'])
  expect(state.settings.watchlists).toMatchObject([{ name: 'Pinned', entries: [{ id: 'BRTI' }, { id: 'NCI' }] }])
  expect(state.settings.profiles).toEqual([])
  expect(state.catalogue.map(({ id }) => id)).toEqual(['BRTI', 'NCI'])
  expect(state.alerts.map(({ indexId }) => indexId)).toEqual(['BRTI', 'NCI'])
  expect(state.inbox.map(({ id }) => id)).toEqual(['e1'])
  expect(state.placesWindows).toBe(false)
})

test('it is pushed the values of what it shows, four times a second at most, and nothing while it is hidden', () => {
  const { clock, feed, sent, value, snapshot } = start()
  feed.watch(true)
  snapshot()
  clock.advance(250)
  sent.length = 0
  for (const id of ['BRTI', 'BRR', 'NCI']) value(id, '2')
  value('BRTI', '3')
  clock.advance(249)
  expect(sent).toEqual([])
  clock.advance(1)
  expect(sent.map(({ quotes }) => quotes.map(({ id, value: text }) => `${id} ${text}`))).toEqual([['BRTI 3', 'NCI 2']])
  feed.watch(false)
  value('BRTI', '4')
  clock.advance(10_000)
  expect(sent).toHaveLength(1)
})

test('when other indices are shown it asks for a snapshot again, and is then pushed theirs', () => {
  const { clock, feed, sent, value, set, snapshot } = start()
  feed.watch(true)
  const before = snapshot().number
  clock.advance(250)
  sent.length = 0
  set({ tickerSize: 'large' })
  clock.advance(250)
  expect(sent).toMatchObject([{ state: { settings: { tickerSize: 'large', profiles: [] } } }])
  set({ tickerIds: ['BRR'] })
  clock.advance(250)
  expect((sent.at(-1)?.number ?? 0) - before).toBeGreaterThan(sent.length + 1)
  expect(snapshot().quotes.map(({ id }) => id)).toEqual(['BRR'])
  value('BRR', '5')
  clock.advance(250)
  expect(sent.at(-1)?.quotes).toMatchObject([{ id: 'BRR', value: '5' }])
})
