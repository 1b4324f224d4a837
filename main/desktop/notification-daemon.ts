/** D-Bus client of the notification daemon of a Linux desktop. */
import { Variant, type DBusError, type Message, type MessageBus } from 'dbus-native'
import type { Clock } from '../base/clock'
import { busItself, newOwner, openSessionBus, ownerRule } from './session-bus'

/** A notification in the terms of the Desktop Notifications Specification. */
export interface DaemonNotification {
  /** Id of the notification to replace. 0 for a new one. */
  replacesId: number
  title: string
  body: string
  /** 0 low, 1 normal, 2 critical. */
  urgency: 0 | 1 | 2
  /** Milliseconds until it closes. 0 for never, -1 for the desktop's default. */
  timeoutMs: number
  /** The app plays its own sound. True keeps the daemon from adding one. */
  isSilent: boolean
  image?: DaemonImage
}

/** Rows from the top, four bytes per pixel: red, green, blue, alpha. */
export interface DaemonImage {
  width: number
  height: number
  rgba: Buffer
}

/**
 * `absent`: no daemon is running, and the desktop starts none. `silent`: it does not answer. `lost`: no session bus.
 */
type Readiness = 'ready' | 'absent' | 'silent' | 'lost'

/**
 * Result of showing a notification. `gone`: the daemon ended or lost its name before it answered. `silent`: no answer
 * in time, though it may still come.
 */
type Shown = 'shown' | 'refused' | 'gone' | 'silent'

interface Options {
  clock: Clock
  /** As in `DBUS_SESSION_BUS_ADDRESS`. */
  address: string
  appName: string
  /** Name of the app's desktop entry. */
  desktopEntry: string
  /** Called when the user clicks the notification or its only button. */
  onClicked: (id: number) => void
  onClosed: (id: number) => void
  /** Called when another daemon has the name, or none has it. Ids of the former daemon are then invalid. */
  onReplaced: (isThere: boolean) => void
}

const daemon = {
  destination: 'org.freedesktop.Notifications',
  path: '/org/freedesktop/Notifications',
  interface: 'org.freedesktop.Notifications',
}
const daemonName = daemon.destination

/** A call must not start a program. A daemon that is started on demand is requested by name. */
const noAutoStart = 2
/** An answer that has not arrived by then may never come. */
const patienceMs = 30_000

/** The first rule matches the well-known name, so it survives a change of daemon. */
const signals = [
  `type='signal',sender='${daemonName}',path='${daemon.path}',interface='${daemon.interface}'`,
  ownerRule(daemonName),
]

/** Errors by which the bus reports that there is no receiver. */
const goneErrors: ReadonlySet<string | undefined> = new Set([
  'org.freedesktop.DBus.Error.NoReply',
  'org.freedesktop.DBus.Error.Disconnected',
  'org.freedesktop.DBus.Error.ServiceUnknown',
  'org.freedesktop.DBus.Error.NameHasNoOwner',
])

type Answer = { values: unknown[] } | { error: DBusError } | 'silent'

/**
 * One connection to the session bus, opened when first needed and again after it was lost. No call blocks the main
 * thread, and each has a time limit. Only signals of the daemon that owns the name are accepted.
 */
export class NotificationDaemon {
  readonly #options: Options
  #bus: MessageBus | undefined
  /** The unique name of the daemon. Empty while unknown. */
  #owner = ''
  #capabilities: ReadonlySet<string> | undefined
  /** Functions that end the wait for an answer of the current daemon. */
  readonly #giveUps = new Set<() => void>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Connects, starts the daemon if the desktop supports that, and asks each new daemon once for its capabilities. */
  async prepare(): Promise<Readiness> {
    this.#bus ??= this.#connect()
    const readiness = this.#owner === '' ? await this.#findOwner() : 'ready'
    const outcome = readiness === 'ready' ? await this.#askCapabilities() : readiness
    return this.#bus === undefined ? 'lost' : outcome
  }

  /**
   * Asks the daemon to show a notification. `onId` is called before any signal about that id is processed, even if the
   * answer arrives after `silent` was returned. The id is then undefined if another daemon owns the name by now.
   */
  notify(notification: DaemonNotification, onId: (id: number | undefined) => void): Promise<Shown> {
    const owner = this.#owner
    const message = { ...daemon, flags: noAutoStart, ...this.#notifyCall(notification) }
    let isRefused = false
    const asked = this.#ask(message, (values) => {
      const [id] = values
      // An answer without a number violates the protocol.
      if (typeof id !== 'number') isRefused = true
      else onId(owner === this.#owner ? id : undefined)
    })
    return asked.then((answer) => {
      if (answer === 'silent') {
        if (owner !== this.#owner) return 'gone'
        // Makes the next notification check first whether the daemon still answers.
        this.#capabilities = undefined
        return 'silent'
      }
      if ('values' in answer) return isRefused ? 'refused' : 'shown'
      if (this.#bus !== undefined && !goneErrors.has(answer.error.dbusName)) return 'refused'
      // The bus may report later that the name is free.
      if (owner === this.#owner) this.#replaced('')
      return 'gone'
    })
  }

  dispose(): void {
    const opened = this.#bus
    this.#bus = undefined
    this.#forget('')
    opened?.connection.end()
  }

  #connect(): MessageBus | undefined {
    const opened = openSessionBus({
      address: this.#options.address,
      signals,
      onSignal: (signal) => {
        if (this.#bus === opened) this.#heard(signal)
      },
      onLost: () => {
        if (this.#bus !== opened) return
        this.#bus = undefined
        this.#replaced('')
      },
    })
    return opened
  }

  async #findOwner(): Promise<Readiness> {
    const started = await this.#ask({
      ...busItself,
      member: 'StartServiceByName',
      signature: 'su',
      body: [daemonName, 0],
    })
    if (started === 'silent') return 'silent'
    const asked = await this.#ask({ ...busItself, member: 'GetNameOwner', signature: 's', body: [daemonName] })
    if (asked === 'silent') return 'silent'
    const [owner] = 'values' in asked ? asked.values : []
    if (typeof owner !== 'string') return 'absent'
    this.#owner = owner
    return 'ready'
  }

  async #askCapabilities(): Promise<Readiness> {
    if (this.#capabilities !== undefined) return 'ready'
    const owner = this.#owner
    const answer = await this.#ask({ ...daemon, flags: noAutoStart, member: 'GetCapabilities' })
    if (this.#owner !== owner) return 'absent'
    if (answer === 'silent') return 'silent'
    const [names] = 'values' in answer ? answer.values : []
    this.#capabilities = new Set(Array.isArray(names) ? (names as unknown[]).map(String) : [])
    return 'ready'
  }

  #notifyCall(notification: DaemonNotification): Partial<Message> {
    const { replacesId, title, body, urgency, timeoutMs, isSilent, image } = notification
    const { appName, desktopEntry } = this.#options
    // A click is sent as an action, which some daemons do not support.
    const actions = this.#capabilities?.has('actions') === true ? ['default', 'View'] : []
    const hints = {
      urgency: new Variant('y', urgency),
      'desktop-entry': new Variant('s', desktopEntry),
      'sender-pid': new Variant('x', process.pid),
      ...(isSilent && { 'suppress-sound': new Variant('b', true) }),
      ...(image && {
        'image-data': new Variant('(iiibiiay)', [image.width, image.height, 4 * image.width, true, 8, 4, image.rgba]),
      }),
    }
    return {
      member: 'Notify',
      signature: 'susssasa{sv}i',
      body: [appName, replacesId, '', title, body, actions, hints, timeoutMs],
    }
  }

  /** `onValues` is called when the answer is read, before any later message, even after the time limit. */
  #ask(message: Message, onValues?: (values: unknown[]) => void): Promise<Answer> {
    const { clock } = this.#options
    const opened = this.#bus
    if (opened === undefined) return Promise.resolve('silent')
    return new Promise((resolve) => {
      const end = (answer: Answer) => {
        cancelLimit()
        this.#giveUps.delete(giveUp)
        resolve(answer)
      }
      const giveUp = () => end('silent')
      const cancelLimit = clock.after(patienceMs, giveUp)
      if (message.destination === daemonName) this.#giveUps.add(giveUp)
      opened.invoke(message, (error, ...values: unknown[]) => {
        if (error === null) onValues?.(values)
        end(error === null ? { values } : { error })
      })
    })
  }

  #heard(signal: Message): void {
    const { sender, interface: from, member, body = [] } = signal
    const owner = newOwner(signal, daemonName)
    if (owner !== undefined && owner !== this.#owner) this.#replaced(owner)
    if (sender !== this.#owner || from !== daemon.interface) return
    const [id] = body
    if (typeof id !== 'number') return
    if (member === 'ActionInvoked') this.#options.onClicked(id)
    else if (member === 'NotificationClosed') this.#options.onClosed(id)
  }

  #replaced(owner: string): void {
    this.#forget(owner)
    this.#options.onReplaced(owner !== '')
  }

  #forget(owner: string): void {
    this.#owner = owner
    this.#capabilities = undefined
    for (const giveUp of [...this.#giveUps]) giveUp()
  }
}
