import { app, Notification, shell } from 'electron'
import { isRealTime } from '../../core/cadence'
import type { CommandAnswer } from '../../protocol/commands/contract'
import type { IndexId, Settings } from '../../core/model'
import { muteOf } from '../../core/snoozes'
import type { Clock } from '../base/clock'
import type { Owners } from '../access/latest'
import type { Terminal } from '../access/terminal'
import type { Core, SharedFeature } from '../features/feature'
import { appId, appTitle } from '../desktop/app-names'
import { appImage, daemonImage } from '../desktop/icon-image'
import { LinuxNotifications } from '../desktop/linux-notifications'
import { sessionBusAddress } from '../desktop/linux-session'
import type { DaemonImage } from '../desktop/notification-daemon'
import type { NotificationText } from '../desktop/notification-text'
import { Notifications, type NativeNotification, type NotificationRequest } from '../desktop/notifications'
import { Escalation } from '../desktop/escalation'
import type { JsonFile } from '../base/json-file'
import { Heartbeat } from '../webhook/heartbeat'
import { UnsentEvents } from '../webhook/unsent-events'
import type { Webhooks } from '../webhook/webhooks'

const testWords: Record<Awaited<ReturnType<Notifications['test']>>, string> = {
  shown: 'The desktop showed it.',
  clicked: 'The desktop showed it and you clicked it.',
  failed: 'No notification service answered. Events will appear in the window and in the inbox.',
  unanswered: 'Not shown: the desktop did not answer. Events will appear in the window and in the inbox as well.',
  unknown: 'The desktop did not say whether it was shown. Events will appear in the window and in the inbox as well.',
  off: 'Notifications are off. Events go to the inbox only.',
}

/** How notifications reach this system's desktop. */
interface Native {
  isSupported: () => boolean
  create: (request: NotificationRequest, former?: NativeNotification) => NativeNotification
  dispose: () => void
}

function createNative(clock: Clock): Native {
  if (process.platform === 'linux') return createForLinux(clock)
  return {
    isSupported: () => Notification.isSupported(),
    create: ({ playsSound, hasIcon, ...request }, former) => {
      if (former instanceof Notification) former.close()
      return new Notification({ ...request, silent: !playsSound, ...(hasIcon && { icon: appImage(64) }) })
    },
    dispose: () => undefined,
  }
}

/** Electron's own notifications wait for the daemon on the main thread, even if it hangs (decision 20). */
function createForLinux(clock: Clock): Native {
  let image: DaemonImage | undefined
  const desktop = new LinuxNotifications({
    clock,
    address: sessionBusAddress(process.env),
    appName: appTitle(app.getVersion()),
    desktopEntry: appId,
    image: () => (image ??= daemonImage(64)),
  })
  return {
    isSupported: () => true,
    create: (request, former) => {
      // Not every daemon plays a sound, so use the system's bell.
      if (request.playsSound) shell.beep()
      return desktop.create(request, former)
    },
    dispose: () => desktop.dispose(),
  }
}

interface Sources extends Pick<Owners, 'alerts' | 'judging' | 'connections'> {
  webhooks: Webhooks
  /** Events that webhooks did not get before the app ended. */
  unsentFile: JsonFile
  /** Prints alerts instead of notifying, in a headless watch. */
  terminal: Terminal | undefined
  /** True if a seat of the desk has seen the event. */
  isSeenAtDesk: (eventId: string) => boolean
  /** Called when a notification is clicked. `indexId` is undefined for a digest of several events. */
  onClick: (indexId: IndexId | undefined) => void
}

/**
 * Everything that delivers alerts to the user: desktop notifications, escalation and webhooks. The alert engine records
 * the result of each.
 */
export function createNotifications(
  { clock, routes, settings, notice }: Pick<Core, 'clock' | 'routes' | 'settings' | 'notice'>,
  { alerts, judging, connections, webhooks, unsentFile, terminal, isSeenAtDesk, onClick }: Sources,
) {
  const native = createNative(clock)
  const notifications = new Notifications({
    clock,
    isSupported: native.isSupported,
    isWanted: () => settings.get().showsNotifications,
    soundSeverities: () => settings.get().alertSounds,
    text: {
      listsOf: (id) => listNames(settings.get(), id),
      isRealTime: (id) => isRealTime(connections.resolutionOf(id) ?? 'PER_SECOND'),
      namesConnections: () => connections.views.length > 1,
      timeZone: () => settings.get().timeZone,
      grouping: () => settings.get().grouping,
    },
    create: native.create,
    onDelivery: (eventId, delivery) => {
      alerts.noteOutcome(eventId, { delivery })
      escalation.delivered(eventId, delivery)
    },
    onClick,
  })
  const urlOf = (ruleId: string) => alerts.view(ruleId)?.webhookUrl
  const noteEscalation = (eventId: string, result: string) => alerts.noteOutcome(eventId, { secondChannel: result })
  const escalation: Escalation = new Escalation({
    clock,
    chosen: () => settings.get().secondChannel,
    send: (event) => {
      const { secondWebhook } = settings.get()
      if (urlOf(event.ruleId) === secondWebhook) noteEscalation(event.id, 'already sent by the alert’s own webhook')
      else webhooks.send(event, secondWebhook, (result) => noteEscalation(event.id, result))
    },
    ring: () => shell.beep(),
    isSeen: (eventId) =>
      muteOf(alerts.snoozes()) !== undefined ||
      alerts.unreadCount() === 0 ||
      isSeenAtDesk(eventId) ||
      alerts.inbox().some(({ id, isRead }) => id === eventId && isRead),
    onUsed: noteEscalation,
  })
  const heartbeat = new Heartbeat({
    clock,
    routes,
    wanted: () => {
      const { heartbeatMinutes, heartbeatWebhook } = settings.get()
      if (heartbeatMinutes === 0 || heartbeatWebhook === '') return undefined
      return { url: heartbeatWebhook, everyMs: heartbeatMinutes * 60_000 }
    },
    isAllLive: () =>
      judging.view.state === 'judged' &&
      connections.views.length > 0 &&
      connections.views.every(({ state }) => state === 'live'),
    onFailing: (reason) => notice(`Heartbeat webhook failed (${reason}). Retrying on schedule.`),
  })
  const beat = () => heartbeat.changed()
  const unsent = new UnsentEvents({
    clock,
    file: unsentFile,
    webhooks,
    addressOf: ({ ruleId }, channel) => (channel === 'webhookResult' ? urlOf(ruleId) : settings.get().secondWebhook),
    onResult: (eventId, result) => alerts.noteOutcome(eventId, result),
  })
  return {
    testNotification: async (): Promise<CommandAnswer<'testNotification'>> => {
      const delivery = await notifications.test()
      return { delivery, words: testWords[delivery] }
    },
    /** Notifies of something about the app itself. Returns true if the desktop accepted it. */
    announce: async (text: NotificationText) =>
      !['off', 'failed', 'unanswered'].includes(await notifications.announce(text)),
    /** Resolves when the desktop has answered every notification, at most after a second. */
    answered: () => notifications.answered(),
    follow() {
      alerts.events.on('notify', (events) => {
        for (const event of events) {
          const url = urlOf(event.ruleId)
          const note = (webhookResult: string) => alerts.noteOutcome(event.id, { webhookResult })
          if (url !== undefined) webhooks.send(event, url, note)
        }
        // A terminal replaces the desktop. It accepts every alert, so nothing is escalated.
        if (terminal === undefined) escalation.watch(events)
        ;(terminal ?? notifications).notify(events)
      })
      connections.events.on('statusChanged', beat)
      judging.events.on('changed', beat)
    },
    settingsChanged: beat,
    /** Sends what webhooks did not get before the app ended. Call when the alerts can be read. */
    sendUnsent: () => unsent.send(),
    async dispose() {
      webhooks.dispose()
      await unsent.keep()
      for (const each of [notifications, native, escalation, heartbeat]) each.dispose()
    },
  } satisfies SharedFeature
}

function listNames({ watchlists }: Settings, indexId: IndexId): string[] {
  const lists = watchlists.filter(({ entries }) => entries.some(({ id }) => id === indexId))
  return lists.map(({ name }) => name)
}
