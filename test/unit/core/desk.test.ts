import { expect, test } from 'vitest'
import type { AlertEvent } from '../../../core/alert-events'
import {
  aboutPublished,
  deskPeer,
  hasItsKey,
  isSpent,
  keysAround,
  ownCrossing,
  readMessage,
  saysItsTime,
  toDeskEvent,
  writeMessage,
  yields,
  type DeskEvent,
} from '../../../core/desk'
import { firedEvent, levelDraft } from '../../support/sample-alerts'
import { ruleOf } from '../../support/rule-bench'

const fired = firedEvent(1, levelDraft('100'))

test('two watchers give one firing one key, also if one of them received its value late', () => {
  const live = toDeskEvent(fired, 'watch-1')
  const late = toDeskEvent({ ...fired, id: 'e2', number: 9, kind: 'lateFromHistory', recordedAtMs: 5 }, 'watch-2')
  expect(live?.key).toBe(`r0.1.${fired.inputs.publishedAtMs ?? 0}.up.fired`)
  expect(late?.key).toBe(live?.key)
})

test('a retraction carries the key of its firing, and differs from every other event', () => {
  const firing = toDeskEvent(fired, 'watch-1')
  const about = { ...fired, id: 'e1' }
  const retraction = toDeskEvent({ ...fired, id: 'e2', kind: 'retracted', aboutEventId: 'e1' }, 'watch-1', about)
  expect(retraction).toMatchObject({ about: firing?.key, key: `${firing?.key ?? ''}.retracted` })
  // Without its firing it cannot be told from others.
  expect(toDeskEvent({ ...fired, kind: 'retracted', aboutEventId: 'e1' }, 'watch-1')).toBeUndefined()
})

test('snoozes and gaps of a watcher are its own, and so are the reasons of its user', () => {
  for (const kind of ['snoozed', 'notKnown', 'sourceChanged'] as const)
    expect(toDeskEvent({ ...fired, kind }, 'watch-1')).toBeUndefined()
  const held = (heldBackBy: 'muted' | 'cooldown') => toDeskEvent({ ...fired, heldBackBy }, 'watch-1')?.event.heldBackBy
  expect([held('muted'), held('cooldown')]).toEqual([undefined, 'cooldown'])
})

test('a message is read only under its own key', () => {
  const message = toDeskEvent(fired, 'watch-1')
  if (message === undefined) throw new Error('no message')
  const read = readMessage('event', JSON.parse(writeMessage('event', message)))
  expect(read).toEqual({ kind: 'read', value: message })
  expect(hasItsKey(message, message.key)).toBe(true)
  expect(hasItsKey(message, 'r0.1.7.up.fired')).toBe(false)
  expect(hasItsKey({ ...message, key: 'r1.1.7.up.fired' }, 'r1.1.7.up.fired')).toBe(false)
})

test('messages of a newer version and unreadable ones are told apart', () => {
  expect(readMessage('event', { schema: 2 })).toEqual({ kind: 'newer' })
  for (const value of [
    undefined,
    null,
    7,
    'x',
    [],
    {},
    { schema: 0 },
    { schema: 1 },
    { schema: 1, key: 'a', event: {} },
  ])
    expect(readMessage('event', value)).toEqual({ kind: 'unreadable' })
})

test('a rule of the desk has no webhook, and an id that fits a subject', () => {
  const rule = { ...ruleOf({ condition: 'risesTo', level: '1' }), id: 'r-1', webhookUrl: 'https://evil.example/' }
  const read = readMessage('rule', { schema: 1, rule, by: 'Ana', atMs: 1 })
  expect(read.kind === 'read' && 'webhookUrl' in read.value.rule).toBe(false)
  for (const id of ['a.b', 'a>', '*', 'a b', ''])
    expect(readMessage('rule', { schema: 1, rule: { ...rule, id }, by: 'Ana', atMs: 1 }).kind).toBe('unreadable')
})

test('an address has TLS, or is on this computer', () => {
  expect(deskPeer('tls://desk.example')).toEqual({ host: 'desk.example', port: 4_222, isSecure: true })
  expect(deskPeer('tls://desk.example:80')).toEqual({ host: 'desk.example', port: 80, isSecure: true })
  expect(deskPeer('tls://[2001:db8::1]:5222')?.host).toBe('2001:db8::1')
  expect(deskPeer('nats://localhost:4222')?.isSecure).toBe(false)
  for (const bad of [
    'nats://desk.example',
    'tls://a:b@desk.example',
    'https://desk.example',
    'desk.example',
    'tls://',
    '',
  ])
    expect(deskPeer(bad)).toBeUndefined()
})

test('a watcher without values leaves the lead to one with values, and to no other', () => {
  const [live, dead] = [{ isLive: true }, { isLive: false }]
  expect([yields(dead, [live]), yields(dead, [dead]), yields(dead, []), yields(live, [live])]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('a rule that fires once is spent after its firing, and not after its retraction', () => {
  const once = { ...ruleOf({ condition: 'risesTo', level: '1' }), repeat: { mode: 'once' } } as const
  const last = toDeskEvent(fired, 'watch-1')
  const retraction = toDeskEvent({ ...fired, kind: 'retracted', aboutEventId: 'e1' }, 'watch-1', fired)
  expect([isSpent(once, last), isSpent(once, retraction), isSpent(once, undefined)]).toEqual([true, false, false])
  expect(isSpent({ ...once, repeat: { mode: 'everyCrossing' } }, last)).toBe(false)
})

function crossing(previousMs: number | undefined, publishedAtMs: number, more: Partial<AlertEvent> = {}): DeskEvent {
  const previous = previousMs !== undefined && { previous: { value: '99', publishedAtMs: previousMs } }
  const message = toDeskEvent({ ...fired, inputs: { publishedAtMs, direction: 'up', ...previous }, ...more }, 'watch-1')
  if (message === undefined) throw new Error('no message')
  return message
}

test('firings are one crossing if their times since the previous value overlap', () => {
  const published = crossing(10, 11)
  // The other watcher missed the value at 11, has a longer gap around it, or had one before it.
  for (const [from, to] of [
    [10, 12],
    [5, 20],
    [5, 11],
  ] as const)
    expect(ownCrossing(published, [crossing(from, to)]), `${from} to ${to}`).toBeDefined()
  for (const [from, to] of [
    [11, 12],
    [9, 10],
    [undefined, 11],
  ] as const)
    expect(ownCrossing(published, [crossing(from, to)]), `${String(from)} to ${to}`).toBeUndefined()
})

test('of several crossings one is published: that of the same value, or else the first one', () => {
  const own = [crossing(1, 2), crossing(3, 4), crossing(5, 6)]
  expect(ownCrossing(crossing(1, 6), own)).toBe(own[2])
  expect(ownCrossing(crossing(1, 7), own)).toBe(own[0])
  expect(ownCrossing(crossing(2, 7), own)).toBe(own[1])
  expect(ownCrossing(crossing(6, 7), own)).toBeUndefined()
})

test('a confirmation says nothing new if it has the time of the published crossing', () => {
  const published = crossing(10, 11).key
  const confirmed = (atMs: number) => crossing(10, atMs, { kind: 'confirmed' }).event
  expect([saysItsTime(published, confirmed(11)), saysItsTime(published, confirmed(12))]).toEqual([true, false])
  expect(saysItsTime(published, crossing(10, 11).event)).toBe(false)
})

test('a crossing is looked for from its previous value to the next one after it', () => {
  const keys = [9, 2, 5, 7, 4, 12].map((at) => `r0.1.${at}.up.fired`)
  const around = (from: number, to: number) =>
    keysAround(crossing(from, to).event, keys).map((key) => key.split('.')[2])
  expect([around(4, 7), around(5, 6), around(12, 13), around(0, 1)]).toEqual([['5', '7', '9'], ['7'], [], ['2']])
})

test('crossings of another rule, version or direction, and events about firings, are others', () => {
  const published = crossing(1, 2)
  for (const more of [
    { ruleId: 'r9' },
    { ruleVersion: 2 },
    { inputs: { ...published.event.inputs, direction: 'down' } },
    { kind: 'suspended' },
  ] satisfies Partial<AlertEvent>[])
    expect(ownCrossing(published, [crossing(1, 3, more)])).toBeUndefined()
})

test('a retraction gets the key of what the other watcher published in place of its firing', () => {
  const retraction = toDeskEvent({ ...fired, kind: 'retracted', aboutEventId: 'e1' }, 'watch-1', fired)
  if (retraction?.about === undefined) throw new Error('no retraction')
  const published = crossing(10, 11).key
  const moved = aboutPublished(retraction, new Map([[retraction.about, published]]))
  expect(moved).toEqual({ ...retraction, about: published, key: `${published}.retracted` })
  expect(hasItsKey(moved, moved.key)).toBe(true)
  expect(aboutPublished(retraction, new Map())).toBe(retraction)
  expect(aboutPublished(crossing(10, 11), new Map([[published, 'x']]))).toEqual(crossing(10, 11))
})
