import { describe, expect, test } from 'vitest'
import {
  Notifications,
  type NotificationRequest,
  type NativeNotification,
} from '../../../../main/desktop/notifications'
import type { AlertEvent } from '../../../../core/alert-events'
import type { AlertSeverity } from '../../../../core/severity'
import { FakeClock } from '../../../support/fake-clock'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'

const event = firedEvent(1, levelDraft(), { id: 'event' })
/** A firing of a new rule each time. */
const another = (() => {
  let count = 0
  return () => firedEvent(1, levelDraft(), { id: `another ${++count}`, ruleId: `another ${count}` })
})()

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
  const made: NativeNotification[] = []
  const formers: (number | undefined)[] = []
  const notifications = new Notifications({
    clock,
    isSupported: () => isSupported,
    isWanted: () => isWanted,
    soundSeverities: () => heard,
    text: { listsOf: () => [], isRealTime: () => true, namesConnections: () => false },
    create: (notice, former) => {
      asked.push(notice)
      formers.push(former && made.indexOf(former))
      const next = asked.length === 1 ? notification : new ScriptedNotification(onShow)
      made.push(next)
      return next
    },
    onDelivery: (id, delivery) => log.push(`${id} ${delivery}`),
    onClick: (indexId) => log.push(`opens ${indexId ?? 'the inbox'}`),
  })
  return { clock, log, asked, made, formers, notification, notifications }
}

function start(options: Parameters<typeof open>[0] = {}) {
  const opened = open(options)
  opened.notifications.notify([event])
  return opened
}

describe('the result of a notification', () => {
  test('is shown, then clicked, which opens the index', () => {
    const { log, notification, notifications } = start()
    expect(notifications.heldCount).toBe(1)
    notification.happen('click')
    expect(log).toEqual(['event shown', 'event clicked', 'opens BRTI'])
    expect(notifications.heldCount).toBe(0)
  })

  test('is off if the user wants none', () => {
    const { log, asked } = start({ isWanted: false })
    expect(asked).toEqual([])
    expect(log).toEqual(['event off'])
  })

  test("stays shown after closing, and a new daemon's same id is ignored", () => {
    const { log, notification, notifications } = start()
    notification.happen('close')
    notification.happen('click')
    expect(log).toEqual(['event shown'])
    expect(notifications.heldCount).toBe(0)
  })

  test('is unknown if it closes before it was shown', () => {
    const { clock, log, notification } = start({ onShow: 'nothing' })
    notification.happen('close')
    clock.advance(60_000)
    expect(log).toEqual(['event unknown'])
  })

  test('is failed without a daemon', () => {
    const { clock, log, notifications } = start({ onShow: 'failed' })
    clock.advance(60_000)
    expect(log).toEqual(['event failed'])
    expect(notifications.heldCount).toBe(0)
  })

  test('is failed without a library', () => expect(start({ isSupported: false }).log).toEqual(['event failed']))

  test('is unanswered after a second, until an answer comes', () => {
    const { clock, log, notification } = start({ onShow: 'nothing' })
    clock.advance(999)
    expect(log).toEqual([])
    clock.advance(1)
    expect(log).toEqual(['event unanswered'])
    notification.happen('click')
    expect(log).toEqual(['event unanswered', 'event shown', 'event clicked', 'opens BRTI'])
  })

  test('is failed during retries, and shown in the end', () => {
    const { clock, log, notification, notifications } = start({ onShow: 'waits' })
    clock.advance(60_000)
    expect(log).toEqual(['event failed'])
    expect(notifications.heldCount).toBe(1)
    notification.happen('show')
    expect(log).toEqual(['event failed', 'event shown'])
  })

  test('stays unanswered when it is given up', () => {
    const { clock, log, notification, notifications } = start({ onShow: 'nothing' })
    clock.advance(1_000)
    notification.happen('failed')
    expect(log).toEqual(['event unanswered'])
    expect(notifications.heldCount).toBe(0)
  })

  test('is known for each within a second at the end of the app', async () => {
    const { clock, log, notifications } = start({ onShow: 'nothing' })
    const answered = notifications.answered()
    clock.advance(1_000)
    await answered
    expect(log).toEqual(['event unanswered'])
    await notifications.answered()
  })

  test('is not changed after an answer in time', () => {
    const { clock, log } = start()
    clock.advance(60_000)
    expect(log).toEqual(['event shown'])
  })

  test('is forgotten after a day without a click', () => {
    const { clock, notifications } = start()
    clock.advance(24 * 3_600_000 - 1)
    expect(notifications.heldCount).toBe(1)
    clock.advance(1)
    expect(notifications.heldCount).toBe(0)
  })

  test('beyond two hundred the oldest is forgotten, and its click opens nothing', () => {
    const { log, notification, notifications } = start()
    for (let count = 0; count < 200; count++) notifications.notify([another()])
    expect(notifications.heldCount).toBe(200)
    notification.happen('click')
    expect(log).not.toContain('event clicked')
  })

  test('beyond a hundred on the screen the next have no picture', () => {
    const { asked, notification, notifications } = start()
    const more = (count: number) => {
      for (let each = 0; each < count; each++) notifications.notify([another()])
      return asked.slice(-count).map(({ hasIcon }) => hasIcon)
    }
    expect(more(99)).not.toContain(false)
    notification.happen('close')
    expect(more(3)).toEqual([true, false, false])
  })

  test('is not reported after the app ends', () => {
    const { clock, log, notifications } = start({ onShow: 'nothing' })
    notifications.dispose()
    clock.advance(60_000)
    expect(log).toEqual([])
    expect(clock.pending).toBe(0)
  })
})

describe('several events in one notification', () => {
  const events = ['a', 'b'].map((id) => firedEvent(1, levelDraft(), { id, ruleId: id }))

  test('each is reported as part of it, and a click opens the inbox', () => {
    const { log, asked, notification, notifications } = open()
    notifications.notify(events)
    expect(asked).toHaveLength(1)
    expect(log).toEqual(['a inDigest', 'b inDigest'])
    notification.happen('click')
    expect(log.at(-1)).toBe('opens the inbox')
    expect(log).not.toContain('a clicked')
  })

  test('each has failed if it fails', () => {
    const { log, notifications } = open({ onShow: 'failed' })
    notifications.notify(events)
    expect(log).toEqual(['a failed', 'b failed'])
  })

  test('its urgency is that of the most urgent', () => {
    const { asked, notifications } = open()
    const urgent = firedEvent(1, { ...levelDraft(), severity: 'urgent' }, { ruleId: 'urgent' })
    notifications.notify([urgent, ...events])
    notifications.notify(events)
    expect(asked).toMatchObject([
      { urgency: 'critical', timeoutType: 'never', playsSound: true },
      { urgency: 'normal', timeoutType: 'default', playsSound: false },
    ])
  })
})

describe('one notification per rule', () => {
  const crossing = (id: string, value: string, more: Partial<AlertEvent> = {}) =>
    firedEvent(1, levelDraft('3050', { indexId: 'ETHUSD_RTI', condition: 'crosses' }), {
      id,
      inputs: { value, direction: Number(value) < 3_050 ? 'down' : 'up', publishedAtMs: Date.UTC(2026, 0, 1, 10, 41) },
      ...more,
    })

  test('a further firing replaces the one on the screen and is counted', () => {
    const { asked, formers, log, made, notifications } = open()
    const values = ['3050.01', '3049.90', '3050.03', '3049', '3050.05', '3050.06']
    for (const [at, value] of values.entries()) notifications.notify([crossing(String(at), value)])
    expect(formers).toEqual([undefined, 0, 1, 2, 3, 4])
    expect(asked.map(({ title }) => title).filter((_, at) => [0, 1, 5].includes(at))).toEqual([
      'ETHUSD_RTI rose to 3,050.01 (level 3,050)',
      'ETHUSD_RTI crossed 3,050 twice, last down at 3,049.90',
      'ETHUSD_RTI crossed 3,050 six times, last up at 3,050.06',
    ])
    expect(asked.at(-1)?.body).toMatch(
      /^Published at .*10:41:00\.000\nThe first value was published at .*10:41:00\.000$/,
    )
    expect(notifications.heldCount).toBe(1)
    expect(log).toEqual(values.map((_, at) => `${at} shown`))
    ;(made.at(-1) as ScriptedNotification).happen('click')
    expect(log.slice(6)).toEqual(['5 clicked', 'opens ETHUSD_RTI'])
  })

  test.each(['click', 'close', 'failed'])('after a %s the next firing has its own', (end) => {
    const { asked, formers, notification, notifications } = open()
    notifications.notify([crossing('a', '3050')])
    notification.happen(end)
    notifications.notify([crossing('b', '3049')])
    expect(formers).toEqual([undefined, undefined])
    expect(asked[1]?.title).toBe('ETHUSD_RTI fell to 3,049 (level 3,050)')
  })

  test('other rules and other events have their own', () => {
    const { formers, notifications } = open()
    notifications.notify([crossing('a', '3050')])
    notifications.notify([crossing('b', '3050', { ruleId: 'other' })])
    notifications.notify([crossing('c', '3049', { kind: 'expired' })])
    expect(formers).toEqual([undefined, undefined, undefined])
    expect(notifications.heldCount).toBe(3)
  })

  test('firings of one desk alert that waited for this computer are one digest', () => {
    const { asked, formers, log, notifications } = open()
    const desk = { watcher: 'watch-1', isLate: true }
    notifications.notify([crossing('a', '3050')])
    notifications.notify([crossing('b', '3051', { desk }), crossing('c', '3052', { desk })])
    expect(formers).toEqual([undefined, undefined])
    expect(asked[1]?.title).toBe('While you were away: 2 desk alerts')
    expect(log.slice(1)).toEqual(['b inDigest', 'c inDigest'])
  })

  test('a retraction or a recovery replaces it and is not counted', () => {
    const { asked, formers, notifications } = open()
    notifications.notify([crossing('a', '3050')])
    notifications.notify([crossing('b', '3049', { kind: 'retracted', aboutEventId: 'a' })])
    notifications.notify([crossing('c', '3051')])
    notifications.notify([crossing('d', '3049', { kind: 'retracted', aboutEventId: 'long ago' })])
    notifications.notify([crossing('e', '3052')])
    expect(formers).toEqual([undefined, 0, 1, 2, 3])
    expect(asked.map(({ title }) => title)).toEqual([
      'ETHUSD_RTI rose to 3,050 (level 3,050)',
      'ETHUSD_RTI alert retracted: amended to 3,049',
      'ETHUSD_RTI rose to 3,051 (level 3,050)',
      'ETHUSD_RTI alert retracted: amended to 3,049',
      'ETHUSD_RTI crossed 3,050 twice, last up at 3,052',
    ])
    const silence: Partial<AlertEvent> = { ruleId: 'silence', terms: { condition: 'noUpdate', afterMs: 60_000 } }
    const inputs = { silentSinceMs: Date.UTC(2026, 0, 1, 10, 41) }
    notifications.notify([crossing('f', '1', { ...silence, inputs })])
    notifications.notify([crossing('g', '3049', { ...silence, kind: 'recovered' })])
    notifications.notify([crossing('h', '1', { ...silence, inputs })])
    expect(formers.slice(5)).toEqual([undefined, 5, 6])
    expect(asked[6]?.title).toBe('ETHUSD_RTI publishes again, now 3,049')
    expect(asked[7]?.title).toMatch(/^ETHUSD_RTI had no update for 1 min twice, last since .*10:41:00/)
  })

  test('suppressed firings count, and several at once are one notification', () => {
    const { asked, log, notifications } = open()
    const other = crossing('other', '3050', { ruleId: 'other' })
    notifications.notify([crossing('a', '3050')])
    notifications.notify([crossing('b', '3049'), other])
    notifications.notify([crossing('c', '3049', { kind: 'cooldownOver', heldBackCount: 7 })])
    expect(asked.at(-1)?.title).toBe('ETHUSD_RTI crossed 3,050 nine times, last down at 3,049')
    log.length = 0
    notifications.notify([crossing('d', '3050'), crossing('e', '3051')])
    expect(asked.at(-1)?.title).toBe('ETHUSD_RTI crossed 3,050 11 times, last up at 3,051')
    expect(log).toEqual(['d inDigest', 'e shown'])
  })

  test('replaced ones that were not shown count as shown with it', () => {
    const { clock, log, made, notifications } = open({ onShow: 'nothing' })
    notifications.notify([crossing('a', '3050')])
    clock.advance(600)
    notifications.notify([crossing('b', '3049')])
    clock.advance(400)
    expect(log).toEqual(['a unanswered'])
    ;(made[1] as ScriptedNotification).happen('show')
    ;(made[0] as ScriptedNotification).happen('show')
    clock.advance(60_000)
    expect(log).toEqual(['a unanswered', 'a inDigest', 'b shown'])
  })
})

test.each([
  ['info', 'low', 'default', true],
  ['normal', 'normal', 'default', false],
  ['urgent', 'critical', 'never', true],
] as const)('%s: urgency %s, time %s, heard as the user wants it', (severity, urgency, timeoutType, playsSound) => {
  const { asked, notifications } = open({ heard: ['info', 'urgent'] })
  notifications.notify([firedEvent(1, { ...levelDraft(), severity })])
  expect(asked).toMatchObject([{ urgency, timeoutType, playsSound }])
})

describe('a test alert', () => {
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

  test('is unanswered after a second', async () => {
    const { clock, notifications } = open({ onShow: 'nothing' })
    const answer = notifications.test()
    clock.advance(1_000)
    expect(await answer).toBe('unanswered')
  })

  test('plays a sound if any alert does', async () => {
    const silent = open({ heard: [] })
    const loud = open({ heard: ['info'] })
    await Promise.all([silent.notifications.test(), loud.notifications.test()])
    expect([silent.asked[0]?.playsSound, loud.asked[0]?.playsSound]).toEqual([false, true])
  })
})
