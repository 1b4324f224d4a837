import { describe, expect, test } from 'vitest'
import {
  Notifications,
  type NotificationRequest,
  type NativeNotification,
} from '../../../../main/desktop/notifications'
import type { AlertSeverity } from '../../../../protocol/severity'
import { FakeClock } from '../../../support/fake-clock'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const event = firedEvent(1, levelDraft(), { id: 'event' })

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

function open({ isSupported = true, isWanted = true, onShow = 'show', heard = ['urgent'] as AlertSeverity[] } = {}) {
  const clock = new FakeClock()
  const log: string[] = []
  const asked: NotificationRequest[] = []
  const notification = new ScriptedNotification(onShow)
  const notifications = new Notifications({
    clock,
    isSupported: () => isSupported,
    isWanted: () => isWanted,
    soundSeverities: () => heard,
    text: { listsOf: () => [], isRealTime: () => true, namesConnections: () => false },
    create: (notice) => {
      asked.push(notice)
      return asked.length === 1 ? notification : new ScriptedNotification(onShow)
    },
    onDelivery: (id, delivery) => log.push(`${id} ${delivery}`),
    onClick: (indexId) => log.push(`opens ${indexId ?? 'the inbox'}`),
  })
  return { clock, log, asked, notification, notifications }
}

function start(options: Parameters<typeof open>[0] = {}) {
  const opened = open(options)
  opened.notifications.notify({ kind: 'single', event })
  return opened
}

describe('what becomes of a notification', () => {
  test('shown, then clicked: the index opens', () => {
    const { log, notification, notifications } = start()
    expect(notifications.heldCount).toBe(1)
    notification.happen('click')
    expect(log).toEqual(['event shown', 'event clicked', 'opens BRTI'])
    expect(notifications.heldCount).toBe(0)
  })

  test('not wanted: none is made, and the inbox says that they are off', () => {
    const { log, asked } = start({ isWanted: false })
    expect(asked).toEqual([])
    expect(log).toEqual(['event off'])
  })

  test('closed by its reader: it stays shown, and what a new daemon says under the same number is not meant', () => {
    const { log, notification, notifications } = start()
    notification.happen('close')
    notification.happen('click')
    expect(log).toEqual(['event shown'])
    expect(notifications.heldCount).toBe(0)
  })

  test('closed before it was said to be shown: nobody knows', () => {
    const { clock, log, notification } = start({ onShow: 'nothing' })
    notification.happen('close')
    clock.advance(60_000)
    expect(log).toEqual(['event unknown'])
  })

  test('no daemon', () => {
    const { clock, log, notifications } = start({ onShow: 'failed' })
    clock.advance(60_000)
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
    expect(log).toEqual(['event unknown', 'event clicked', 'opens BRTI'])
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

  test('the oldest of more than two hundred is not held any more, and a click on it opens nothing', () => {
    const { log, notification, notifications } = start()
    for (let count = 0; count < 200; count++) notifications.notify({ kind: 'single', event })
    expect(notifications.heldCount).toBe(200)
    notification.happen('click')
    expect(log).not.toContain('event clicked')
  })

  test('those beyond a hundred that are still there have no picture', () => {
    const { asked, notification, notifications } = start()
    const more = (count: number) => {
      for (let each = 0; each < count; each++) notifications.notify({ kind: 'single', event })
      return asked.slice(-count).map(({ hasIcon }) => hasIcon)
    }
    expect(more(99)).not.toContain(false)
    notification.happen('close')
    expect(more(3)).toEqual([true, false, false])
  })

  test('nothing is said of it once the app ends', () => {
    const { clock, log, notifications } = start({ onShow: 'nothing' })
    notifications.dispose()
    clock.advance(60_000)
    expect(log).toEqual([])
    expect(clock.pending).toBe(0)
  })
})

describe('several events in one notification', () => {
  const events = ['a', 'b'].map((id) => firedEvent(1, levelDraft(), { id }))

  test('each is said to be in it, and a click opens the inbox', () => {
    const { log, asked, notification, notifications } = open()
    notifications.notify({ kind: 'digest', events })
    expect(asked).toHaveLength(1)
    expect(log).toEqual(['a inDigest', 'b inDigest'])
    notification.happen('click')
    expect(log.at(-1)).toBe('opens the inbox')
    expect(log).not.toContain('a clicked')
  })

  test('each has failed when it failed', () => {
    const { log, notifications } = open({ onShow: 'failed' })
    notifications.notify({ kind: 'digest', events })
    expect(log).toEqual(['a failed', 'b failed'])
  })

  test('the most urgent of them says how it is shown', () => {
    const { asked, notifications } = open()
    const urgent = firedEvent(1, { ...levelDraft(), severity: 'urgent' })
    notifications.notify({ kind: 'digest', events: [urgent, ...events] })
    notifications.notify({ kind: 'digest', events })
    expect(asked).toMatchObject([
      { urgency: 'critical', timeoutType: 'never', playsSound: true },
      { urgency: 'normal', timeoutType: 'default', playsSound: false },
    ])
  })
})

test.each([
  ['info', 'low', 'default', true],
  ['normal', 'normal', 'default', false],
  ['urgent', 'critical', 'never', true],
] as const)('%s: urgency %s, time %s, heard as the user wants it', (severity, urgency, timeoutType, playsSound) => {
  const { asked, notifications } = open({ heard: ['info', 'urgent'] })
  notifications.notify({ kind: 'single', event: firedEvent(1, { ...levelDraft(), severity }) })
  expect(asked).toMatchObject([{ urgency, timeoutType, playsSound }])
})

describe('a test alert answers', () => {
  test.each([
    [{}, 'shown'],
    [{ onShow: 'failed' }, 'failed'],
    [{ isSupported: false }, 'failed'],
    [{ isWanted: false }, 'off'],
  ] as const)('at once: %o %s', async (options, answer) => {
    const { log, notifications } = open(options)
    expect(await notifications.test()).toBe(answer)
    expect(log).toEqual([])
  })

  test('unknown after two seconds', async () => {
    const { clock, notifications } = open({ onShow: 'nothing' })
    const answer = notifications.test()
    clock.advance(2_000)
    expect(await answer).toBe('unknown')
  })

  test('and is heard where any alert is', async () => {
    const silent = open({ heard: [] })
    const loud = open({ heard: ['info'] })
    await Promise.all([silent.notifications.test(), loud.notifications.test()])
    expect([silent.asked[0]?.playsSound, loud.asked[0]?.playsSound]).toEqual([false, true])
  })
})
