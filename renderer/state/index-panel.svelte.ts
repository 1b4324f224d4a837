import type { IndexId } from '../../protocol/model'
import type { Actions } from './actions'
import type { Announcer } from './announcer.svelte'
import type { Recents } from './recents'

const panelTabs = ['constituents', 'reference', 'amendments', 'fixings', 'corporateActions', 'conditions'] as const
export type PanelTab = (typeof panelTabs)[number]

const collapsedKey = 'index-panel-folded'
const closedKey = 'index-panel-closed'
const tabKey = 'index-panel-tab'

/**
 * How the index panel is looked at: collapsed or not, at which tab; a reload keeps both. Which index is open is the main
 * process's to know.
 */
export class IndexPanel {
  /** The list keeps its values and changes beside the panel. */
  readonly roomForBoth = matchMedia('(width >= 1440px)')
  readonly #actions: Actions
  readonly #announcer: Announcer
  readonly #recents: Recents
  #isCollapsed = $state(sessionStorage.getItem(collapsedKey) === 'yes')
  #isPreview = $state(false)
  #tab = $state(panelTabs.find((tab) => tab === sessionStorage.getItem(tabKey)))

  constructor(actions: Actions, announcer: Announcer, recents: Recents) {
    this.#actions = actions
    this.#announcer = announcer
    this.#recents = recents
  }

  get isCollapsed(): boolean {
    return this.#isCollapsed
  }

  /** The index was not opened by itself: it does not take the place of the list. */
  get isPreview(): boolean {
    return this.#isPreview
  }

  /** The tab the user chose last, on any index; absent until then. */
  get tab(): PanelTab | undefined {
    return this.#tab
  }

  async open(id: IndexId): Promise<void> {
    sessionStorage.removeItem(closedKey)
    this.#isPreview = false
    this.collapse(false)
    this.#recents.addIndex(id)
    if (await this.#actions.openIndex(id)) this.#announcer.say(`${id} is open`)
  }

  /** Shows an index beside the list in a window that has room for both, unless the user has put the panel away. */
  async preview(id: IndexId): Promise<void> {
    const isPutAway = this.#isCollapsed || sessionStorage.getItem(closedKey) !== null
    if (!this.roomForBoth.matches || isPutAway) return
    this.#isPreview = true
    await this.#actions.openIndex(id)
  }

  async close(): Promise<void> {
    if (this.roomForBoth.matches) sessionStorage.setItem(closedKey, 'yes')
    await this.#actions.closeIndex()
  }

  collapse(isCollapsed: boolean): void {
    this.#isCollapsed = isCollapsed
    sessionStorage.setItem(collapsedKey, isCollapsed ? 'yes' : 'no')
  }

  choose(tab: PanelTab): void {
    this.#tab = tab
    sessionStorage.setItem(tabKey, tab)
  }
}
