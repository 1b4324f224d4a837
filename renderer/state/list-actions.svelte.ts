import { isSameListName } from '../../core/list-lines'
import type { IndexId, Watchlist } from '../../core/model'
import type { Actions } from './actions'
import type { Announcer } from './announcer.svelte'
import type { Answer, Perform } from './api'
import type { Dialogs } from './dialogs.svelte'
import type { Mirror } from './mirror.svelte'
import { listAddress, type Route } from './route.svelte'
import type { Toasts } from './toasts.svelte'

/** The list to show or to focus as soon as the mirror has it. */
interface Target {
  is: (list: Watchlist) => boolean
  isShown: boolean
  isFocused: boolean
}

/** Where rows can go: the name of another list, or none for a list that is created for them. */
interface Destination {
  name?: string
  run: () => void
}

interface ListPage {
  mirror: Mirror
  route: Route
  perform: Perform
  actions: Actions
  dialogs: Dialogs
  toasts: Toasts
  announcer: Announcer
}

/** Actions on whole watchlists. Each one moves the page or the focus to the list it concerned. */
export class ListActions {
  readonly #page: ListPage
  #target = $state.raw<Target>()
  /** The list over which rows are dragged. */
  dropId = $state<string>()
  /** The selected rows of the list on screen. */
  selectedIds = $state.raw<readonly IndexId[]>([])

  constructor(page: ListPage) {
    this.#page = page
  }

  get lists(): readonly Watchlist[] {
    return this.#page.mirror.state?.settings.watchlists ?? []
  }

  /** The list on screen. Undefined in other views. */
  get shownId(): string | undefined {
    const { view, listId } = this.#page.route.place
    if (view !== 'watchlist') return undefined
    return this.lists.find(({ id }) => id === listId)?.id ?? this.lists[0]?.id
  }

  /** Called while rows are dragged, with the list under the pointer. */
  dragOver(listId: string | undefined): void {
    this.dropId = listId
  }

  /** Called when rows of the list on screen are selected. */
  select(ids: readonly IndexId[]): void {
    this.selectedIds = ids
  }

  /** Where rows of `from` can be moved, or copied with `isCopy`. */
  destinations(from: Watchlist, ids: readonly IndexId[], isCopy: boolean): Destination[] {
    const { actions, dialogs } = this.#page
    const moveTo = (to: Pick<Watchlist, 'id' | 'name'>) => void actions.moveRows(from, to, [...ids], isCopy)
    return [
      ...this.lists.filter(({ id }) => id !== from.id).map((to) => ({ name: to.name, run: () => moveTo(to) })),
      { run: () => dialogs.show({ kind: 'listName', oncreated: moveTo }) },
    ]
  }

  /** Called after a list was created or renamed. Focuses its link, and shows it if it is new. */
  named(listId: string, isNew: boolean): void {
    this.#target = { is: ({ id }) => id === listId, isShown: isNew, isFocused: true }
  }

  /** Deletes a list without asking. Undo restores the list and what the page showed. */
  async remove(list: Watchlist): Promise<void> {
    const { lists, shownId } = this
    const at = lists.findIndex(({ id }) => id === list.id)
    const neighbour = lists[at + 1] ?? lists[at - 1]
    if (neighbour === undefined) {
      this.#page.toasts.show(`${list.name} is your only watchlist. Create another one before you delete it.`)
      return
    }
    const wasShown = shownId === list.id
    const goTo = (id: string) => (this.#target = { is: (other) => other.id === id, isShown: wasShown, isFocused: true })
    const alerts = this.#page.mirror.state?.listAlerts.filter(({ target }) => target.listId === list.id) ?? []
    const isGone = await this.#page.actions.removeList(list, alerts.length, () => {
      this.#page.announcer.say(`Watchlist ${list.name} restored`)
      goTo(list.id)
    })
    if (isGone) goTo(neighbour.id)
  }

  /** Moves a list by one place and announces its new place. */
  async move(list: Watchlist, by: -1 | 1): Promise<void> {
    const { lists } = this
    const to = lists.findIndex(({ id }) => id === list.id) + by
    if (to < 0 || to >= lists.length) {
      this.#page.announcer.say(`${list.name} is already ${by < 0 ? 'first' : 'last'}`)
      return
    }
    const moved = await this.#page.perform('moveList', { listId: list.id, position: to })
    if (moved === undefined) return
    this.#page.announcer.say(`${list.name} moved to place ${to + 1} of ${lists.length}`)
    // Waits until the list is in its new place: an element that moves in the document loses the focus.
    this.#target = { is: ({ id }) => id === list.id && this.lists[to]?.id === id, isShown: false, isFocused: true }
  }

  /** Called after an import. Shows a toast with the counts, and the first list that changed. Ctrl+Z undoes new rows. */
  imported(first: string | undefined, answer: Answer<'importLists'>): void {
    this.#page.actions.imported(answer)
    if (first === undefined) return
    this.#target = { is: ({ name }) => isSameListName(name, first), isShown: true, isFocused: false }
  }

  /** Shows or focuses the target once the mirror has it. Called in an effect, after the lists are drawn. */
  arrive(): void {
    const target = this.#target
    const list = target && this.lists.find(target.is)
    if (target === undefined || list === undefined) return
    this.#target = undefined
    if (target.isShown && this.shownId !== list.id) this.#page.route.go(listAddress(list))
    if (target.isFocused) document.querySelector<HTMLElement>(`[data-list="${CSS.escape(list.id)}"]`)?.focus()
  }
}
