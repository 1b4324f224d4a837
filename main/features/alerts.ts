import type { IndexId, Settings } from '../../core/model'
import type { Owners } from '../access/latest'
import { DataWatch } from '../alerts/data-watch'
import { AlertEngine } from '../alerts/engine'
import { Judging } from '../alerts/judging'
import { ListAlerts } from '../alerts/list-alerts'
import { RangeTester } from '../alerts/range-tester'
import { ReachWatch } from '../alerts/reach-watch'
import { arrayEqual } from '../base/array-equal'
import { userDay } from '../base/user-time'
import { alertCommands, faultOfDraft } from './alert-commands'
import { draftContexts } from './alert-previews'
import { notJudgedOf } from '../../protocol/judging'
import { slice, type Core, type SharedFeature } from './feature'
import { offeredIndices, watchedIndex } from './known-index'
import { alertSubscriptions } from './subscriptions'

type Sources = Pick<Owners, 'connections' | 'quotes' | 'pages'>

/** The feature of alerts: rules, inbox, whether they are evaluated, and the data of their indices. */
export function createAlerts(core: Core, sources: Sources) {
  const { clock, settings, history, events, onError } = core
  const { connections, quotes } = sources
  const resolutionOf = (id: IndexId) => connections.resolutionOf(id)
  const alerts = new AlertEngine({
    ...core,
    cadenceOf: resolutionOf,
    originOf: (id) => connections.originOf(id),
    sourceOf: (id) => quotes.store.sourceOf(id),
    dayOf: (ms) => userDay(ms, settings.get().timeZone),
  })
  const judging = new Judging({ clock, onError })
  const dataWatch = new DataWatch({
    clock,
    ids: () => alerts.indexIds(),
    rulesOf: (id) => alerts.viewsOf(id),
    snoozes: () => alerts.snoozes(),
    indexOf: (id) => watchedIndex(sources, id),
    onError,
  })
  const reachWatch = new ReachWatch({
    clock,
    rules: () => alerts.views(),
    offers: () => offeredIndices(sources),
    onFound: (found) => void alerts.noteReach(found),
    onError,
  })
  const listAlerts = new ListAlerts({
    ...core,
    engine: alerts,
    watchlists: () => settings.get().watchlists,
    areListsKnown: () => !['settings', 'newerSettings'].includes(notJudgedOf(judging.view)?.reason ?? ''),
    checker: () => {
      const contextOf = draftContexts(clock, { connections, reachWatch })
      return (draft) => faultOfDraft(draft, contextOf)
    },
    latestOf: (id) => quotes.store.get(id),
  })
  const rangeTester = new RangeTester({
    history,
    startThread: (task) => core.startThread('range-test-worker.js', task),
  })
  const needed = neededSubscriptions(alerts, resolutionOf)
  return {
    alerts,
    judging,
    dataWatch,
    reachWatch,
    documents: () => documentsOf(alerts),
    slices: [
      slice(() => ({ missingData: dataWatch.view }), dataWatch.events, 'changed'),
      slice(() => ({ judging: judging.view }), judging.events, 'changed'),
      slice(() => ({ listAlerts: listAlerts.all() }), listAlerts.events, 'changed'),
    ],
    commands: alertCommands(core, { ...sources, alerts, listAlerts, reachWatch, rangeTester }),
    wanted: needed.take,
    /** Call before another service is used. Resolves when everything of the old one is stored. */
    async leave() {
      reachWatch.reset()
      judging.setRulesRead(false)
      judging.set('lost', undefined)
      await listAlerts.settled()
      await alerts.leave()
      listAlerts.leave()
    },
    follow() {
      const reachChanged = () => reachWatch.changed()
      connections.events.on('statusChanged', () => {
        alerts.setPaused(connections.isPaused)
        dataWatch.changed()
        reachWatch.changed()
        judging.set('key', keyFault(connections))
      })
      connections.events.on('refusalChanged', reachChanged)
      // Before rules that cannot fire are reported.
      connections.events.on('catalogueChanged', () => listAlerts.offersChanged())
      connections.events.on('catalogueChanged', reachChanged)
      connections.events.on('constituentsPublished', ({ id, publication }) =>
        reachWatch.constituentsSeen(id, publication),
      )
      connections.events.on('conditionsPublished', ({ id, publication }) => reachWatch.conditionsSeen(id, publication))
      connections.events.on('refused', (refusal) => reachWatch.refused(refusal))
      connections.events.on('wentLive', (ids) => reachWatch.connected(ids))
      quotes.store.events.on('changed', ({ previous, next, by, isBehind }) => {
        alerts.consider(previous, next, by, isBehind)
        dataWatch.valueSeen(next.id)
        reachWatch.valueSeen(next.id)
      })
      quotes.store.events.on('past', ({ id, publication, by }) => alerts.considerPast(id, publication, by))
      history.events.on('lost', () => judging.set('lost', { reason: 'lost' }))
      alerts.events.on('notice', core.notice)
      listAlerts.events.on('notice', core.notice)
      alerts.events.on('changed', () => {
        judging.setRulesRead(alerts.isJudging)
        if (alerts.count > 0) judging.set('lost', undefined)
        dataWatch.changed()
        reachWatch.changed()
        listAlerts.check()
        if (needed.haveChanged()) events.emit('wantedChanged', null)
      })
    },
    settingsChanged({ profiles }: Settings) {
      if (profiles.length > 0) judging.set('settings', undefined)
      listAlerts.check()
    },
    woke: () => alerts.woke(),
    async dispose() {
      alerts.dispose()
      dataWatch.dispose()
      reachWatch.dispose()
      await rangeTester.dispose()
    },
  } satisfies SharedFeature
}

/** The small parts of the alerts. Each is sent whole. */
export function documentsOf(alerts: Pick<AlertEngine, 'unreadCount' | 'olderEventsVersion' | 'snoozes'>) {
  return {
    unreadCount: alerts.unreadCount(),
    olderEventsVersion: alerts.olderEventsVersion(),
    snoozes: alerts.snoozes(),
  }
}

/** Tracks which streams the alerts need, and whether that changed since `take`. */
export function neededSubscriptions(
  alerts: Pick<AlertEngine, 'listening'>,
  resolutionOf: Parameters<typeof alertSubscriptions>[1],
) {
  const now = () => alertSubscriptions(alerts.listening(), resolutionOf)
  const keys = () =>
    taken.map(
      ({ stream, id, ...more }) => `${stream} ${id} ${'maxResolution' in more ? (more.maxResolution ?? '') : ''}`,
    )
  let taken: ReturnType<typeof now> = []
  let listening = alerts.listening()
  return {
    take: () => (taken = now()),
    haveChanged: () => {
      if (alerts.listening() === listening) return false
      listening = alerts.listening()
      const before = keys()
      taken = now()
      return !arrayEqual(before, keys())
    },
  }
}

/** The first key with a fault. A connection is named only if others have none. */
function keyFault({ keyFaults, views }: Owners['connections']): Parameters<Judging['set']>[1] {
  const [first] = keyFaults
  if (first === undefined) return undefined
  const isOfAll = keyFaults.length === views.length
  return { reason: first.isMissing ? 'keyMissing' : 'keyRefused', ...(!isOfAll && { connection: first.name }) }
}
