import { Message, MessageType, Variant, sessionBus, type MessageBus } from 'dbus-next'

/** A notification as it came over the bus. */
export interface ReceivedNotification {
  id: number
  /** The app's name on the bus. */
  sender: string
  /** The id of the one whose place it takes; 0: none. */
  replacesId: number
  actions: string[]
  /** Their names; `urgency` has its own field. */
  hints: string[]
  summary: string
  body: string
  /** 0 low, 1 normal, 2 critical. */
  urgency: number
  /** Milliseconds it stays; 0 until it is closed, -1 as the desktop likes. */
  timeoutMs: number
}

export interface TrayMenuItem {
  id: number
  label: string
  isEnabled: boolean
}

/** Name of the app, the one replaced, icon, title, body, actions, hints, time. */
type NotifyArguments = [string, number, string, string, string, string[], Record<string, Variant>, number]

/**
 * How the daemon answers: as one does, not while it hangs, never what it is asked now, after so many milliseconds, or by
 * ending when it is to show one.
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

/** What a tray item says when it registers: `:1.7`, `name`, `name/path` or, with the sender as its name, `/path`. */
function readRegistration(text: string, sender: string): { name: string; path: string } {
  const slash = text.indexOf('/')
  if (slash === -1) return { name: text, path: defaultItemPath }
  return { name: slash === 0 ? sender : text.slice(0, slash), path: text.slice(slash) }
}

/** Below the time a test has, so that a failure says what did not come. */
const maxWaitMs = 60_000

/** Keeps what arrives until somebody asks for it. */
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

/** The other half of a desktop: its notification daemon and its tray, as the app meets them over D-Bus. */
export class DesktopPeer {
  readonly #bus: MessageBus
  readonly #address: string
  /** The connection of the notification daemon. Undefined while there is no daemon. */
  #daemon: MessageBus | undefined
  #manner: DaemonManner = 'atOnce'
  /** Answers of a daemon that hangs. */
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

  /** Takes both names, or fewer for a desktop without a notification daemon, or with real ones. */
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

  /** The panel goes, as when it crashes; `startTray` is its next start. */
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

  /** Waits for the next tray item of the app. Questions about the item go to the latest one. */
  async nextTrayItem(): Promise<void> {
    await this.#registrations.next()
  }

  async trayTooltip(): Promise<string> {
    const [tooltip] = await this.#callItem(properties, 'Get', 'ss', [trayItem, 'ToolTip'])
    return (tooltip as Variant<[string, unknown[], string, string]>).value[2]
  }

  /** The icon's pixels as they travel. */
  async trayIcon(): Promise<Buffer> {
    const [icon] = await this.#callItem(properties, 'Get', 'ss', [trayItem, 'IconPixmap'])
    const [first] = (icon as Variant<[number, number, Uint8Array][]>).value
    if (first === undefined) throw new Error('the tray item has no icon')
    return Buffer.from(first[2])
  }

  /** What a click on the icon does. */
  async activateTray(): Promise<void> {
    await this.#callItem(trayItem, 'Activate', 'ii', [0, 0])
  }

  /** The menu's items with a label, from the top. */
  async trayMenu(): Promise<TrayMenuItem[]> {
    const [, root] = await this.#callMenu('GetLayout', 'iias', [0, -1, []])
    const [, , children] = root as [number, unknown, Variant<[number, Record<string, Variant>, unknown]>[]]
    return children.flatMap(({ value: [id, details] }) => {
      const label = details['label']?.value as string | undefined
      const enabled = details['enabled']?.value as boolean | undefined
      // An underscore marks a key to press; a written one is doubled.
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

  /** A call to the tray item, or to another object of its owner. */
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
