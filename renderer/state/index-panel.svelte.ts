import type { IndexId } from '../../protocol/model'
import type { Actions } from './actions'
import type { Announcer } from './announcer.svelte'

const panelTabs = ['constituents', 'reference', 'amendments', 'fixings', 'corporateActions', 'conditions'] as const
export type PanelTab = (typeof panelTabs)[number]

const collapsedKey = 'index-panel-folded'
const tabKey = 'index-panel-tab'

/**
 * How the index panel is looked at: collapsed or not, at which tab; a reload keeps both. Which index is open is the main
 * process's to know.
 */
export class IndexPanel {
  readonly #actions: Actions
  readonly #announcer: Announcer
  #isCollapsed = $state(sessionStorage.getItem(collapsedKey) === 'yes')
  #tab = $state(panelTabs.find((tab) => tab === sessionStorage.getItem(tabKey)))

  constructor(actions: Actions, announcer: Announcer) {
    this.#actions = actions
    this.#announcer = announcer
  }

  get isCollapsed(): boolean {
    return this.#isCollapsed
  }

  /** The tab the user chose last, on any index; absent until then. */
  get tab(): PanelTab | undefined {
    return this.#tab
  }

  async open(id: IndexId): Promise<void> {
    this.collapse(false)
    if (await this.#actions.openIndex(id)) this.#announcer.say(`${id} is open`)
  }

  async close(): Promise<void> {
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
