import { Menu, Tray, type MenuItemConstructorOptions } from 'electron'
import type { Clock } from '../base/clock'
import { trayImage } from './icon-image'
import { TrayPace, type TrayTarget } from './tray-pace'
import type { TrayAction, TrayItem, TrayView } from './tray-view'
import type { IndexId } from '../../core/model'

/**
 * The icon in the desktop's tray. A panel that starts later does not show an existing icon, so `recreate` makes it
 * again.
 */
export class TrayIcon {
  readonly #actions: Record<TrayAction, () => void>
  readonly #openIndex: (id: IndexId) => void
  readonly pace: TrayPace
  #tray: Tray

  constructor(options: {
    clock: Clock
    view: () => TrayView
    actions: Record<TrayAction, () => void>
    openIndex: (id: IndexId) => void
  }) {
    this.#actions = options.actions
    this.#openIndex = options.openIndex
    this.#tray = this.#create()
    const target: TrayTarget = {
      setIcon: (icon) => this.#tray.setImage(trayImage(icon)),
      setTooltip: (text) => this.#tray.setToolTip(text),
      setMenu: (items) => this.#setMenu(items),
      setTitle: (text) => this.#tray.setTitle(text),
    }
    this.pace = new TrayPace(options.clock, options.view, target, { hasTitle: process.platform === 'darwin' })
  }

  recreate(): void {
    this.#tray.destroy()
    this.#tray = this.#create()
    this.pace.repeat()
  }

  dispose(): void {
    this.pace.dispose()
    this.#tray.destroy()
  }

  #create(): Tray {
    const tray = new Tray(trayImage({ connection: 'waiting', hasUnread: false, isMuted: false }))
    tray.on('click', this.#actions.open)
    // Not on Linux.
    tray.on('mouse-enter', () => this.pace.hovered())
    return tray
  }

  #setMenu(items: readonly TrayItem[]): void {
    const menu = Menu.buildFromTemplate(items.map((item) => this.#menuItem(item)))
    menu.on('menu-will-show', () => this.pace.menuOpened())
    menu.on('menu-will-close', () => this.pace.menuClosed())
    this.#tray.setContextMenu(menu)
  }

  #menuItem(item: TrayItem): MenuItemConstructorOptions {
    if (item.kind === 'separator') return { type: 'separator' }
    if (item.kind === 'index') return { label: item.id, click: () => this.#openIndex(item.id) }
    return {
      label: item.label,
      click: this.#actions[item.action],
      ...(item.isTicked === true && { type: 'checkbox' as const, checked: true }),
    }
  }
}
