import { firingKinds, type AlertEvent, type AlertEventKind, type Delivery } from '../../core/alert-events'
import { severities, type AlertSeverity } from '../../core/severity'
import type { IndexId } from '../../core/model'
import type { Clock } from '../base/clock'
import {
  digestText,
  isLateFromDesk,
  notificationText,
  repeatedText,
  type NotificationText,
  type TextContext,
} from './notification-text'

/**
 * One desktop notification. `waits` means that it could not be shown and is retried. After `failed` or `close` no event
 * follows.
 */
export interface NativeNotification {
  on(event: 'show' | 'click' | 'close' | 'failed' | 'waits', listener: () => void): unknown
  show(): void
}

/** The request for a desktop notification. */
export interface NotificationRequest extends NotificationText {
  urgency: 'low' | 'normal' | 'critical'
  /** `never` keeps it until the user closes it. */
  timeoutType: 'default' | 'never'
  playsSound: boolean
  hasIcon: boolean
}

interface Options {
  clock: Clock
  isSupported: () => boolean
  /** True if the user wants notifications. */
  isWanted: () => boolean
  /** Severities that play a sound. */
  soundSeverities: () => readonly AlertSeverity[]
  text: Omit<TextContext, 'nowMs'>
  /** Creates a notification. It replaces `former` if that still exists. */
  create: (request: NotificationRequest, former?: NativeNotification) => NativeNotification
  onDelivery: (eventId: string, delivery: Delivery) => void
  /** Called when a notification is clicked. `indexId` is undefined for a digest of several events. */
  onClick: (indexId: IndexId | undefined) => void
}

type Answer = Extract<Delivery, 'shown' | 'failed' | 'clicked' | 'unanswered' | 'unknown' | 'off'>

/** A desktop without an answer after this time counts as unanswered. Escalation waits no longer. */
const answerTimeoutMs = 1_000
/** A notification that is neither clicked nor closed is forgotten after this time. */
const keptMs = 24 * 60 * 60_000
/**
 * Maximum number of pictures kept. Each notification stays in memory until the desktop reports that it was closed, and
 * some desktops never do. The picture is most of it.
 */
const maxIcons = 100
/** Maximum number of notifications kept. A click on an older one opens nothing, but the inbox has its event. */
const maxHeld = 200
const urgencies = { info: 'low', normal: 'normal', urgent: 'critical' } as const
/** Firings, and the count of suppressed ones. */
const countedKinds: ReadonlySet<AlertEventKind> = new Set([...firingKinds, 'cooldownOver'])
/** Kinds that undo or end a firing. */
const endKinds: ReadonlySet<AlertEventKind> = new Set(['retracted', 'recovered'])

/** Waits for the result of a notification. */
class DeliveryWait {
  readonly answered: Promise<Answer>
  readonly #onAnswer: (answer: Answer, isLatest: boolean) => void
  readonly #cancelWait: () => void
  #hasAnswer = false
  #resolve: (answer: Answer) => void = () => undefined

  /** `onAnswer` may be called again: with `shown` after `unanswered` or `failed`, and with `clicked` after anything. */
  constructor(clock: Clock, onAnswer: (answer: Answer, isLatest: boolean) => void) {
    this.#onAnswer = onAnswer
    this.answered = new Promise((resolve) => (this.#resolve = resolve))
    this.#cancelWait = clock.after(answerTimeoutMs, () => this.tellFirst('unanswered'))
  }

  /** `isLatest` is false if another event has replaced this one in the notification. */
  tell(answer: Answer, isLatest: boolean): void {
    this.#cancelWait()
    this.#hasAnswer = true
    this.#onAnswer(answer, isLatest)
    this.#resolve(answer)
  }

  /** Reports the answer only if there is none yet. */
  tellFirst(answer: Answer): void {
    if (!this.#hasAnswer) this.tell(answer, true)
  }

  dispose(): void {
    this.#cancelWait()
  }
}

/** A notification that is on the desktop or about to be. */
interface Held {
  /** Events not yet reported as shown. The newest is `latest`. */
  unshown: DeliveryWait[]
  latest: DeliveryWait
  cancelHold: () => void
  firings?: Firings
}

/** The firings that a rule's notification is about. */
class Firings {
  readonly ruleId: string
  /** When the first was published, if known. */
  sinceMs: number | undefined
  readonly #ids: Set<string>
  #suppressed: number

  /** Starts with the firings of the rule's existing notification. */
  constructor(ruleId: string, former: Firings | undefined) {
    this.ruleId = ruleId
    this.#ids = new Set(former === undefined ? [] : former.#ids)
    this.#suppressed = former === undefined ? 0 : former.#suppressed
    this.sinceMs = former?.sinceMs
  }

  get count(): number {
    return this.#ids.size + this.#suppressed
  }

  add({ id, kind, inputs, aboutEventId = '', heldBackCount = 0 }: AlertEvent): void {
    if (kind === 'retracted') this.#ids.delete(aboutEventId)
    else if (kind === 'cooldownOver') this.#suppressed += heldBackCount
    else if (countedKinds.has(kind)) {
      if (this.count === 0) this.sinceMs = inputs.publishedAtMs
      this.#ids.add(id)
    }
  }
}

/**
 * Shows events as native notifications and reports the result of each (alert engine, 16). A rule has at most one (alert
 * engine, 29). Whether an alert fired is decided before: the inbox has every event.
 */
export class Notifications {
  readonly #options: Options
  /** Electron garbage-collects a notification without a reference, and its click with it. */
  readonly #held = new Map<NativeNotification, Held>()
  /** The notification of each rule. */
  readonly #ofRules = new Map<string, NativeNotification>()
  readonly #unanswered = new Set<DeliveryWait>()

  constructor(options: Options) {
    this.#options = options
  }

  notify(events: readonly AlertEvent[]): void {
    const [event] = events
    if (event === undefined) return
    const areFirings = events.every(({ ruleId, kind }) => ruleId === event.ruleId && countedKinds.has(kind))
    const isEnd = events.length === 1 && endKinds.has(event.kind)
    // Several firings while the user was away are announced together, each with its time.
    const isAway = events.length > 1 && events.some((each) => each.kind === 'lateFromHistory' || isLateFromDesk(each))
    const replaces = (areFirings && !isAway) || isEnd
    if (replaces || events.length === 1) this.#notifyOfRule(events, replaces)
    else this.#notifyOfSeveral(events)
  }

  /** Shows a test notification. Resolves with its result within a second. */
  async test(): Promise<Answer> {
    const playsSound = this.#options.soundSeverities().length > 0
    return this.#showText({ title: 'This is a test alert', body: 'Alerts will look like this.' }, playsSound)
  }

  /** Shows, without a sound, a message that is not an alert. Resolves with its result within a second. */
  announce(text: NotificationText): Promise<Answer> {
    return this.#showText(text, false)
  }

  /** Resolves when every notification has a result, within a second. */
  async answered(): Promise<void> {
    await Promise.all([...this.#unanswered].map((wait) => wait.answered))
  }

  /** Number of notifications still on the desktop, as far as is known. */
  get heldCount(): number {
    return this.#held.size
  }

  dispose(): void {
    for (const { cancelHold } of this.#held.values()) cancelHold()
    for (const wait of this.#unanswered) wait.dispose()
    this.#held.clear()
    this.#ofRules.clear()
    this.#unanswered.clear()
  }

  /** Shows one event, or firings of one rule, oldest first. `replaces` the rule's notification, if there is one. */
  #notifyOfRule(events: readonly AlertEvent[], replaces: boolean): void {
    const { onDelivery, onClick } = this.#options
    const event = events.at(-1)
    if (event === undefined) return
    const { ruleId, indexId, severity } = event
    const before = replaces ? this.#ofRules.get(ruleId) : undefined
    const former = this.#firingsOf(before)
    const firings = new Firings(ruleId, former)
    for (const each of events) firings.add(each)
    const isAlone = events.length === 1 && (former?.count ?? 0) === 0
    const text =
      isAlone || endKinds.has(event.kind)
        ? notificationText(event, this.#context())
        : repeatedText(event, firings, this.#context())
    const waits = events.map(({ id }) =>
      this.#waitForResult((answer, isLatest) => {
        onDelivery(id, answer === 'shown' && !isLatest ? 'inDigest' : answer)
        if (answer === 'clicked') onClick(indexId)
      }),
    )
    this.#show({ ...text, ...this.#weight(severity) }, waits, replaces ? { firings, before } : undefined)
  }

  #firingsOf(notification: NativeNotification | undefined): Firings | undefined {
    return notification === undefined ? undefined : this.#held.get(notification)?.firings
  }

  #notifyOfSeveral(events: readonly AlertEvent[]): void {
    const { onDelivery, onClick } = this.#options
    const severity = severities.findLast((each) => events.some((event) => event.severity === each)) ?? 'normal'
    for (const event of events) this.#firingsOf(this.#ofRules.get(event.ruleId))?.add(event)
    const wait = this.#waitForResult((answer) => {
      // A click on a digest names no event.
      const isSeen = answer === 'shown' || answer === 'clicked'
      for (const { id } of events) onDelivery(id, isSeen ? 'inDigest' : answer)
      if (answer === 'clicked') onClick(undefined)
    })
    this.#show({ ...digestText(events, this.#context()), ...this.#weight(severity) }, [wait])
  }

  #showText(text: NotificationText, playsSound: boolean): Promise<Answer> {
    const wait = this.#waitForResult(() => undefined)
    this.#show({ ...text, urgency: 'normal', timeoutType: 'default', playsSound }, [wait])
    return wait.answered
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

  #waitForResult(onAnswer: (answer: Answer, isLatest: boolean) => void): DeliveryWait {
    const wait = new DeliveryWait(this.#options.clock, onAnswer)
    this.#unanswered.add(wait)
    void wait.answered.then(() => this.#unanswered.delete(wait))
    return wait
  }

  #show(
    asked: Omit<NotificationRequest, 'hasIcon'>,
    waits: readonly DeliveryWait[],
    ofRule?: { firings: Firings; before: NativeNotification | undefined },
  ): void {
    const { isSupported, isWanted, create, clock } = this.#options
    const latest = waits.at(-1)
    if (latest === undefined) return
    const refusal = !isWanted() ? 'off' : !isSupported() ? 'failed' : undefined
    if (refusal !== undefined) {
      for (const wait of waits) wait.tell(refusal, true)
      return
    }
    const before = ofRule?.before
    const unshown = [...((before && this.#release(before))?.unshown ?? []), ...waits]
    const notification = create({ ...asked, hasIcon: this.#held.size < maxIcons }, before)
    const cancelHold = clock.after(keptMs, () => void this.#release(notification))
    this.#held.set(notification, { unshown, latest, cancelHold, firings: ofRule?.firings })
    if (ofRule !== undefined) this.#ofRules.set(ofRule.firings.ruleId, notification)
    const [oldest] = this.#held.keys()
    if (oldest !== undefined && this.#held.size > maxHeld) this.#release(oldest)
    this.#follow(notification)
    notification.show()
  }

  #follow(notification: NativeNotification): void {
    const tellAll = ({ unshown }: Held, answer: Answer) => {
      for (const wait of unshown) wait.tellFirst(answer)
    }
    const shown = (held: Held) => {
      for (const wait of held.unshown.splice(0)) wait.tell('shown', wait === held.latest)
    }
    const heard = (
      event: Parameters<NativeNotification['on']>[0],
      held: () => Held | undefined,
      tell: (held: Held) => void,
    ) =>
      notification.on(event, () => {
        const found = held()
        if (found !== undefined) tell(found)
      })
    const release = () => this.#release(notification)
    const stays = () => this.#held.get(notification)
    heard('show', stays, shown)
    heard('waits', stays, (held) => tellAll(held, 'failed'))
    heard('failed', release, (held) => tellAll(held, 'failed'))
    heard('close', release, (held) => tellAll(held, 'unknown'))
    heard('click', release, (held) => {
      shown(held)
      held.latest.tell('clicked', true)
    })
  }

  /**
   * Undefined if it is no longer held. A restarted daemon reuses old ids, so its signals about them must be ignored.
   */
  #release(notification: NativeNotification): Held | undefined {
    const held = this.#held.get(notification)
    held?.cancelHold()
    this.#held.delete(notification)
    const ruleId = held?.firings?.ruleId
    if (ruleId !== undefined && this.#ofRules.get(ruleId) === notification) this.#ofRules.delete(ruleId)
    return held
  }
}
