import { MediaQuery } from 'svelte/reactivity'
import type { IndexId } from '../../core/model'
import type { Perform } from './api'
import type { Announcer } from './announcer.svelte'
import type { Recents } from './recents'

const panelTabs = ['constituents', 'reference', 'amendments', 'fixings', 'corporateActions', 'conditions'] as const
export type PanelTab = (typeof panelTabs)[number]

const collapsedKey = 'index-panel-folded'
const closedKey = 'index-panel-closed'
const previewKey = 'index-panel-preview'
const tabKey = 'index-panel-tab'

/** In ms. While an arrow key is held down, the rows on the way are not opened. */
const followAfterMs = 100

/**
 * How the index panel is looked at: whether it is open beside the list, collapsed or not, at which tab. Which index is
 * open is the main process's to know.
 */
export class IndexPanel {
  readonly #room = new MediaQuery('(width >= 1180px)')
  readonly #perform: Perform
  readonly #announcer: Announcer
  readonly #recents: Recents
  isCollapsed = $state(localStorage.getItem(collapsedKey) === 'yes')
  /** The index was not opened by itself: it does not take the place of the list. */
  isPreview = $state(localStorage.getItem(previewKey) === 'yes')
  /** The tab the user chose last, on any index; absent until then. */
  tab = $state(panelTabs.find((tab) => tab === sessionStorage.getItem(tabKey)))
  #following: ReturnType<typeof setTimeout> | undefined
  /** The user opened an index. The main process may not have confirmed it yet. */
  isAsked = false

  constructor(perform: Perform, announcer: Announcer, recents: Recents) {
    this.#perform = perform
    this.#announcer = announcer
    this.#recents = recents
  }

  /** The window is wide enough for the list and the panel. */
  get hasRoomForBoth(): boolean {
    return this.#room.current
  }

  async open(id: IndexId): Promise<void> {
    clearTimeout(this.#following)
    localStorage.removeItem(closedKey)
    this.#becomePreview(false)
    this.isAsked = true
    this.collapse(false)
    this.#recents.addIndex(id)
    this.isAsked = (await this.#perform('openIndex', { indexId: id })) !== undefined
    if (this.isAsked) this.#announcer.say(`${id} is open`)
  }

  /** Shows an index beside the list in a window that has room for both, unless the user has put the panel away. */
  async preview(id: IndexId): Promise<void> {
    const isPutAway = this.isCollapsed || localStorage.getItem(closedKey) !== null
    if (!this.hasRoomForBoth || isPutAway) return
    this.#becomePreview(true)
    this.isAsked = false
    await this.#perform('openIndex', { indexId: id, isPreview: true })
  }

  /** Opens the index of a selected row once the selection stays on it. */
  follow(id: IndexId): void {
    clearTimeout(this.#following)
    this.#following = setTimeout(() => void this.preview(id), followAfterMs)
  }

  async close(): Promise<void> {
    clearTimeout(this.#following)
    this.isAsked = false
    if (this.hasRoomForBoth) localStorage.setItem(closedKey, 'yes')
    await this.#perform('closeIndex', {})
  }

  collapse(isCollapsed: boolean): void {
    this.isCollapsed = isCollapsed
    localStorage.setItem(collapsedKey, isCollapsed ? 'yes' : 'no')
  }

  #becomePreview(isPreview: boolean): void {
    this.isPreview = isPreview
    localStorage.setItem(previewKey, isPreview ? 'yes' : 'no')
  }

  choose(tab: PanelTab): void {
    this.tab = tab
    sessionStorage.setItem(tabKey, tab)
  }
}
