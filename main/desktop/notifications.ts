import type { AlertEvent, AlertNotification, Delivery } from '../../protocol/alert-events'
import { severities, type AlertSeverity } from '../../protocol/severity'
import type { IndexId } from '../../protocol/model'
import type { Clock } from '../base/clock'
import { digestText, notificationText, type NotificationText, type TextContext } from './notification-text'

/** What is used of Electron's `Notification`. */
export interface NativeNotification {
  on(event: 'show' | 'click' | 'close' | 'failed', listener: () => void): unknown
  show(): void
}

/** A notification as the desktop is asked for it. */
export interface NotificationRequest extends NotificationText {
  urgency: 'low' | 'normal' | 'critical'
  /** `never`: it stays until the user has seen it. */
  timeoutType: 'default' | 'never'
  playsSound: boolean
  hasIcon: boolean
}

interface Options {
  clock: Clock
  isSupported: () => boolean
  /** Whether the user wants notifications at all. */
  isWanted: () => boolean
  /** Severities that play a sound. */
  soundSeverities: () => readonly AlertSeverity[]
  text: Omit<TextContext, 'nowMs'>
  create: (request: NotificationRequest) => NativeNotification
  onDelivery: (eventId: string, delivery: Delivery) => void
  /** A notification was clicked: of this index, or of several events. */
  onClick: (indexId: IndexId | undefined) => void
}

type Answer = Extract<Delivery, 'shown' | 'failed' | 'clicked' | 'unknown' | 'off'>

/** A desktop without a notification daemon may answer nothing at all. */
const answerTimeoutMs = 2_000
/** A notification that nobody clicks or closes is dropped after this time. */
const keptMs = 24 * 60 * 60_000
/** A desktop that never says that one was closed has each with its picture, which takes most of it, in our memory too. */
const maxIcons = 100
/** So much that the click on an older one, which the inbox has, opens nothing any more. */
const maxHeld = 200
const urgencies = { info: 'low', normal: 'normal', urgent: 'critical' } as const

/**
 * Shows events as native notifications and reports what became of each (alerts, 16). The inbox is the truth; nothing
 * here decides whether an alert exists.
 */
export class Notifications {
  readonly #options: Options
  /** Electron drops a notification nobody holds, and its click with it. */
  readonly #held = new Map<NativeNotification, () => void>()

  constructor(options: Options) {
    this.#options = options
  }

  notify(notification: AlertNotification): void {
    if (notification.kind === 'single') this.#notifyOfOne(notification.event)
    else this.#notifyOfSeveral(notification.events)
  }

  /** Shows a notification that means nothing. Answers what became of it, within two seconds. */
  async test(): Promise<Answer> {
    const playsSound = this.#options.soundSeverities().length > 0
    return this.#showText({ title: 'This is a test alert', body: 'Alerts will look like this.' }, playsSound)
  }

  /** Shows, without a sound, what is no alert. Answers what became of it, within two seconds. */
  announce(text: NotificationText): Promise<Answer> {
    return this.#showText(text, false)
  }

  /** How many are still on the desktop, as far as is known. */
  get heldCount(): number {
    return this.#held.size
  }

  dispose(): void {
    for (const cancel of this.#held.values()) cancel()
    this.#held.clear()
  }

  #notifyOfOne(event: AlertEvent): void {
    const { onDelivery, onClick } = this.#options
    this.#show({ ...notificationText(event, this.#context()), ...this.#weight(event.severity) }, (answer) => {
      onDelivery(event.id, answer)
      if (answer === 'clicked') onClick(event.indexId)
    })
  }

  #notifyOfSeveral(events: readonly AlertEvent[]): void {
    const { onDelivery, onClick } = this.#options
    const severity = severities.findLast((each) => events.some((event) => event.severity === each)) ?? 'normal'
    this.#show({ ...digestText(events, this.#context()), ...this.#weight(severity) }, (answer) => {
      // Nobody knows which of them the click was for.
      const isSeen = answer === 'shown' || answer === 'clicked'
      for (const { id } of events) onDelivery(id, isSeen ? 'inDigest' : answer)
      if (answer === 'clicked') onClick(undefined)
    })
  }

  #showText(text: NotificationText, playsSound: boolean): Promise<Answer> {
    return new Promise((resolve) => {
      this.#show({ ...text, urgency: 'normal', timeoutType: 'default', playsSound }, resolve)
    })
  }

  #context(): TextContext {
    return { ...this.#options.text, nowMs: this.#options.clock.wallMs() }
  }

  #weight(severity: AlertSeverity): Omit<NotificationRequest, 'hasIcon' | keyof NotificationText> {
    return {
      urgency: urgencies[severity],
      timeoutType: severity === 'urgent' ? 'never' : 'default',
      playsSound: this.#options.soundSeverities().includes(severity),
    }
  }

  /** `onAnswer` may be called again: with `shown` after `unknown`, and with `clicked` after either. */
  #show(asked: Omit<NotificationRequest, 'hasIcon'>, onAnswer: (answer: Answer) => void): void {
    const { isSupported, isWanted, create, clock } = this.#options
    if (!isWanted()) {
      onAnswer('off')
      return
    }
    // Without the library a notification would neither be shown nor fail.
    if (!isSupported()) {
      onAnswer('failed')
      return
    }
    const notification = create({ ...asked, hasIcon: this.#held.size < maxIcons })
    let isAnswered = false
    const answered = (answer: Answer) => {
      isAnswered = true
      onAnswer(answer)
    }
    const cancelWait = clock.after(answerTimeoutMs, () => {
      if (!isAnswered) onAnswer('unknown')
    })
    const cancelHold = clock.after(keptMs, () => {
      this.#release(notification)
    })
    this.#held.set(notification, () => {
      cancelWait()
      cancelHold()
    })
    const [oldest] = this.#held.keys()
    if (oldest !== undefined && this.#held.size > maxHeld) this.#release(oldest)
    notification.on('show', () => {
      answered('shown')
    })
    notification.on('failed', () => {
      if (this.#release(notification)) answered('failed')
    })
    notification.on('close', () => {
      if (this.#release(notification) && !isAnswered) onAnswer('unknown')
    })
    notification.on('click', () => {
      if (this.#release(notification)) answered('clicked')
    })
    notification.show()
  }

  /** Whether it was still there: a daemon that started again uses old ids again, and what it says of them is not meant. */
  #release(notification: NativeNotification): boolean {
    this.#held.get(notification)?.()
    return this.#held.delete(notification)
  }
}
