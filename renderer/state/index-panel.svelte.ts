import { MediaQuery } from 'svelte/reactivity'
import type { IndexId } from '../../core/model'
import type { Perform } from './api'
import type { Announcer } from './announcer.svelte'
import type { Mirror } from './mirror.svelte'
import type { Recents } from './recents'

const panelTabs = [
  'constituents',
  'reference',
  'amendments',
  'fixings',
  'settlement',
  'corporateActions',
  'conditions',
] as const
export type PanelTab = (typeof panelTabs)[number]

const closedKey = 'index-panel-closed'
const previewKey = 'index-panel-preview'
const tabKey = 'index-panel-tab'
const pinnedKey = 'index-panel-pinned'
const widthKey = 'index-panel-width'

/** In CSS pixels. */
export const panelWidths = { min: 400, max: 720 }

/** In ms. Rows passed while an arrow key is held down are not opened. */
const followAfterMs = 100

/**
 * How the index panel is shown: as a preview or not, pinned or not, how wide, and at which tab. Which index is open is
 * part of the main process's state.
 */
export class IndexPanel {
  readonly #room = new MediaQuery('(width >= 1180px)')
  readonly #perform: Perform
  readonly #announcer: Announcer
  readonly #recents: Recents
  readonly #mirror: Pick<Mirror, 'state'>
  #pinnedId = $state(localStorage.getItem(pinnedKey))
  /** The width that the user chose; CSS pixels. Undefined for the usual one. */
  widthPx = $state(Number(localStorage.getItem(widthKey)) || undefined)
  /** The index was opened by selecting its row. In a narrow window it does not cover the list. */
  isPreview = $state(localStorage.getItem(previewKey) === 'yes')
  /** The tab chosen last, on any index. Undefined until then. */
  tab = $state(panelTabs.find((tab) => tab === sessionStorage.getItem(tabKey)))
  #following: ReturnType<typeof setTimeout> | undefined
  /** The user opened an index. The main process may not have confirmed it yet. */
  isAsked = false
  /** A dialog shows the open index. The panel does not. */
  isLooking = $state(false)

  constructor(perform: Perform, announcer: Announcer, recents: Recents, mirror: Pick<Mirror, 'state'>) {
    this.#perform = perform
    this.#announcer = announcer
    this.#recents = recents
    this.#mirror = mirror
  }

  /** True if the window is wide enough for the list and the panel. */
  get hasRoomForBoth(): boolean {
    return this.#room.current
  }

  async open(id: IndexId): Promise<void> {
    clearTimeout(this.#following)
    localStorage.removeItem(closedKey)
    this.isLooking = false
    this.#becomePreview(false)
    if (id !== this.#pinnedId) this.#pin('')
    this.isAsked = true
    this.#recents.addIndex(id)
    this.isAsked = (await this.#perform('openIndex', { indexId: id })) !== undefined
    if (this.isAsked) this.#announcer.say(`${id} is open`)
  }

  /** True if the list opens an index beside itself. */
  get opensByItself(): boolean {
    return this.hasRoomForBoth && !this.isPinned && localStorage.getItem(closedKey) === null
  }

  /** Shows an index beside the list if there is room for both and the user has not pinned or closed the panel. */
  async preview(id: IndexId): Promise<void> {
    if (!this.opensByItself) return
    this.#becomePreview(true)
    this.isAsked = false
    await this.#perform('openIndex', { indexId: id, isPreview: true })
  }

  /** Shows an index for a moment, in a dialog over the list. Call `endLook` afterwards. */
  async look(id: IndexId): Promise<void> {
    clearTimeout(this.#following)
    this.isLooking = true
    this.#becomePreview(true)
    this.#recents.addIndex(id)
    await this.#perform('openIndex', { indexId: id, isPreview: true })
  }

  /** The index closes unless it was opened or there is room for it now. */
  endLook(): void {
    this.isLooking = false
  }

  /** Previews the index of a selected row once the selection rests on it. */
  follow(id: IndexId): void {
    clearTimeout(this.#following)
    this.#following = setTimeout(() => void this.preview(id), followAfterMs)
  }

  async close(): Promise<void> {
    clearTimeout(this.#following)
    this.isAsked = false
    this.#pin('')
    if (this.hasRoomForBoth) localStorage.setItem(closedKey, 'yes')
    await this.#perform('closeIndex', {})
  }

  /** A pinned index stays while other rows are selected. */
  get isPinned(): boolean {
    const id = this.#mirror.state?.opened?.id
    return id !== undefined && id === this.#pinnedId
  }

  togglePin(id: IndexId): void {
    this.#pin(this.isPinned ? '' : id)
    this.#announcer.say(this.isPinned ? 'Pinned' : 'Not pinned')
  }

  /** An empty id removes the pin. */
  #pin(id: IndexId): void {
    this.#pinnedId = id
    localStorage.setItem(pinnedKey, id)
  }

  /** Sets the width in CSS pixels. Without one the panel has its usual width. */
  resize(widthPx: number | undefined): void {
    this.widthPx = widthPx && Math.round(Math.min(panelWidths.max, Math.max(panelWidths.min, widthPx)))
    localStorage.setItem(widthKey, String(this.widthPx ?? ''))
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
