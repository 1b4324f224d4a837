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

/** In ms. Rows passed while an arrow key is held down are not opened. */
const followAfterMs = 100

/**
 * How the index panel is shown: as a preview or not, collapsed or not, and at which tab. Which index is open is part of
 * the main process's state.
 */
export class IndexPanel {
  readonly #room = new MediaQuery('(width >= 1180px)')
  readonly #perform: Perform
  readonly #announcer: Announcer
  readonly #recents: Recents
  isCollapsed = $state(localStorage.getItem(collapsedKey) === 'yes')
  /** The index was opened by selecting its row. In a narrow window it does not cover the list. */
  isPreview = $state(localStorage.getItem(previewKey) === 'yes')
  /** The tab chosen last, on any index. Undefined until then. */
  tab = $state(panelTabs.find((tab) => tab === sessionStorage.getItem(tabKey)))
  #following: ReturnType<typeof setTimeout> | undefined
  /** The user opened an index. The main process may not have confirmed it yet. */
  isAsked = false

  constructor(perform: Perform, announcer: Announcer, recents: Recents) {
    this.#perform = perform
    this.#announcer = announcer
    this.#recents = recents
  }

  /** True if the window is wide enough for the list and the panel. */
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

  /** Shows an index beside the list if there is room for both and the user has not collapsed or closed the panel. */
  async preview(id: IndexId): Promise<void> {
    const isPutAway = this.isCollapsed || localStorage.getItem(closedKey) !== null
    if (!this.hasRoomForBoth || isPutAway) return
    this.#becomePreview(true)
    this.isAsked = false
    await this.#perform('openIndex', { indexId: id, isPreview: true })
  }

  /** Previews the index of a selected row once the selection rests on it. */
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
