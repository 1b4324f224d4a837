import { expect, test } from 'vitest'
import { neededSubscriptions } from '../../../../main/features/alerts'
import { createIndexPage } from '../../../../main/features/index-page'
import { createLists } from '../../../../main/features/lists'
import { alertSubscriptions, createWanted } from '../../../../main/features/subscriptions'
import type { AlertEngine } from '../../../../main/alerts/engine'
import { firstSettings } from '../../../../main/storage/settings'
import type { AlertTerms } from '../../../../core/alerts'
import type { ConnectionState, ConstituentsPublication, Resolution } from '../../../../core/model'
import { Emitter } from '../../../../main/base/emitter'
import type { ConnectionEvents } from '../../../../main/connections/connection-events'
import { FakeClock } from '../../../support/fake-clock'
import { featureCore } from '../../../support/feature-core'
import { openAlerts } from '../../../support/open-alerts'
import { levelDraft, ruleView } from '../../../support/sample-alerts'
import { onError } from '../../../support/on-error'

function asked(terms: AlertTerms, resolution?: Resolution) {
  return alertSubscriptions([ruleView('r1', { ...levelDraft(), terms })], () => resolution)
}

const value = { stream: 'value', id: 'BRTI', maxResolution: 'PER_SECOND' }
const level: AlertTerms = { condition: 'crosses', level: '1' }

test('a rule about a level needs the values of its index', () => expect(asked(level)).toEqual([value]))

test('a rule sees every value of an index that publishes every 200 ms', () => {
  expect(asked(level, 'PER_200MS')).toEqual([{ ...value, maxResolution: 'PER_200MS' }])
  expect(asked(level, 'DAILY')).toEqual([value])
})

test('rules on constituents, corporate actions and market conditions need their streams', () => {
  const terms: AlertTerms = { condition: 'weightAtOrAbove', constituent: 'BTC', weightPercent: '60' }
  expect(asked(terms)).toEqual([value, { stream: 'constituents', id: 'BRTI' }])
  expect(asked({ condition: 'corporateAction' })).toEqual([value, { stream: 'active_corporate_action', id: 'BRTI' }])
  expect(asked({ condition: 'spreadAtOrAbove', spreadBps: '10' })).toEqual([value, { stream: 'rti_stats', id: 'BRTI' }])
})

const constituents: ConstituentsPublication = { value: '1.5', publishedAtMs: 0, constituents: [] }

/** The subscriptions with one list, these pins and these alerts. */
function wanted(options: {
  pinnedIds?: string[]
  tickerIds?: string[]
  showsTicker?: boolean
  alerts?: Pick<AlertEngine, 'listening'>
  state?: ConnectionState
}) {
  const list = { id: 'l', name: 'L', entries: [{ id: 'BRTI', maxResolution: 'PER_200MS' as const }] }
  const { pinnedIds = [], tickerIds = [], showsTicker = true } = options
  const settings = { ...firstSettings(), watchlists: [list], pinnedIds, tickerIds, showsTicker }
  const forgotten: string[] = []
  const computed: string[] = []
  const asked = { times: 0 }
  const clock = new FakeClock()
  const events = new Emitter<ConnectionEvents>(onError)
  const publishConstituents = (id: string) =>
    events.emit('constituentsPublished', { id, publication: constituents, leftOut: 0 })
  const lists = createLists(
    { settings: { get: () => settings } } as unknown as Parameters<typeof createLists>[0],
    {} as Parameters<typeof createLists>[1],
  )
  const alerts = neededSubscriptions(options.alerts ?? { listening: () => [] }, () => undefined)
  const subscriptions = createWanted({
    wanted: () => [...lists.wanted(), ...alerts.take()],
    connections: {
      events,
      connectionOf: () => ({ status: { state: options.state ?? 'live' } }),
      resolutionOf: () => undefined,
      wantedChanged: () => asked.times++,
    },
    clock,
    values: {
      quotes: { forget: (id: string) => forgotten.push(id) },
      want: (ids: ReadonlySet<string>) => computed.push(...ids),
    },
  } as unknown as Parameters<typeof createWanted>[0])
  const alertsChanged = () => alerts.haveChanged() && subscriptions.changed()
  return { alertsChanged, subscriptions, settings, forgotten, computed, asked, clock, publishConstituents }
}

test('requests the parts of a formula instead of the formula', () => {
  const { subscriptions, computed } = wanted({ pinnedIds: ['ETH \u00f7 BRR'] })
  expect(subscriptions.all()).toEqual([
    { stream: 'value', id: 'BRTI', maxResolution: 'PER_200MS' },
    { stream: 'value', id: 'ETH', maxResolution: 'PER_SECOND' },
    { stream: 'value', id: 'BRR', maxResolution: 'PER_SECOND' },
  ])
  subscriptions.changed()
  expect(computed).toEqual(['BRTI', 'ETH \u00f7 BRR', 'ETH', 'BRR'])
})

test('requests compared indices, in a list or not', () => {
  const sources = { connections: { resolutionOf: () => undefined, connectionOf: () => undefined } }
  const { chart, wanted: ofPage } = createIndexPage(
    featureCore(),
    sources as unknown as Parameters<typeof createIndexPage>[1],
  )
  chart.follow(['NCI'])
  expect(ofPage()).toEqual([{ stream: 'value', id: 'NCI', maxResolution: 'PER_SECOND' }])
})

test("requests pinned indices and the ticker's, in a list or not", () =>
  expect(wanted({ pinnedIds: ['NCI'], tickerIds: ['BRR'] }).subscriptions.all()).toEqual([
    { stream: 'value', id: 'BRTI', maxResolution: 'PER_200MS' },
    { stream: 'value', id: 'NCI', maxResolution: 'PER_SECOND' },
    { stream: 'value', id: 'BRR', maxResolution: 'PER_SECOND' },
  ]))

test("requests the ticker's indices only while it is open", () => {
  const { subscriptions, settings, forgotten } = wanted({ tickerIds: ['BRR'], showsTicker: false })
  const asked = () => subscriptions.all().map(({ id }) => id)
  expect(asked()).toEqual(['BRTI'])
  settings.showsTicker = true
  subscriptions.changed()
  expect(asked()).toEqual(['BRTI', 'BRR'])
  settings.showsTicker = false
  subscriptions.changed()
  expect(forgotten).toEqual(['BRR'])
})

test('forgets values that are no longer wanted', () => {
  const { subscriptions, settings, forgotten, asked } = wanted({ pinnedIds: ['NCI'] })
  subscriptions.changed()
  expect([forgotten, asked.times]).toEqual([[], 1])
  settings.pinnedIds = []
  subscriptions.changed()
  expect([forgotten, asked.times]).toEqual([['NCI'], 2])
})

test('changes the subscriptions only when rules use other indices', async () => {
  const { engine, publish } = await openAlerts()
  const { alertsChanged, asked } = wanted({ alerts: engine })
  engine.events.on('changed', alertsChanged)
  await engine.create(
    { ...levelDraft('100', { condition: 'crosses' }), repeat: { mode: 'everyCrossing' } },
    'wait',
    undefined,
  )
  publish('99')
  publish('101')
  publish('99')
  expect(asked.times).toBe(1)
  await engine.create(levelDraft('200'), 'wait', undefined)
  expect(asked.times).toBe(1)
  await engine.create(levelDraft('200', { indexId: 'BRR' }), 'wait', undefined)
  expect(asked.times).toBe(2)
  publish('199', { id: 'BRR' })
  publish('200', { id: 'BRR' })
  // The third rule has fired once and finished. An amendment may retract that.
  expect([asked.times, engine.listening().length]).toEqual([2, 3])
  await engine.remove('a')
  expect([asked.times, engine.listening().length]).toEqual([2, 2])
  await engine.remove(engine.listening().at(-1)?.id ?? '')
  expect([asked.times, engine.listening().length]).toEqual([3, 1])
})

test('subscribes to constituents for an assistant until they arrive', async () => {
  const { subscriptions, asked, publishConstituents } = wanted({})
  const answer = subscriptions.constituentsOf('NCI')
  expect(subscriptions.all()).toContainEqual({ stream: 'constituents', id: 'NCI' })
  publishConstituents('BRTI')
  publishConstituents('NCI')
  expect(await answer).toEqual(constituents)
  expect(subscriptions.all()).not.toContainEqual({ stream: 'constituents', id: 'NCI' })
  expect(asked.times).toBe(2)
})

test('waits at most five seconds for constituents', async () => {
  const { subscriptions, clock } = wanted({})
  const answer = subscriptions.constituentsOf('NCI')
  clock.advance(5_000)
  expect(await answer).toBeUndefined()
})

test('requests no constituents without a connection', async () => {
  const { subscriptions, asked } = wanted({ state: 'offline' })
  expect(await subscriptions.constituentsOf('NCI')).toBeUndefined()
  expect(asked.times).toBe(0)
})
