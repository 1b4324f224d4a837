import { Notification, shell } from 'electron'
import type { AlertNotification } from '../../protocol/alert-events'
import { isRealTime } from '../../protocol/cadence'
import type { CommandAnswer } from '../../protocol/commands/contract'
import type { IndexId } from '../../protocol/model'
import { muteOf } from '../../protocol/snoozes'
import type { AppContext } from '../commands/context'
import type { Terminal } from './terminal'
import { appImage } from '../desktop/icon-image'
import type { NotificationText } from '../desktop/notification-text'
import { Notifications, type NotificationRequest } from '../desktop/notifications'
import { SecondChannel } from '../desktop/second-channel'
import { Heartbeat } from '../webhook/heartbeat'
import { Webhooks } from '../webhook/webhooks'

type TestAnswer = CommandAnswer<'testNotification'>

const testWords: Record<Awaited<ReturnType<Notifications['test']>>, string> = {
  shown: 'The desktop answered that it was shown.',
  clicked: 'The desktop answered that it was shown, and you clicked it.',
  failed: 'No notification service answered. Alerts will appear in the window and in the inbox.',
  unknown: 'The desktop did not say whether it was shown. Alerts will appear in the window and in the inbox as well.',
  off: 'Notifications are off. Alerts go to the inbox only.',
}

/** Everything that carries alerts to the user: notifications on the desktop, a second channel, and webhooks. */
export interface Notifiers {
  notify: (notification: AlertNotification) => void
  testNotification: () => Promise<TestAnswer>
  /** Notifies of something about the app itself. Answers whether the desktop took it. */
  announce: (text: NotificationText) => Promise<boolean>
  dispose: () => void
}

/** Electron's `silent` does nothing on Linux: there the sound is the system's bell. */
function createNative({ playsSound, hasIcon, ...request }: NotificationRequest): Notification {
  if (playsSound && process.platform === 'linux') shell.beep()
  return new Notification({ ...request, silent: !playsSound, ...(hasIcon && { icon: appImage(64) }) })
}

/**
 * Notifies of alerts as the user wants it, and has the engine note what became of each. In a watch without a window the
 * `terminal` takes the place of the desktop. `onClick` gets the index of a clicked notification; nothing when it was of
 * several events.
 */
export function createNotifiers(
  context: AppContext,
  terminal: Terminal | undefined,
  onClick: (indexId: IndexId | undefined) => void,
): Notifiers {
  const { clock, routes, alerts, settings, connections } = context
  const notifications = new Notifications({
    clock,
    isSupported: () => Notification.isSupported(),
    isWanted: () => settings.get().showsNotifications,
    soundSeverities: () => settings.get().alertSounds,
    text: {
      listsOf: (id) => listNames(settings, id),
      isRealTime: (id) => isRealTime(connections.resolutionOf(id) ?? 'PER_SECOND'),
      namesConnections: () => connections.views.length > 1,
      timeZone: () => settings.get().timeZone,
      grouping: () => settings.get().grouping,
    },
    create: createNative,
    onDelivery: (eventId, delivery) => {
      alerts.noteDelivery(eventId, delivery)
      second.delivered(eventId, delivery)
    },
    onClick,
  })
  const urlOf = (ruleId: string) => alerts.view(ruleId)?.webhookUrl
  const webhooks = new Webhooks({
    clock,
    routes,
    urlOf,
    onResult: (eventId, result) => {
      alerts.noteWebhook(eventId, result)
    },
  })
  const noteSecond = (eventId: string, result: string) => {
    alerts.noteSecondChannel(eventId, result)
  }
  const secondWebhooks = new Webhooks({
    clock,
    routes,
    urlOf: () => settings.get().secondWebhook,
    onResult: noteSecond,
  })
  const second: SecondChannel = new SecondChannel({
    clock,
    chosen: () => settings.get().secondChannel,
    send: (event) => {
      if (urlOf(event.ruleId) !== settings.get().secondWebhook) secondWebhooks.send([event])
      else noteSecond(event.id, "the alert's own webhook, which has the same address")
    },
    ring: () => {
      shell.beep()
    },
    isSeen: (eventId) =>
      muteOf(alerts.snoozes()) !== undefined ||
      alerts.unreadCount() === 0 ||
      alerts.inbox().some(({ id, isRead }) => id === eventId && isRead),
    onUsed: noteSecond,
  })
  const heartbeat = new Heartbeat({
    clock,
    routes,
    wanted: () => {
      const { heartbeatMinutes, heartbeatWebhook } = settings.get()
      if (heartbeatMinutes === 0 || heartbeatWebhook === '') return undefined
      return { url: heartbeatWebhook, everyMs: heartbeatMinutes * 60_000 }
    },
    isAllLive: () => connections.views.length > 0 && connections.views.every(({ state }) => state === 'live'),
    onFailing: (reason) => {
      context.notices.add(`The heartbeat was not taken: ${reason}. It goes on at its times; see Settings.`)
    },
  })
  const beat = () => {
    heartbeat.changed()
  }
  settings.events.on('changed', beat)
  connections.events.on('statusChanged', beat)
  return {
    notify: (notification) => {
      // A terminal takes the place of the desktop, and takes what it is given.
      if (terminal === undefined) second.watch(notification)
      ;(terminal ?? notifications).notify(notification)
      webhooks.send(notification.kind === 'single' ? [notification.event] : notification.events)
    },
    testNotification: async () => {
      const delivery = await notifications.test()
      return { delivery, words: testWords[delivery] }
    },
    announce: async (text) => !['off', 'failed'].includes(await notifications.announce(text)),
    dispose: () => {
      notifications.dispose()
      second.dispose()
      webhooks.dispose()
      secondWebhooks.dispose()
      heartbeat.dispose()
    },
  }
}

function listNames(settings: AppContext['settings'], indexId: IndexId): string[] {
  const lists = settings.get().watchlists.filter(({ entries }) => entries.some(({ id }) => id === indexId))
  return lists.map(({ name }) => name)
}
