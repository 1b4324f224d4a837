import { expect, test } from 'vitest'
import { AlertPushes, RowPace } from '../../../../main/app/window-feed'
import type { WindowState } from '../../../../protocol/desktop'
import type { Resolution } from '../../../../protocol/model'
import { FakeClock } from '../../../support/fake-clock'
import { openAlerts } from '../../../support/open-alerts'
import { levelDraft } from '../../../support/sample-alerts'

const crossing = { ...levelDraft('100', { condition: 'crosses' }), repeat: { mode: 'everyCrossing' } } as const

async function startAlerts() {
  const opened = await openAlerts()
  const { clock, engine: alerts } = opened
  const pushes: Partial<WindowState>[] = []
  const feed = new AlertPushes({ clock, alerts }, (patch) => pushes.push(patch))
  alerts.events.on('changed', () => {
    feed.changed()
  })
  opened.quotes.events.on('changed', () => {
    feed.valueSeen()
  })
  feed.watch(true)
  return { ...opened, feed, pushes }
}

test('alerts are pushed at once, then at most four times a second, with what it is then', async () => {
  const { clock, engine, pushes } = await startAlerts()
  await engine.create(crossing, 'wait', undefined)
  expect(pushes).toMatchObject([{ alerts: [{ phase: 'waiting' }] }])
  const value = (text: string) => {
    engine.consider(undefined, { id: 'BRTI', value: text, publishedAtMs: clock.wallMs(), source: 'stream' })
    clock.advance(50)
  }
  for (const text of ['99', '101', '99', '101', '99', '101']) value(text)
  clock.advance(1_000)
  // 300 ms of changes: what had come about at 250 ms, and what came after it.
  expect(pushes).toHaveLength(3)
  expect(pushes[1]?.inbox).toHaveLength(4)
  expect(pushes[2]).toMatchObject({ unreadCount: 5 })
  expect(pushes[2]?.inbox).toHaveLength(5)
})

test('what holds is pushed each second, although nothing else happens', async () => {
  const { engine, publish, clock, pushes } = await startAlerts()
  await engine.create({ ...crossing, holdMs: 60_000 }, 'wait', undefined)
  for (const text of ['99', '101', '102', '103', '104']) publish(text)
  clock.advance(1_000)
  const held = pushes.slice(-3).map(({ alerts }) => alerts?.[0]?.heldMs)
  expect(held).toEqual([1_000, 2_000, 3_000])
  const pushed = pushes.length
  clock.advance(60_000)
  expect(pushes).toHaveLength(pushed)
  // A value that changes nothing is no news; without rules that are further on nothing is pushed.
  publish('104', { id: 'NCI' })
  clock.advance(2_000)
  expect(pushes).toHaveLength(pushed)
})

test('rules and events that are the same as before are not pushed again', async () => {
  const { engine, clock, pushes } = await startAlerts()
  await engine.create(crossing, 'wait', undefined)
  clock.advance(1_000)
  await engine.snooze({ of: 'group', group: 'none' }, null)
  expect(pushes.at(-1)).toEqual({ unreadCount: 0, snoozes: [{ scope: { of: 'group', group: 'none' }, untilMs: null }] })
})

test('nothing is made for a window nobody sees, and no timer runs', async () => {
  const { engine, feed, publish, clock, pushes } = await startAlerts()
  await engine.create({ ...crossing, holdMs: 60_000 }, 'wait', undefined)
  publish('99')
  feed.watch(false)
  const pushed = pushes.length
  publish('101')
  publish('102')
  clock.advance(2_000)
  expect([pushes.length, clock.pending]).toEqual([pushed, 0])
  feed.watch(true)
  publish('103')
  clock.advance(1_000)
  expect(pushes.at(-1)).toMatchObject({ alerts: [{ heldMs: 4_000 }] })
})

function startRows(resolution: Resolution | undefined) {
  const clock = new FakeClock()
  const pushed: string[] = []
  const known = { resolution }
  const rows = new RowPace({ clock, resolutionOf: () => known.resolution, push: (id) => pushed.push(id) })
  return { clock, pushed, rows, known }
}

test('the first value is pushed at once, then a ticking row every five seconds', () => {
  const { clock, pushed, rows } = startRows('PER_SECOND')
  for (let second = 0; second < 11; second++) {
    rows.valueChanged('BRTI')
    clock.advance(1_000)
  }
  expect(pushed).toEqual(['BRTI', 'BRTI', 'BRTI'])
})

test('a row that publishes rarely is pushed at once each time', () => {
  const { pushed, rows } = startRows('DAILY')
  rows.valueChanged('BRR')
  rows.valueChanged('BRR')
  expect(pushed).toEqual(['BRR', 'BRR'])
})

test('nothing is pushed before it is known how often the index publishes', () => {
  const { clock, pushed, rows, known } = startRows(undefined)
  rows.valueChanged('BRTI')
  clock.advance(60_000)
  expect(pushed).toEqual([])
  known.resolution = 'PER_SECOND'
  rows.valueChanged('BRTI')
  expect(pushed).toEqual(['BRTI'])
})

test('after a reset all begins again and nothing of before is pushed', () => {
  const { clock, pushed, rows } = startRows('PER_SECOND')
  rows.valueChanged('BRTI')
  rows.valueChanged('BRTI')
  rows.reset()
  clock.advance(60_000)
  expect(pushed).toEqual(['BRTI'])
  rows.valueChanged('BRTI')
  expect(pushed).toEqual(['BRTI', 'BRTI'])
})
