import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Message, sessionBus } from 'dbus-next'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LinuxNotifications } from '../../main/desktop/linux-notifications'
import { Notifications } from '../../main/desktop/notifications'
import { DBusSession } from '../support/dbus-session'
import { DesktopPeer } from '../support/desktop-peer'
import { eventually } from '../support/eventually'
import { FakeClock } from '../support/fake-clock'
import { firedEvent, levelDraft } from '../support/sample-alerts'

let folder: string
let bus: DBusSession
let peer: DesktopPeer
let desktop: LinuxNotifications
let notifications: Notifications
let clock: FakeClock
let log: string[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'indexwatch-notifications-'))
  bus = await DBusSession.start(folder)
})

afterEach(async () => {
  notifications.dispose()
  desktop.dispose()
  peer.stop()
  await bus.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The app's notifications on a real bus. `log` has the result of each. */
async function open({ hasNotifications = true, address = bus.address } = {}): Promise<void> {
  peer = await DesktopPeer.start(bus.address, { hasNotifications, hasTray: false })
  clock = new FakeClock()
  log = []
  const image = { width: 2, height: 1, rgba: Buffer.from([255, 0, 0, 255, 0, 255, 0, 255]) }
  desktop = new LinuxNotifications({
    clock,
    address,
    appName: 'App',
    desktopEntry: 'org.example.App',
    image: () => image,
  })
  notifications = new Notifications({
    clock,
    isSupported: () => true,
    isWanted: () => true,
    soundSeverities: () => [],
    text: { listsOf: () => [], isRealTime: () => true, namesConnections: () => false },
    create: (request, former) => desktop.create(request, former),
    onDelivery: (id, delivery) => log.push(`${id} ${delivery}`),
    onClick: (indexId) => log.push(`opens ${indexId ?? 'the inbox'}`),
  })
}

/** A firing of a new rule, or of this one. */
function fire(id: string, ruleId = id): void {
  notifications.notify([firedEvent(1, levelDraft('100'), { id, ruleId, inputs: { value: '101' } })])
}

const logged = (...lines: string[]) => eventually(() => expect(log).toEqual(lines))

test('shows a notification with button and picture, and reports a click', async () => {
  await open()
  fire('a')
  const shown = await peer.nextNotification()
  expect(shown).toMatchObject({ replacesId: 0, actions: ['default', 'View'], urgency: 1, timeoutMs: -1 })
  expect(shown.hints.toSorted()).toEqual(['desktop-entry', 'image-data', 'sender-pid', 'suppress-sound', 'urgency'])
  await logged('a shown')
  peer.click(shown)
  await logged('a shown', 'a clicked', 'opens BRTI')
  fire('b')
  peer.close(await peer.nextNotification())
  await eventually(() => expect(notifications.heldCount).toBe(0))
  expect(log.slice(3)).toEqual(['b shown'])
})

test('sends no button to a daemon without buttons', async () => {
  await open({ hasNotifications: false })
  await peer.startDaemon(['body'])
  fire('a')
  expect(await peer.nextNotification()).toMatchObject({ actions: [] })
})

test('ignores clicks sent by another program', async () => {
  await open()
  fire('a')
  const { id, sender } = await peer.nextNotification()
  await logged('a shown')
  const other = sessionBus({ busAddress: bus.address })
  await other.requestName('org.example.Other', 0)
  const path = '/org/freedesktop/Notifications'
  const signal = Message.newSignal(path, 'org.freedesktop.Notifications', 'ActionInvoked', 'us', [id, 'default'])
  signal.destination = sender
  other.send(signal)
  fire('b')
  await logged('a shown', 'b shown')
  other.disconnect()
})

test('reports a daemon that hangs from the start as unanswered', async () => {
  await open()
  peer.setDaemon('hangs')
  for (const id of ['a', 'b', 'c']) fire(id)
  clock.advance(999)
  expect(log).toEqual([])
  clock.advance(1)
  expect(log).toEqual(['a unanswered', 'b unanswered', 'c unanswered'])
  expect(peer.unreadCount).toBe(0)
})

/** A daemon that shows `a` and hangs with `b`, whose notification is returned. */
async function hangs() {
  await open()
  fire('a')
  await peer.nextNotification()
  await logged('a shown')
  peer.setDaemon('hangs')
  fire('b')
  return peer.nextNotification()
}

test('sends one notification at a time to a daemon that hangs', async () => {
  const late = await hangs()
  fire('c')
  clock.advance(4_000)
  expect(log).toEqual(['a shown', 'b unanswered', 'c unanswered'])
  expect(peer.unreadCount).toBe(0)
  peer.setDaemon('atOnce')
  await logged('a shown', 'b unanswered', 'c unanswered', 'b shown', 'c shown')
  peer.click(late)
  await eventually(() => expect(log.slice(5)).toEqual(['b clicked', 'opens BRTI']))
})

test('a lost answer delays the others for half a minute at most', async () => {
  await open()
  fire('a')
  await logged('a shown')
  await peer.nextNotification()
  peer.setDaemon('loses')
  fire('b')
  await peer.nextNotification()
  peer.setDaemon('atOnce')
  fire('c')
  clock.advance(30_000)
  await logged('a shown', 'b unanswered', 'c unanswered', 'c shown')
})

test('the next daemon shows once what the previous one was sent as it died', async () => {
  await hangs()
  peer.stopDaemon()
  await logged('a shown', 'b failed')
  await peer.startDaemon()
  expect(await peer.nextNotification()).toMatchObject({ id: 1, replacesId: 0 })
  await logged('a shown', 'b failed', 'b shown')
  expect(peer.unreadCount).toBe(0)
})

test('a new daemon shows what a hanging one was sent', async () => {
  await open()
  peer.setDaemon('hangs')
  fire('a')
  clock.advance(1_000)
  await peer.startDaemon()
  await peer.nextNotification()
  await logged('a unanswered', 'a shown')
})

test('sends a notification three times to a daemon that crashes on it', async () => {
  await open()
  peer.setDaemon('dies')
  fire('a')
  for (let tries = 1; tries <= 3; tries++) {
    await peer.nextNotification()
    await peer.startDaemon([], tries < 3 ? 'dies' : 'atOnce')
  }
  fire('b')
  await logged('a failed', 'b shown')
})

test("ignores a new daemon's signals about an old id", async () => {
  await open()
  fire('a', 'rule')
  const before = await peer.nextNotification()
  await logged('a shown')
  peer.stopDaemon()
  await eventually(() => expect(notifications.heldCount).toBe(0))
  await peer.startDaemon()
  peer.click(before)
  fire('b', 'rule')
  expect(await peer.nextNotification()).toMatchObject({ replacesId: 0, summary: 'BRTI rose to 101 (level 100)' })
  await logged('a shown', 'b shown')
})

test('without a daemon it fails, and is shown by one that starts within five minutes', async () => {
  await open({ hasNotifications: false })
  fire('a')
  await logged('a failed')
  clock.advance(4 * 60_000)
  fire('b')
  await logged('a failed', 'b failed')
  clock.advance(60_000)
  await peer.startDaemon()
  await peer.nextNotification()
  await logged('a failed', 'b failed', 'b shown')
  expect(peer.unreadCount).toBe(0)
})

test.each(['', 'nonsense', 'unix:path=/nobody/is/here'])(
  'without a bus at %o notifications fail, and nothing else does',
  async (address) => {
    await open({ address })
    fire('a')
    await logged('a failed')
  },
)

test('finds a bus that starts late after five seconds', async () => {
  const late = join(folder, 'late')
  await open({ address: `unix:path=${late}` })
  fire('a')
  await logged('a failed')
  await symlink(join(folder, 'bus'), late)
  clock.advance(5_000)
  await peer.nextNotification()
  await logged('a failed', 'a shown')
})

test('treats a bus that ends like a missing daemon', async () => {
  await open()
  fire('a')
  await logged('a shown')
  await bus.stop()
  await eventually(() => expect(notifications.heldCount).toBe(0))
  fire('b')
  await logged('a shown', 'b failed')
})

test('further firings of a rule replace its notification and are counted', async () => {
  await open()
  for (const id of ['a', 'b', 'c']) {
    fire(id, 'rule')
    await peer
      .nextNotification()
      .then(({ id: number, replacesId, summary }) => log.push(`${number} ${replacesId} ${summary}`))
    await eventually(() => expect(log).toContain(`${id} shown`))
  }
  expect(log.filter((line) => line.includes('BRTI'))).toEqual([
    '1 0 BRTI rose to 101 (level 100)',
    '1 1 BRTI rose to 100 twice, last at 101',
    '1 1 BRTI rose to 100 three times, last at 101',
  ])
  expect(notifications.heldCount).toBe(1)
})

test('firings of a rule during a hang are one notification afterwards', async () => {
  await open()
  peer.setDaemon('hangs')
  for (const id of ['a', 'b', 'c']) fire(id, 'rule')
  clock.advance(1_000)
  expect(log).toEqual(['a unanswered', 'b unanswered', 'c unanswered'])
  peer.setDaemon('atOnce')
  expect((await peer.nextNotification()).summary).toBe('BRTI rose to 100 three times, last at 101')
  await eventually(() => expect(log.slice(3)).toEqual(['a inDigest', 'b inDigest', 'c shown']))
  expect(peer.unreadCount).toBe(0)
})

test('shows the last twenty of many when the daemon starts', async () => {
  await open({ hasNotifications: false })
  const ids = Array.from({ length: 60 }, (_, at) => String(at))
  for (const id of ids) fire(id)
  await eventually(() => expect(log).toHaveLength(60))
  await peer.startDaemon()
  await eventually(() =>
    expect(log.filter((line) => line.endsWith('shown'))).toEqual(ids.slice(-20).map((id) => `${id} shown`)),
  )
})
