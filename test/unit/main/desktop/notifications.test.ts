import { describe, expect, test } from 'vitest'
import { notificationText } from '../../../../main/desktop/notification-text'
import { Notifications, type NativeNotification } from '../../../../main/desktop/notifications'
import { plainText } from '../../../../main/desktop/plain-text'
import type { AlertEvent } from '../../../../protocol/alert-events'
import { FakeClock } from '../../../support/fake-clock'

const publishedAtMs = new Date(2023, 10, 1, 14, 2, 11, 400).getTime()
const event: AlertEvent = {
  id: 'event',
  ruleId: 'rule',
  indexId: 'BRTI',
  condition: 'atOrAbove',
  level: '68500.00',
  value: '68500.120',
  publishedAtMs,
  firedAtMs: publishedAtMs + 40,
  delivery: 'pending',
  isRead: false,
}

class ScriptedNotification implements NativeNotification {
  readonly #listeners = new Map<string, () => void>()
  readonly #onShow: string

  constructor(onShow: string) {
    this.#onShow = onShow
  }

  on(name: string, listener: () => void): void {
    this.#listeners.set(name, listener)
  }

  show(): void {
    this.happen(this.#onShow)
  }

  happen(name: string): void {
    this.#listeners.get(name)?.()
  }
}

function start({ isSupported = true, isWanted = true, onShow = 'show' } = {}) {
  const clock = new FakeClock()
  const log: string[] = []
  const notification = new ScriptedNotification(onShow)
  const notifications = new Notifications({
    clock,
    isSupported: () => isSupported,
    isWanted: () => isWanted,
    create: () => notification,
    onDelivery: (id, delivery) => log.push(`${id} ${delivery}`),
    onClick: (id) => log.push(`${id} opens`),
  })
  notifications.show(event)
  return { clock, log, notification, notifications }
}

describe('what becomes of a notification', () => {
  test('shown, then clicked: the alerts open', () => {
    const { log, notification, notifications } = start()
    expect(notifications.heldCount).toBe(1)
    notification.happen('click')
    expect(log).toEqual(['event shown', 'event clicked', 'event opens'])
    expect(notifications.heldCount).toBe(0)
  })

  test('not wanted: none is made, and the inbox says that they are off', () => {
    const { log, notifications } = start({ isWanted: false })
    expect(notifications.heldCount).toBe(0)
    expect(log).toEqual(['event off'])
  })

  test('closed by its reader: it stays shown', () => {
    const { log, notification, notifications } = start()
    notification.happen('close')
    expect(log).toEqual(['event shown'])
    expect(notifications.heldCount).toBe(0)
  })

  test('no daemon', () => {
    const { log, notifications } = start({ onShow: 'failed' })
    expect(log).toEqual(['event failed'])
    expect(notifications.heldCount).toBe(0)
  })

  test('no library for it', () => {
    expect(start({ isSupported: false }).log).toEqual(['event failed'])
  })

  test('no answer in two seconds: unknown, until one comes', () => {
    const { clock, log, notification } = start({ onShow: 'nothing' })
    clock.advance(1_999)
    expect(log).toEqual([])
    clock.advance(1)
    expect(log).toEqual(['event unknown'])
    notification.happen('click')
    expect(log).toEqual(['event unknown', 'event clicked', 'event opens'])
  })

  test('an answer in time is not doubted later', () => {
    const { clock, log } = start()
    clock.advance(60_000)
    expect(log).toEqual(['event shown'])
  })

  test('one that nobody touches is let go after a day', () => {
    const { clock, notifications } = start()
    clock.advance(24 * 3_600_000 - 1)
    expect(notifications.heldCount).toBe(1)
    clock.advance(1)
    expect(notifications.heldCount).toBe(0)
  })
})

describe('what it says', () => {
  test('threshold in the title, value with every digit and its time in the body', () => {
    expect(notificationText(event)).toEqual({
      title: 'BRTI at or above 68,500.00',
      body: '68,500.120 at 14:02:11.400',
    })
  })

  test('that it was crossed in a gap, with both times', () => {
    const { body } = notificationText({ ...event, gapSinceMs: publishedAtMs - 60_000 })
    expect(body).toBe('68,500.120 at 14:02:11.400, crossed in a gap since 14:01:11.400')
  })

  test('nothing that a desktop reads as markup, and no hidden direction', () => {
    expect(plainText('<b>5 & 6</b>\u202eabc\u0000\nnext')).toBe('‹b›5 + 6‹/b›abc next')
    expect(plainText('x'.repeat(10_000)).length).toBeLessThanOrEqual(200)
    expect(plainText('\ud800')).toBe('\ufffd')
  })
})
