import { Notification, shell } from 'electron'
import type { Telling } from '../protocol/alert-events'
import type { CommandAnswer } from '../protocol/desktop'
import type { IndexId } from '../protocol/model'
import type { Owners } from './app-views'
import { createWebhooks } from './app-webhooks'
import type { Clock } from './base/clock'
import { iconImage } from './desktop/icon-image'
import { Notifications, type NativeNotice } from './desktop/notifications'

const icon = { look: { connection: 'live', hasUnread: false }, size: 64 } as const

type TestAnswer = CommandAnswer<'testNotification'>

const testWords: Record<Awaited<ReturnType<Notifications['test']>>, string> = {
  shown: 'The desktop answered that it was shown.',
  clicked: 'The desktop answered that it was shown, and you clicked it.',
  failed: 'No notification service answered. Alerts will appear in the window and in the inbox.',
  unknown: 'The desktop did not say whether it was shown. Alerts will appear in the window and in the inbox as well.',
  off: 'Notifications are off. Alerts go to the inbox alone.',
}

/** All that carries alerts to the user: notifications on the desktop, and webhooks. */
export interface Messengers {
  tell: (telling: Telling) => void
  testNotification: () => Promise<TestAnswer>
  dispose: () => void
}

/** Electron's `silent` does nothing on Linux: there the sound is the system's bell. */
function createNative({ isHeard, ...notice }: NativeNotice): Notification {
  if (isHeard && process.platform === 'linux') shell.beep()
  return new Notification({ ...notice, silent: !isHeard, icon: iconImage(icon.look, icon.size) })
}

/**
 * Tells alerts as the user wants it, and has the engine note what became of each. `onClick` is told of which index a
 * clicked notification was; of none when it was of several events.
 */
export function createMessengers(
  owners: Owners,
  clock: Clock,
  onClick: (indexId: IndexId | undefined) => void,
): Messengers {
  const { alerts, settings, services } = owners
  const notifications = new Notifications({
    clock,
    isSupported: () => Notification.isSupported(),
    isWanted: () => settings.get().showsNotifications,
    heardSeverities: () => settings.get().alertSounds,
    text: {
      listsOf: (id) => listNames(owners, id),
      isRealTime: (id) => ['PER_200MS', 'PER_SECOND'].includes(services.resolutionOf(id) ?? 'PER_SECOND'),
      timeZone: () => settings.get().timeZone,
    },
    create: createNative,
    onDelivery: (eventId, delivery) => {
      alerts.noteDelivery(eventId, delivery)
    },
    onClick,
  })
  const webhooks = createWebhooks(owners, clock)
  return {
    tell: (telling) => {
      notifications.tell(telling)
      webhooks.tell(telling.kind === 'single' ? [telling.event] : telling.events)
    },
    testNotification: async () => {
      const delivery = await notifications.test()
      return { delivery, words: testWords[delivery] }
    },
    dispose: () => {
      notifications.dispose()
      webhooks.dispose()
    },
  }
}

function listNames({ settings }: Owners, indexId: IndexId): string[] {
  const lists = settings.get().watchlists.filter(({ entries }) => entries.some(({ id }) => id === indexId))
  return lists.map(({ name }) => name)
}
