import { Message, MessageType, Variant, sessionBus, type MessageBus } from 'dbus-next'

/** A notification as received over the bus. */
export interface ReceivedNotification {
  id: number
  /** The app's name on the bus. */
  sender: string
  /** The id of the notification that it replaces. 0 means none. */
  replacesId: number
  actions: string[]
  /** Names of the hints, without `urgency`, which has its own field. */
  hints: string[]
  summary: string
  body: string
  /** 0 low, 1 normal, 2 critical. */
  urgency: number
  /** Milliseconds until it disappears. 0 means never, -1 means the desktop's default. */
  timeoutMs: number
}

export interface TrayMenuItem {
  id: number
  label: string
  isEnabled: boolean
}

/** App name, replaced id, icon, title, body, actions, hints, timeout. */
type NotifyArguments = [string, number, string, string, string, string[], Record<string, Variant>, number]

/**
 * How the daemon answers: at once, not until the hang ends, never, by ending when asked to show a notification, or
 * after `afterMs`.
 */
type DaemonManner = 'atOnce' | 'hangs' | 'loses' | 'dies' | { afterMs: number }

const notifications = {
  name: 'org.freedesktop.Notifications',
  path: '/org/freedesktop/Notifications',
} as const
/** Flags of `RequestName`. */
const allowReplacement = 1
const replaceExisting = 2
const watcher = { name: 'org.kde.StatusNotifierWatcher', path: '/StatusNotifierWatcher' } as const
const trayItem = 'org.kde.StatusNotifierItem'
const properties = 'org.freedesktop.DBus.Properties'
const defaultItemPath = '/StatusNotifierItem'

/** What a tray item sends when it registers: `:1.7`, `name`, `name/path`, or `/path` with the sender as its name. */
function readRegistration(text: string, sender: string): { name: string; path: string } {
  const slash = text.indexOf('/')
  if (slash === -1) return { name: text, path: defaultItemPath }
  return { name: slash === 0 ? sender : text.slice(0, slash), path: text.slice(slash) }
}

/** Shorter than the test timeout, so that a failure names what did not arrive. */
const maxWaitMs = 60_000

/** Keeps what arrives until a test asks for it. */
class Arrivals<T> {
  readonly #name: string
  readonly #arrived: T[] = []
  readonly #waiting: ((item: T) => void)[] = []

  constructor(name: string) {
    this.#name = name
  }

  add(item: T): void {
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#arrived.push(item)
    else waiting(item)
  }

  next(): Promise<T> {
    const arrived = this.#arrived.shift()
    if (arrived !== undefined) return Promise.resolve(arrived)
    return new Promise((resolve, reject) => {
      const arrives = (item: T) => {
        clearTimeout(timer)
        resolve(item)
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(arrives), 1)
        reject(new Error(`No ${this.#name} came within ${maxWaitMs / 1_000} s.`))
      }, maxWaitMs)
      this.#waiting.push(arrives)
    })
  }

  get count(): number {
    return this.#arrived.length
  }
}

/** The app's counterpart on D-Bus: the desktop's notification daemon and its tray. */
export class DesktopPeer {
  readonly #bus: MessageBus
  readonly #address: string
  /** The connection of the notification daemon. Undefined while there is no daemon. */
  #daemon: MessageBus | undefined
  #manner: DaemonManner = 'atOnce'
  /** Answers that a hanging daemon withholds. */
  #withheld: (() => void)[] = []
  #capabilities: readonly string[] = ['body', 'actions']
  readonly #notifications = new Arrivals<ReceivedNotification>('notification')
  readonly #registrations = new Arrivals<{ name: string; path: string }>('tray item')
  #item: { name: string; path: string } | undefined
  #lastId = 0
  #isStopped = false

  private constructor(bus: MessageBus, address: string) {
    this.#bus = bus
    this.#address = address
    bus.addMethodHandler((call: Message) => this.#answer(call))
  }

  /** Owns both bus names. Fewer for a desktop without a notification daemon, or with a real one. */
  static async start(busAddress: string, { hasNotifications = true, hasTray = true } = {}): Promise<DesktopPeer> {
    const bus = sessionBus({ busAddress })
    const peer = new DesktopPeer(bus, busAddress)
    if (hasNotifications) await peer.startDaemon()
    if (hasTray) await bus.requestName(watcher.name, 0)
    return peer
  }

  /** Starts a notification daemon in place of another, which may still run. Its ids start again at 1. */
  async startDaemon(
    capabilities: readonly string[] = ['body', 'actions'],
    manner: DaemonManner = 'atOnce',
  ): Promise<void> {
    this.#manner = manner
    this.#withheld = []
    this.#capabilities = capabilities
    this.#lastId = 0
    const daemon = sessionBus({ busAddress: this.#address })
    this.#daemon = daemon
    daemon.addMethodHandler((call: Message) => this.#answerNotifications(daemon, call))
    await daemon.requestName(notifications.name, allowReplacement | replaceExisting)
  }

  /** Ends the daemon as a crash does. Open requests are never answered. */
  stopDaemon(): void {
    this.#daemon?.disconnect()
    this.#daemon = undefined
  }

  /** Sets how the daemon answers. After a hang it answers the requests that waited. */
  setDaemon(manner: DaemonManner): void {
    this.#manner = manner
    if (manner !== 'hangs') for (const answer of this.#withheld.splice(0)) answer()
  }

  /** Removes the panel, as a crash does. `startTray` restarts it. */
  async stopTray(): Promise<void> {
    await this.#bus.releaseName(watcher.name)
  }

  async startTray(): Promise<void> {
    await this.#bus.requestName(watcher.name, 0)
  }

  stop(): void {
    this.#isStopped = true
    this.stopDaemon()
    this.#bus.disconnect()
  }

  /** Returns the next notification that no test has taken yet. */
  nextNotification(): Promise<ReceivedNotification> {
    return this.#notifications.next()
  }

  /** Returns the next notification about an index. Skips others, such as the one about a closed window. */
  async nextAlert(indexId: string): Promise<ReceivedNotification> {
    for (;;) {
      const notification = await this.nextNotification()
      if (notification.summary.startsWith(indexId)) return notification
    }
  }

  /** Number of notifications that no test has taken. */
  get unreadCount(): number {
    return this.#notifications.count
  }

  click({ id }: ReceivedNotification): void {
    this.#signal('ActionInvoked', 'us', [id, 'default'])
  }

  close({ id }: ReceivedNotification): void {
    this.#signal('NotificationClosed', 'uu', [id, 2])
  }

  /** Waits for the app's next tray item. Later calls go to the latest item. */
  async nextTrayItem(): Promise<void> {
    await this.#registrations.next()
  }

  async trayTooltip(): Promise<string> {
    const [tooltip] = await this.#callItem(properties, 'Get', 'ss', [trayItem, 'ToolTip'])
    return (tooltip as Variant<[string, unknown[], string, string]>).value[2]
  }

  /** The icon's pixels as sent over the bus. */
  async trayIcon(): Promise<Buffer> {
    const [icon] = await this.#callItem(properties, 'Get', 'ss', [trayItem, 'IconPixmap'])
    const [first] = (icon as Variant<[number, number, Uint8Array][]>).value
    if (first === undefined) throw new Error('the tray item has no icon')
    return Buffer.from(first[2])
  }

  /** Acts like a click on the icon. */
  async activateTray(): Promise<void> {
    await this.#callItem(trayItem, 'Activate', 'ii', [0, 0])
  }

  /** The labelled items of the menu, from the top. */
  async trayMenu(): Promise<TrayMenuItem[]> {
    const [, root] = await this.#callMenu('GetLayout', 'iias', [0, -1, []])
    const [, , children] = root as [number, unknown, Variant<[number, Record<string, Variant>, unknown]>[]]
    return children.flatMap(({ value: [id, details] }) => {
      const label = details['label']?.value as string | undefined
      const enabled = details['enabled']?.value as boolean | undefined
      // An underscore marks an access key. A literal underscore is doubled.
      return label === undefined ? [] : [{ id, label: label.replaceAll('__', '_'), isEnabled: enabled ?? true }]
    })
  }

  /** Chooses the item with this label. Tries again if the menu was replaced, because its ids are then invalid. */
  async clickMenu(label: string): Promise<void> {
    const [path] = await this.#callItem(properties, 'Get', 'ss', [trayItem, 'Menu'])
    const idOf = async () => (await this.trayMenu()).find((each) => each.label === label)?.id
    let id = await idOf()
    if (id === undefined) throw new Error(`the tray menu has no item ${label}`)
    for (let chosen: number | undefined; id !== undefined && id !== chosen;) {
      chosen = id
      const body = [id, 'clicked', new Variant('s', ''), 0]
      // Does not wait for an answer, because the app quits on Quit without one.
      this.#bus.send(this.#message('com.canonical.dbusmenu', 'Event', 'isvu', body, (path as Variant<string>).value))
      id = await idOf().catch(() => undefined)
    }
  }

  #signal(member: string, signature: string, body: unknown[]): void {
    this.#daemon?.send(Message.newSignal(notifications.path, notifications.name, member, signature, body))
  }

  async #callMenu(member: string, signature: string, body: unknown[]): Promise<unknown[]> {
    const [path] = await this.#callItem(properties, 'Get', 'ss', [trayItem, 'Menu'])
    return this.#callItem('com.canonical.dbusmenu', member, signature, body, (path as Variant<string>).value)
  }

  async #callItem(
    interfaceName: string,
    member: string,
    signature: string,
    body: unknown[],
    path?: string,
  ): Promise<unknown[]> {
    const reply = await this.#bus.call(this.#message(interfaceName, member, signature, body, path))
    return (reply?.body ?? []) as unknown[]
  }

  /** A call to the tray item, or to another object of its process. */
  #message(interfaceName: string, member: string, signature: string, body: unknown[], path?: string): Message {
    if (this.#item === undefined) throw new Error('no tray item has registered')
    const destination = { destination: this.#item.name, path: path ?? this.#item.path }
    return new Message({ ...destination, interface: interfaceName, member, signature, body })
  }

  #answer(call: Message): boolean {
    // The app may have ended before its last message is read.
    if (this.#isStopped) return true
    if (call.type !== MessageType.METHOD_CALL) return false
    const reply = (signature: string, body: unknown[]) => {
      this.#bus.send(Message.newMethodReturn(call, signature, body))
      return true
    }
    if (call.path === watcher.path) return this.#answerWatcher(call, reply)
    return false
  }

  #answerNotifications(daemon: MessageBus, call: Message): boolean {
    if (call.type !== MessageType.METHOD_CALL || call.path !== notifications.path) return false
    const manner = this.#manner
    const reply = (signature: string, body: unknown[]) => {
      const send = () => {
        if (this.#daemon === daemon) daemon.send(Message.newMethodReturn(call, signature, body))
      }
      if (typeof manner === 'object') setTimeout(send, manner.afterMs)
      else if (manner === 'hangs') this.#withheld.push(send)
      else if (manner !== 'loses') send()
      return true
    }
    switch (call.member) {
      case 'GetServerInformation':
        return reply('ssss', ['desktop-peer', 'indexwatch', '1', '1.2'])
      case 'GetCapabilities':
        return reply('as', [this.#capabilities])
      case 'CloseNotification':
        return reply('', [])
      case 'Notify': {
        const [, replacesId, , summary, body, actions, hints, timeoutMs] = call.body as NotifyArguments
        const id = replacesId === 0 ? ++this.#lastId : replacesId
        const urgency = Number(hints['urgency']?.value ?? 1)
        if (manner === 'dies') this.stopDaemon()
        reply('u', [id])
        const names = Object.keys(hints)
        this.#notifications.add({
          id,
          sender: call.sender,
          replacesId,
          summary,
          body,
          actions,
          hints: names,
          urgency,
          timeoutMs,
        })
        return true
      }
      default:
        return false
    }
  }

  #answerWatcher(call: Message, reply: (signature: string, body: unknown[]) => boolean): boolean {
    if (call.member === 'RegisterStatusNotifierItem') {
      this.#item = readRegistration(String(call.body[0]), call.sender)
      this.#registrations.add(this.#item)
      return reply('', [])
    }
    if (call.interface !== properties || call.member !== 'Get') return false
    switch (call.body[1]) {
      case 'IsStatusNotifierHostRegistered':
        return reply('v', [new Variant('b', true)])
      case 'RegisteredStatusNotifierItems':
        return reply('v', [new Variant('as', [])])
      case 'ProtocolVersion':
        return reply('v', [new Variant('i', 0)])
      default:
        return false
    }
  }
}
