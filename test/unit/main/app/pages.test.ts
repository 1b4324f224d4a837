import { expect, test } from 'vitest'
import type { PageSources } from '../../../../main/app/page-feed'
import { createIndexFeed, createTickerFeed, createWindowFeed } from '../../../../main/app/pages'
import { Emitter } from '../../../../main/base/emitter'
import { slice } from '../../../../main/features/feature'
import { firstSettings } from '../../../../main/storage/settings'
import type { WindowState, WindowUpdate } from '../../../../protocol/desktop'
import { fromJson } from '../../../../protocol/json'
import type { Quote, Settings } from '../../../../core/model'
import { FakeClock } from '../../../support/fake-clock'
import { onError } from '../../../support/on-error'
import { sampleSnapshot } from '../../../support/sample-window'
import { firedEvent, levelDraft, ruleView } from '../../../support/sample-alerts'

function quote(id: string, value: string): Quote {
  return { id, value, publishedAtMs: 1, source: 'stream' }
}

/** Both feeds over sources that know BRTI, NCI and BRR. The first two are pinned, and BRR is refused. */
function start() {
  const clock = new FakeClock()
  const events = new Emitter<Record<string, unknown>>(onError)
  const ofConnections = new Emitter<Record<string, unknown>>(onError)
  let settings: Settings = { ...firstSettings(), watchlists: [], pinnedIds: ['BRTI', 'NCI'] }
  const known = ['BRTI', 'NCI', 'BRR']
  const alerts = {
    events: new Emitter<Record<string, unknown>>(onError),
    indexIds: () => known,
    views: () => known.map((indexId) => ruleView(indexId, levelDraft('1', { indexId }))),
    inbox: () => [
      firedEvent(1, levelDraft('1')),
      firedEvent(2, levelDraft('1'), { isRead: true }),
      firedEvent(3, levelDraft('1', { indexId: 'BRR' })),
    ],
  }
  const state = () =>
    ({
      ...sampleSnapshot().state,
      settings,
      catalogue: known.map((id) => ({ id })),
      alerts: alerts.views(),
      inbox: alerts.inbox(),
    }) as WindowState
  const sources = {
    clock,
    settings: { get: () => settings },
    store: { events, all: () => known.map((id) => quote(id, '1')), ageMs: () => 0 },
    formulas: { events: ofConnections },
    connections: { events: ofConnections, resolutionOf: () => 'PER_SECOND' },
    alerts,
    alertDocuments: () => ({}),
    slices: [
      slice(() => ({ status: state().status, connections: state().connections }), ofConnections, 'statusChanged'),
      slice(() => ({ notices: [] }), ofConnections, 'statusChanged'),
    ],
    state,
    rowFacts: (id: string) => (id === 'BRR' ? { id, refusal: 'Unrecognised stream ID' } : { id }),
    onResync: () => () => undefined,
  } as unknown as PageSources
  const sent: WindowUpdate[] = []
  const { feed, settingsChanged } = createTickerFeed(sources, (update) => sent.push(fromJson(update)))
  const value = (id: string, text: string) => events.emit('changed', { next: quote(id, text) })
  const set = (changed: Partial<Settings>) => {
    settings = { ...settings, ...changed }
    settingsChanged(settings)
  }
  const connectionChanged = () => ofConnections.emit('statusChanged', null)
  const windowSent: WindowUpdate[] = []
  const opened = { page: {}, chart: { follows: (id: string) => id === 'BRTI' } }
  const window = createWindowFeed(sources, opened, (update) => windowSent.push(fromJson(update)))
  const ownSent: WindowUpdate[] = []
  const openedSlice = slice(() => ({ opened: { id: 'BRTI', problems: [] } }), ofConnections, 'statusChanged')
  const own = createIndexFeed(
    sources,
    {
      id: 'BRTI',
      inWindow: 'index BRTI',
      openedSlice,
      chart: { follows: (id, inWindow) => inWindow !== undefined && id === 'BRR' },
    },
    (update) => ownSent.push(fromJson(update)),
  )
  const received = (id: string, publishedAtMs: number) =>
    events.emit('received', { id, publication: { value: '1.50', publishedAtMs } })
  return {
    ...{ clock, feed, sent, value, set, connectionChanged, window, windowSent, own, ownSent, received },
    snapshot: () => fromJson(feed.snapshot()),
  }
}

test("a new window has the refusal of an alert's index that is in no list", () => {
  const { rows } = fromJson(start().window.snapshot())
  expect(rows).toEqual([{ id: 'BRTI' }, { id: 'NCI' }, { id: 'BRR', refusal: 'Unrecognised stream ID' }])
})

test('the window gets each value of an index in a chart, in order, and none of another', () => {
  const { clock, window, windowSent, received } = start()
  window.watch(true)
  received('BRTI', 1)
  received('NCI', 1)
  received('BRTI', 2)
  clock.advance(250)
  const point = (publishedAtMs: number) => ({ indexId: 'BRTI', point: { value: '1.50', publishedAtMs } })
  expect(windowSent.flatMap(({ points = [] }) => points)).toEqual([point(1), point(2)])
})

test("the ticker gets the connections' state without names, and no notices", () => {
  const { clock, feed, sent, connectionChanged } = start()
  feed.watch(true)
  clock.advance(250)
  sent.length = 0
  connectionChanged()
  clock.advance(250)
  expect(sent.map(({ state }) => state)).toEqual([{ status: sampleSnapshot().state.status, connections: [] }])
})

test("the ticker's snapshot has its indices as one list and no connections", () => {
  const { snapshot } = start()
  const { quotes, rows, state } = snapshot()
  expect(quotes.map(({ id }) => id)).toEqual(['BRTI', 'NCI'])
  expect(rows.map(({ id }) => id)).toEqual(['BRTI', 'NCI'])
  expect(state.settings.watchlists).toMatchObject([{ name: 'Pinned', entries: [{ id: 'BRTI' }, { id: 'NCI' }] }])
  expect(state.settings.profiles).toEqual([])
  expect(state.catalogue.map(({ id }) => id)).toEqual(['BRTI', 'NCI'])
  expect(state.alerts.map(({ indexId }) => indexId)).toEqual(['BRTI', 'NCI'])
  expect(state.inbox.map(({ id }) => id)).toEqual(['e1'])
  expect([state.connections, state.notices, state.secretsKept]).toEqual([[], [], {}])
})

test('pushes values to the visible ticker at most four times a second', () => {
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

test('the ticker asks for a snapshot when its indices change, then gets their values', () => {
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

test('the window of an index gets its index, its alerts, and no secrets of the main window', () => {
  const { own } = start()
  const { quotes, rows, state } = fromJson(own.snapshot())
  expect(quotes.map(({ id }) => id)).toEqual(['BRTI', 'BRR'])
  expect(rows.map(({ id }) => id)).toEqual(['BRTI'])
  expect(state.alerts.map(({ indexId }) => indexId)).toEqual(['BRTI'])
  expect(state.inbox.map(({ indexId }) => indexId)).toEqual(['BRTI', 'BRTI'])
  expect(state.opened).toMatchObject({ id: 'BRTI' })
  expect(state.settings.profiles).toEqual([])
  expect(state.notices).toEqual([])
})

test('the window of an index gets no pushes for other indices, while hidden, or once closed', async () => {
  const { clock, own, ownSent, value, received } = start()
  value('BRTI', '2')
  await clock.advance(1_000)
  expect(ownSent).toEqual([])
  own.watch(true)
  await clock.advance(1_000)
  ownSent.length = 0
  value('NCI', '2')
  received('BRTI', 1)
  await clock.advance(1_000)
  expect(ownSent).toEqual([])
  value('BRTI', '3')
  received('BRR', 2)
  await clock.advance(1_000)
  expect(ownSent).toMatchObject([{ quotes: [{ id: 'BRTI', value: '3' }], points: [{ indexId: 'BRR' }] }])
  own.dispose()
  value('BRTI', '4')
  received('BRR', 3)
  await clock.advance(1_000)
  expect(ownSent).toHaveLength(1)
})
