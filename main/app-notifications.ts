import { Notification } from 'electron'
import type { Owners } from './app-views'
import type { Clock } from './base/clock'
import { iconImage } from './desktop/icon-image'
import { Notifications } from './desktop/notifications'

const icon = { look: { connection: 'live', hasUnread: false }, size: 64 } as const

/** Shows alerts on the desktop as the user wants it, and has the engine note what became of each. */
export function createNotifications({ alerts, settings }: Owners, clock: Clock, onClick: () => void): Notifications {
  return new Notifications({
    clock,
    isSupported: () => Notification.isSupported(),
    isWanted: () => settings.get().showsNotifications,
    create: (text) => new Notification({ ...text, icon: iconImage(icon.look, icon.size) }),
    onDelivery: (eventId, delivery) => {
      alerts.noteDelivery(eventId, delivery)
    },
    onClick,
  })
}
