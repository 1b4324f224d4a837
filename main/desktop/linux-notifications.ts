import type { Clock } from '../base/clock'
import { NotificationDaemon, type DaemonImage } from './notification-daemon'
import type { NativeNotification, NotificationRequest } from './notifications'

type HeardEvent = Parameters<NativeNotification['on']>[0]

interface Options {
  clock: Clock
  /** Address of the session bus, as in `DBUS_SESSION_BUS_ADDRESS`. */
  address: string
  appName: string
  desktopEntry: string
  image: () => DaemonImage
}

/** A notification that the daemon did not accept is retried this long. Later it is no longer news. */
const maxRetryMs = 5 * 60_000
const retryMs = 5_000
/** A notification is sent at most this often, because it may be what makes the daemon crash. */
const maxTries = 3
/** More would be too many to read. */
const maxWaiting = 20
const urgencies = { low: 0, normal: 1, critical: 2 } as const

/** A notification that is queued or on the screen. */
class LinuxNotification implements NativeNotification {
  readonly request: NotificationRequest
  /**
   * The current daemon's id of the notification. Shared with the notifications it replaces and those that replace it.
   */
  readonly place: { id: number | undefined }
  readonly #listeners = new Map<HeardEvent, () => void>()
  readonly #show: (notification: LinuxNotification) => void
  tries = 0
  cancelExpiry: () => void = () => undefined

  constructor(
    request: NotificationRequest,
    former: LinuxNotification | undefined,
    show: (notification: LinuxNotification) => void,
  ) {
    this.request = request
    this.place = former?.place ?? { id: undefined }
    this.#show = show
  }

  on(event: HeardEvent, listener: () => void): void {
    this.#listeners.set(event, listener)
  }

  show(): void {
    this.#show(this)
  }

  tell(event: HeardEvent): void {
    this.#listeners.get(event)?.()
  }
}

/**
 * Shows notifications by the daemon of a Linux desktop (decision 20). Sends one at a time, because a daemon that hangs
 * would otherwise show a queue of old ones when it recovers. What it did not accept is kept for five minutes.
 */
export class LinuxNotifications {
  readonly #options: Options
  readonly #daemon: NotificationDaemon
  readonly #onScreen = new Map<number, LinuxNotification>()
  /** In display order. The first may already be sent. */
  #waiting: LinuxNotification[] = []
  #isWorking = false
  /** Number of daemons seen so far. */
  #daemonCount = 0
  #cancelRetry: (() => void) | undefined

  constructor(options: Options) {
    this.#options = options
    this.#daemon = new NotificationDaemon({
      ...options,
      onClicked: (id) => this.#onScreen.get(id)?.tell('click'),
      onClosed: (id) => {
        const closed = this.#onScreen.get(id)
        if (closed !== undefined) this.#leave(closed)
      },
      onReplaced: (isThere) => this.#replaced(isThere),
    })
  }

  /** Creates a notification. It replaces `former` if that is still queued or on the screen. */
  create(request: NotificationRequest, former?: NativeNotification): NativeNotification {
    return new LinuxNotification(request, former instanceof LinuxNotification ? former : undefined, (notification) =>
      this.#add(notification),
    )
  }

  dispose(): void {
    for (const each of this.#waiting) each.cancelExpiry()
    this.#waiting = []
    this.#onScreen.clear()
    this.#cancelRetry?.()
    this.#daemon.dispose()
  }

  #add(notification: LinuxNotification): void {
    const unsent = this.#waiting.filter(({ tries }) => tries === 0)
    const former = unsent.find(({ place }) => place === notification.place)
    if (former !== undefined) this.#take(former)
    const [oldest] = unsent
    if (oldest !== undefined && this.#waiting.length >= maxWaiting) this.#drop(oldest)
    notification.cancelExpiry = this.#options.clock.after(maxRetryMs, () => this.#drop(notification))
    this.#waiting.push(notification)
    void this.#work()
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return
    this.#isWorking = true
    this.#cancelRetry?.()
    this.#cancelRetry = undefined
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const before = this.#daemonCount
      const readiness = await this.#daemon.prepare()
      if (readiness === 'ready') await this.#ask(next)
      else if (this.#daemonCount === before) {
        for (const each of this.#waiting) each.tell('waits')
        // The bus reports when a daemon is available again.
        if (readiness !== 'absent') this.#retryLater()
        break
      }
    }
    this.#isWorking = false
  }

  async #ask(notification: LinuxNotification): Promise<void> {
    // A newer notification may have replaced it.
    if (!this.#waiting.includes(notification)) return
    const { title, body, urgency, timeoutType, playsSound, hasIcon } = notification.request
    notification.tries++
    const shown = await this.#daemon.notify(
      {
        replacesId: notification.place.id ?? 0,
        title,
        body,
        urgency: urgencies[urgency],
        timeoutMs: timeoutType === 'never' ? 0 : -1,
        isSilent: !playsSound,
        ...(hasIcon && { image: this.#options.image() }),
      },
      (id) => this.#shown(notification, id),
    )
    switch (shown) {
      case 'shown':
        return
      case 'refused':
        this.#drop(notification)
        return
      case 'silent':
        // It may still appear, so it is not sent again.
        this.#take(notification)
        return
      case 'gone':
        if (notification.tries >= maxTries) this.#drop(notification)
        else notification.tell('waits')
    }
  }

  #shown(notification: LinuxNotification, id: number | undefined): void {
    this.#take(notification)
    const { place } = notification
    if (place.id !== undefined) this.#onScreen.delete(place.id)
    place.id = id
    if (id !== undefined) this.#onScreen.set(id, notification)
    notification.tell('show')
  }

  #replaced(isThere: boolean): void {
    if (isThere) this.#daemonCount++
    for (const each of [...this.#onScreen.values()]) this.#leave(each)
    void this.#work()
  }

  #leave(closed: LinuxNotification): void {
    if (closed.place.id !== undefined) this.#onScreen.delete(closed.place.id)
    closed.place.id = undefined
    closed.tell('close')
  }

  #retryLater(): void {
    this.#cancelRetry = this.#options.clock.after(retryMs, () => void this.#work())
  }

  /** Removes a notification from the queue. */
  #take(notification: LinuxNotification): void {
    notification.cancelExpiry()
    this.#waiting = this.#waiting.filter((each) => each !== notification)
  }

  #drop(notification: LinuxNotification): void {
    this.#take(notification)
    notification.tell('failed')
  }
}
