import { expect, test } from 'vitest'
import { AlertPushes, RowPace } from '../../../../main/app/page-feed'
import { documentsOf } from '../../../../main/features/alerts'
import { Batcher } from '../../../../main/ipc/batcher'
import type { WindowState, WindowUpdate } from '../../../../protocol/desktop'
import { fromJson } from '../../../../protocol/json'
import type { Resolution } from '../../../../core/model'
import { FakeClock } from '../../../support/fake-clock'
import { historyWith, type MemoryHistory } from '../../../support/memory-history'
import { openAlerts } from '../../../support/open-alerts'
import { valueOf } from '../../../support/value-of'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const crossing = { ...levelDraft('100', { condition: 'crosses' }), repeat: { mode: 'everyCrossing' } } as const

async function startAlerts(history?: MemoryHistory) {
  const opened = await openAlerts(history)
  const { clock, engine: alerts } = opened
  const pushes: WindowUpdate[] = []
  const batcher = new Batcher({
    clock,
    send: (update) => pushes.push(fromJson(update)),
    ageMs: () => 0,
    lists: () => ({ alerts: alerts.views(), inbox: alerts.inbox() }),
  })
  const feed = new AlertPushes({ clock, alertDocuments: () => documentsOf(alerts) }, batcher)
  alerts.events.on('changed', () => feed.changed())
  opened.quotes.events.on('changed', () => feed.valueSeen())
  const watch = (isWatched: boolean) => {
    feed.watch(isWatched)
    if (isWatched) batcher.resume()
    else batcher.pause()
    clock.advance(5)
  }
  watch(true)
  pushes.length = 0
  const ids = (lists: WindowUpdate['lists']) =>
    [lists?.alerts?.put, lists?.inbox?.put].map((put) => put?.map(({ id }) => id))
  return { ...opened, batcher, watch, pushes, ids }
}

test('pushes alerts at once, then at most four times a second in their latest state', async () => {
  const { clock, engine, pushes } = await startAlerts()
  await engine.create(crossing, 'wait', undefined)
  clock.advance(5)
  expect(pushes).toMatchObject([{ lists: { alerts: { put: [{ phase: 'waiting' }] } } }])
  const value = async (text: string) => {
    engine.consider(undefined, { id: 'BRTI', value: text, publishedAtMs: clock.wallMs(), source: 'stream' })
    // An event is shown once it is stored.
    await engine.flush()
    clock.advance(50)
  }
  for (const text of ['99', '101', '99', '101', '99', '101']) await value(text)
  clock.advance(1_000)
  // Changes during 300 ms: those up to 250 ms, and those after.
  expect(pushes.map(({ lists }) => lists?.inbox?.put.length ?? 0)).toEqual([0, 4, 1])
  expect(pushes.at(-1)?.state).toMatchObject({ unreadCount: 5 })
})

test('pushes only the changed rule of many, or only an event', async () => {
  const { clock, engine, pushes, ids, publish } = await startAlerts()
  const drafts = Array.from({ length: 200 }, (_, at) => ({ ...crossing, indexId: `I${at}` }))
  await engine.createAll(drafts, () => undefined)
  const { id: changed } = valueOf(await engine.create(crossing, 'wait', undefined))
  clock.advance(1_000)
  pushes.length = 0
  publish('99')
  expect(ids(pushes[0]?.lists)).toEqual([[changed], undefined])
  pushes.length = 0
  publish('101')
  await engine.flush()
  clock.advance(1_000)
  expect(pushes.flatMap(({ lists }) => lists?.alerts?.put ?? []).every(({ id }) => id === changed)).toBe(true)
  expect(pushes.flatMap(({ lists }) => lists?.inbox?.put ?? []).map(({ ruleId }) => ruleId)).toEqual([changed])
  clock.advance(1_000)
  pushes.length = 0
  await engine.remove(changed)
  clock.advance(1_000)
  expect(pushes.flatMap(({ lists }) => lists?.alerts ?? [])).toEqual([{ put: [], removed: [changed] }])
})

test('names an event that left the newest as removed, and sends a read one again', async () => {
  const events = Array.from({ length: 200 }, (_, at) => firedEvent(at + 1, levelDraft(), { isRead: at !== 100 }))
  const { clock, engine, pushes, publish } = await startAlerts(await historyWith({ events }))
  await engine.create(crossing, 'wait', undefined)
  publish('99')
  clock.advance(1_000)
  pushes.length = 0
  publish('101')
  await engine.flush()
  clock.advance(1_000)
  expect(pushes.flatMap(({ lists }) => lists?.inbox?.removed ?? [])).toEqual(['e1'])
  const put = pushes.flatMap(({ lists }) => lists?.inbox?.put ?? [])
  expect(new Set(put.map(({ number }) => number))).toEqual(new Set([201]))
  pushes.length = 0
  engine.markRead()
  clock.advance(1_000)
  expect(pushes.at(-1)?.state).toMatchObject({ unreadCount: 0 })
  expect(pushes.flatMap(({ lists }) => lists?.inbox?.put ?? []).map(({ number }) => number)).toEqual([201, 101])
})

test('pushes the progress of holds each second', async () => {
  const { engine, publish, clock, pushes } = await startAlerts()
  await engine.create({ ...crossing, holdMs: 60_000 }, 'wait', undefined)
  for (const text of ['99', '101', '102', '103', '104']) publish(text)
  clock.advance(1_010)
  const held = pushes.slice(-3).map(({ lists }) => lists?.alerts?.put[0]?.heldMs)
  expect(held).toEqual([1_000, 2_000, 3_000])
  const pushed = pushes.length
  clock.advance(60_000)
  expect(pushes).toHaveLength(pushed)
  // A value that changes nothing is not pushed, and nothing is pushed without progress of rules.
  publish('104', { id: 'NCI' })
  clock.advance(2_000)
  expect(pushes).toHaveLength(pushed)
})

test('does not push unchanged rules and events again', async () => {
  const { engine, clock, pushes } = await startAlerts()
  await engine.create(crossing, 'wait', undefined)
  clock.advance(1_000)
  await engine.snooze({ of: 'group', group: 'none' }, null)
  clock.advance(10)
  const snoozes = [{ scope: { of: 'group', group: 'none' }, untilMs: null }]
  expect(pushes.at(-1)).toMatchObject({ state: { unreadCount: 0, olderEventsVersion: 0, snoozes } })
  expect(pushes.at(-1)?.lists).toBeUndefined()
})

test('runs no timer for an invisible window', async () => {
  const { engine, watch, publish, clock, pushes, batcher, ids } = await startAlerts()
  const { id } = valueOf(await engine.create({ ...crossing, holdMs: 60_000 }, 'wait', undefined))
  publish('99')
  watch(false)
  const pushed = pushes.length
  publish('101')
  publish('102')
  clock.advance(2_000)
  expect([pushes.length, clock.pending]).toEqual([pushed, 0])
  watch(true)
  // The page must ask, and is not sent the content of the answer.
  expect(pushes.slice(pushed).map(({ lists }) => lists)).toEqual([undefined])
  batcher.snapshot([], [], { alerts: engine.views(), inbox: engine.inbox() } as unknown as WindowState)
  publish('103')
  clock.advance(1_000)
  expect(pushes.at(-1)).toMatchObject({ lists: { alerts: { put: [{ heldMs: 4_005 }] } } })
  expect(pushes.slice(pushed + 1).map(({ lists }) => ids(lists))).toEqual([[[id], undefined]])
})

function startRows(resolution: Resolution | undefined) {
  const clock = new FakeClock()
  const pushed: string[] = []
  const known = { resolution }
  const rows = new RowPace({ clock, resolutionOf: () => known.resolution, push: (id) => pushed.push(id) })
  rows.watch(true)
  const publishAll = (ids: readonly string[]) => {
    for (const id of ids) rows.valueChanged(id)
  }
  return { clock, pushed, rows, known, publishAll }
}

test('pushes the first value at once, then a ticking row every five seconds', () => {
  const { clock, pushed, rows } = startRows('PER_SECOND')
  for (let second = 0; second < 11; second++) {
    rows.valueChanged('BRTI')
    clock.advance(1_000)
  }
  expect(pushed).toEqual(['BRTI', 'BRTI', 'BRTI'])
})

test('pushes each value of a slow row at once', () => {
  const { pushed, rows } = startRows('DAILY')
  rows.valueChanged('BRR')
  rows.valueChanged('BRR')
  expect(pushed).toEqual(['BRR', 'BRR'])
})

test('pushes nothing until the frequency is known', () => {
  const { clock, pushed, rows, known } = startRows(undefined)
  rows.valueChanged('BRTI')
  clock.advance(60_000)
  expect(pushed).toEqual([])
  known.resolution = 'PER_SECOND'
  rows.valueChanged('BRTI')
  expect(pushed).toEqual(['BRTI'])
})

test('a reset drops waiting pushes and starts over', () => {
  const { clock, pushed, rows } = startRows('PER_SECOND')
  rows.valueChanged('BRTI')
  rows.valueChanged('BRTI')
  rows.reset()
  clock.advance(60_000)
  expect(pushed).toEqual(['BRTI'])
  rows.valueChanged('BRTI')
  expect(pushed).toEqual(['BRTI', 'BRTI'])
})

test('pushes many rows fifty per turn, each once within five seconds', () => {
  const { clock, pushed, publishAll } = startRows('PER_SECOND')
  const ids = Array.from({ length: 5_000 }, (_, at) => `INDEX${at}`)
  publishAll(ids)
  publishAll(ids)
  pushed.length = 0
  const turns: number[] = []
  for (let ms = 0; ms <= 7_000; ms++) {
    const before = pushed.length
    clock.advance(1)
    if (pushed.length > before) turns.push(pushed.length - before)
  }
  expect(turns).toEqual(Array.from({ length: 100 }, () => 50))
  expect(pushed).toEqual(ids)
})

test('keeps nothing and runs no timer for an invisible page, even between turns', () => {
  const { clock, pushed, rows, publishAll } = startRows('PER_SECOND')
  const ids = Array.from({ length: 120 }, (_, at) => `INDEX${at}`)
  publishAll(ids)
  publishAll(ids)
  pushed.length = 0
  clock.advance(5_000)
  rows.watch(false)
  publishAll(ids)
  clock.advance(60_000)
  expect(pushed).toEqual(ids.slice(0, 50))
  expect(clock.pending).toBe(0)
  rows.watch(true)
  publishAll(ids)
  expect(pushed).toHaveLength(50)
  clock.advance(6_000)
  expect(pushed.slice(50)).toEqual(ids)
})
