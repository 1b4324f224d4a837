/** The notification daemon of a Linux desktop, asked over D-Bus. */
import { Variant, type DBusError, type Message, type MessageBus } from 'dbus-native'
import type { Clock } from '../base/clock'
import { busItself, newOwner, openSessionBus, ownerRule } from './session-bus'

/** What a daemon is asked to show, in the words of the Desktop Notifications Specification. */
export interface DaemonNotification {
  /** The id of the one whose place it takes; 0: a new one. */
  replacesId: number
  title: string
  body: string
  /** 0 low, 1 normal, 2 critical. */
  urgency: 0 | 1 | 2
  /** Milliseconds it stays; 0: until it is closed, -1: as the desktop likes. */
  timeoutMs: number
  /** The app rings itself: the daemon adds no sound of its own to what is to be silent. */
  isSilent: boolean
  image?: DaemonImage
}

/** Rows from the top, four bytes a pixel: red, green, blue, alpha. */
export interface DaemonImage {
  width: number
  height: number
  rgba: Buffer
}

/**
 * `ready` · `absent` there is none, and the desktop starts none · `silent` it does not answer · `lost` no session bus.
 */
type Readiness = 'ready' | 'absent' | 'silent' | 'lost'

/**
 * What became of asking it to show one. `gone`: it ended or lost its name before it answered. `silent`: no answer in time;
 * it may still come.
 */
type Shown = 'shown' | 'refused' | 'gone' | 'silent'

interface Options {
  clock: Clock
  /** As `DBUS_SESSION_BUS_ADDRESS` has it. */
  address: string
  appName: string
  /** Name of the app's desktop entry. */
  desktopEntry: string
  /** The user chose the notification itself or its only button. */
  onClicked: (id: number) => void
  onClosed: (id: number) => void
  /** Another daemon has the name, or none is there: ids of the one before mean nothing any more. */
  onReplaced: (isThere: boolean) => void
}

const daemon = {
  destination: 'org.freedesktop.Notifications',
  path: '/org/freedesktop/Notifications',
  interface: 'org.freedesktop.Notifications',
}
const daemonName = daemon.destination

/** The bus starts no program because of a call: a daemon that is started on demand is asked for by name. */
const noAutoStart = 2
/** An answer that is not there by then may never come. */
const patienceMs = 30_000

/** The first rule matches the well-known name, so it survives a change of daemon. */
const signals = [
  `type='signal',sender='${daemonName}',path='${daemon.path}',interface='${daemon.interface}'`,
  ownerRule(daemonName),
]

/** Errors by which the bus says that nobody will answer. */
const goneErrors: ReadonlySet<string | undefined> = new Set([
  'org.freedesktop.DBus.Error.NoReply',
  'org.freedesktop.DBus.Error.Disconnected',
  'org.freedesktop.DBus.Error.ServiceUnknown',
  'org.freedesktop.DBus.Error.NameHasNoOwner',
])

type Answer = { values: unknown[] } | { error: DBusError } | 'silent'

/**
 * One connection to the session bus, made when it is first needed and again after it was lost. No call waits on the main
 * thread, and each has a time limit. Signals count only from the present owner of the daemon's name.
 */
export class NotificationDaemon {
  readonly #options: Options
  #bus: MessageBus | undefined
  /** The unique name of the daemon; empty while it is not known. */
  #owner = ''
  #capabilities: ReadonlySet<string> | undefined
  /** Each ends the wait for an answer of the present daemon. */
  readonly #giveUps = new Set<() => void>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Connects, has the daemon started where the desktop does that, and asks each new daemon once what it can do. */
  async prepare(): Promise<Readiness> {
    this.#bus ??= this.#connect()
    const readiness = this.#owner === '' ? await this.#findOwner() : 'ready'
    const outcome = readiness === 'ready' ? await this.#askCapabilities() : readiness
    return this.#bus === undefined ? 'lost' : outcome
  }

  /**
   * Asks the daemon to show a notification. `onId` is called before any signal about that id is heard, also when the answer
   * comes after this has ended as `silent`; then it has no id where another daemon has the name by now.
   */
  notify(notification: DaemonNotification, onId: (id: number | undefined) => void): Promise<Shown> {
    const owner = this.#owner
    const message = { ...daemon, flags: noAutoStart, ...this.#notifyCall(notification) }
    let isRefused = false
    const asked = this.#ask(message, (values) => {
      const [id] = values
      // An answer without a number is not one of this protocol.
      if (typeof id !== 'number') isRefused = true
      else onId(owner === this.#owner ? id : undefined)
    })
    return asked.then((answer) => {
      if (answer === 'silent') {
        if (owner !== this.#owner) return 'gone'
        // Whether it is there at all is asked before the next one is sent.
        this.#capabilities = undefined
        return 'silent'
      }
      if ('values' in answer) return isRefused ? 'refused' : 'shown'
      if (this.#bus !== undefined && !goneErrors.has(answer.error.dbusName)) return 'refused'
      // The bus may say only later that the name is free.
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
    // A click is sent as an action. Some daemons have no actions.
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

  /** `onValues` is called as the answer is read, before what comes after it, however late that is. */
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
