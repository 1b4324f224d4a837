import { expect, test } from 'vitest'
import { AlertRelay } from '../../../main/app-alert-relay'
import type { WindowState } from '../../../protocol/desktop'
import { openAlerts } from '../../support/open-alerts'
import { levelDraft } from '../../support/sample-alerts'

const crossing = { ...levelDraft('100', { condition: 'crosses' }), repeat: { mode: 'everyCrossing' } } as const

async function start() {
  const opened = await openAlerts()
  const { clock, engine: alerts } = opened
  const pushes: Partial<WindowState>[] = []
  const asked = { times: 0 }
  const relay = new AlertRelay({ clock, alerts }, { stateChanged: (patch) => pushes.push(patch) }, () => {
    asked.times++
  })
  alerts.events.on('changed', () => {
    relay.changed()
  })
  opened.quotes.events.on('changed', () => {
    relay.valueSeen()
  })
  relay.watch(true)
  return { ...opened, relay, pushes, asked }
}

test('the window is told at once, then at most four times a second, with what it is then', async () => {
  const { clock, engine, pushes, asked } = await start()
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
  expect(asked.times).toBe(1)
})

test('what holds is told each second, although nothing else happens', async () => {
  const { engine, publish, clock, pushes } = await start()
  await engine.create({ ...crossing, holdMs: 60_000 }, 'wait', undefined)
  for (const text of ['99', '101', '102', '103', '104']) publish(text)
  clock.advance(1_000)
  const held = pushes.slice(-3).map(({ alerts }) => alerts?.[0]?.heldMs)
  expect(held).toEqual([1_000, 2_000, 3_000])
  const told = pushes.length
  clock.advance(60_000)
  expect(pushes).toHaveLength(told)
  // A value that changes nothing is no news; without rules that are further on nothing travels.
  publish('104', { id: 'NCI' })
  clock.advance(2_000)
  expect(pushes).toHaveLength(told)
})

test('rules and events that are the same as before do not travel again', async () => {
  const { engine, clock, pushes } = await start()
  await engine.create(crossing, 'wait', undefined)
  clock.advance(1_000)
  await engine.snooze({ of: 'group', group: 'none' }, null)
  expect(pushes.at(-1)).toEqual({ unreadCount: 0, snoozes: [{ scope: { of: 'group', group: 'none' }, untilMs: null }] })
})

test('nothing is made for a window nobody sees, and no timer runs', async () => {
  const { engine, relay, publish, clock, pushes } = await start()
  await engine.create({ ...crossing, holdMs: 60_000 }, 'wait', undefined)
  publish('99')
  relay.watch(false)
  const told = pushes.length
  publish('101')
  publish('102')
  clock.advance(2_000)
  expect([pushes.length, clock.pending]).toEqual([told, 0])
  relay.watch(true)
  publish('103')
  clock.advance(1_000)
  expect(pushes.at(-1)).toMatchObject({ alerts: [{ heldMs: 4_000 }] })
})

test('the service is asked for something else only when other rules listen', async () => {
  const { engine, publish, asked } = await start()
  await engine.create(crossing, 'wait', undefined)
  publish('99')
  publish('101')
  publish('99')
  expect(asked.times).toBe(1)
  await engine.create(levelDraft('200'), 'wait', undefined)
  expect(asked.times).toBe(2)
  publish('201')
  publish('200')
  expect([asked.times, engine.listening().length]).toEqual([2, 2])
  publish('199')
  publish('200')
  // The second rule has told once and is done; an amendment may undo that.
  expect([asked.times, engine.listening().length]).toEqual([2, 2])
  await engine.remove('a')
  expect([asked.times, engine.listening().length]).toEqual([3, 1])
})
