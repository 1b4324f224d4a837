import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Message, sessionBus, type MessageBus, type Variant } from 'dbus-next'

/** Background of a notification. The app does not use this colour. */
export const popupColour = '#22262e'

const dunstrc = `[global]
    origin = top-right
    offset = 16x16
    width = 380
    height = 300
    padding = 14
    horizontal_padding = 16
    text_icon_padding = 14
    icon_position = left
    min_icon_size = 40
    max_icon_size = 40
    corner_radius = 8
    frame_width = 1
    frame_color = "#3a4250"
    font = DejaVu Sans 10
    format = "<b>%s</b>\\n%b"
    show_indicators = no
    idle_threshold = 0
[urgency_normal]
    background = "${popupColour}"
    foreground = "#e9ecf1"
    timeout = 0
`

/** One panel that has only a tray. */
const panelSettings = `<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=10;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="size" type="uint" value="28"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="systray"/>
  </property>
</channel>
`

const notifications = { destination: 'org.freedesktop.Notifications', path: '/org/freedesktop/Notifications' }
const watcher = { destination: 'org.kde.StatusNotifierWatcher', path: '/StatusNotifierWatcher' }
const startWithinMs = 60_000

/** Path of the panel's settings daemon, which is not on PATH. */
function findXfconfd(): string {
  const found = readdirSync('/usr/lib').map((folder) => join('/usr/lib', folder, 'xfce4/xfconf/xfconfd'))
  const path = found.find((file) => existsSync(file))
  if (path === undefined) throw new Error('xfconfd is missing: install the package xfconf')
  return path
}

/** A real notification daemon (dunst) and a real panel (xfce4-panel) on a test's own bus. */
export class RealDesktop {
  readonly #bus: MessageBus
  readonly #children: ChildProcess[] = []
  #printed = ''

  private constructor(busAddress: string) {
    this.#bus = sessionBus({ busAddress })
  }

  /**
   * Starts both with these variables, which include the bus and a writable home. Resolves when both are running.
   * @throws {Error} if one of them is not installed or does not start
   */
  static async start(environment: Record<string, string>): Promise<RealDesktop> {
    const { DBUS_SESSION_BUS_ADDRESS = '', XDG_CONFIG_HOME = '' } = environment
    const channels = join(XDG_CONFIG_HOME, 'xfce4', 'xfconf', 'xfce-perchannel-xml')
    await mkdir(channels, { recursive: true })
    await writeFile(join(channels, 'xfce4-panel.xml'), panelSettings)
    const dunstConfig = join(XDG_CONFIG_HOME, 'dunstrc')
    await writeFile(dunstConfig, dunstrc)
    const desktop = new RealDesktop(DBUS_SESSION_BUS_ADDRESS)
    const env = { ...environment, NO_AT_BRIDGE: '1' }
    try {
      const dunst = await desktop.#run('dunst', ['-conf', dunstConfig, '-print'], env)
      dunst.stdout?.on('data', (data: Buffer) => (desktop.#printed += data.toString()))
      await desktop.#run(findXfconfd(), [], env)
      // The bus activates no service. Each one must be running before the next, which needs it.
      await desktop.#isThere('org.xfce.Xfconf')
      await desktop.#run('xfce4-panel', ['--disable-wm-check'], env)
      await Promise.all([desktop.#isThere(notifications.destination), desktop.#isThere(watcher.destination)])
    } catch (error) {
      await desktop.stop()
      throw error
    }
    return desktop
  }

  /** The notifications that dunst reports as shown: title, body, urgency. */
  get shown(): string {
    return this.#printed
  }

  /** Acts like a click on the newest notification. */
  async click(): Promise<void> {
    await this.#call({ ...notifications, interface: 'org.dunstproject.cmd0', member: 'NotificationAction' }, 'u', [0])
  }

  /** The tray items that the panel knows, by their registrations. */
  async trayItems(): Promise<string[]> {
    return (await this.#get(watcher, 'org.kde.StatusNotifierWatcher', 'RegisteredStatusNotifierItems')) as string[]
  }

  /** The tooltip of a tray item, as the panel requests it. */
  async trayTooltip(item: string): Promise<string> {
    const [destination = '', ...path] = item.split('/')
    const place = { destination, path: `/${path.join('/')}` }
    return ((await this.#get(place, 'org.kde.StatusNotifierItem', 'ToolTip')) as [string, unknown, string, string])[2]
  }

  async stop(): Promise<void> {
    for (const child of this.#children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    this.#bus.disconnect()
  }

  async #run(command: string, args: string[], env: Record<string, string>): Promise<ChildProcess> {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
    await once(child, 'spawn')
    child.stdout.resume()
    this.#children.push(child)
    return child
  }

  async #isThere(name: string): Promise<void> {
    const bus = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus' }
    const question = { ...bus, interface: bus.destination, member: 'NameHasOwner' }
    for (const startedAt = performance.now(); performance.now() - startedAt < startWithinMs;) {
      const [isOwned] = await this.#call(question, 's', [name])
      if (isOwned === true) return
      await sleep(50)
    }
    throw new Error(`no program took the name ${name} on the bus`)
  }

  async #get(place: { destination: string; path: string }, owner: string, property: string): Promise<unknown> {
    const question = { ...place, interface: 'org.freedesktop.DBus.Properties', member: 'Get' }
    const [answer] = await this.#call(question, 'ss', [owner, property])
    return (answer as Variant).value
  }

  async #call(
    target: { destination: string; path: string; interface: string; member: string },
    signature: string,
    body: unknown[],
  ): Promise<unknown[]> {
    const reply = await this.#bus.call(new Message({ ...target, signature, body }))
    return (reply?.body ?? []) as unknown[]
  }
}
