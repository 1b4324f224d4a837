import type { ListImportPreview } from '../../protocol/responses'
import type { Watchlist } from '../../core/model'
import type { Actions } from './actions'
import type { Announcer } from './announcer.svelte'
import type { Perform } from './api'
import type { Mirror } from './mirror.svelte'
import { placeOfList, type Route } from './route.svelte'
import type { Toasts } from './toasts.svelte'

/** A list the page goes to, or puts the focus on, as soon as the mirror has it. */
interface Wanted {
  is: (list: Watchlist) => boolean
  isToBeShown: boolean
  isToBeFocused: boolean
}

interface ListPage {
  mirror: Mirror
  route: Route
  perform: Perform
  actions: Actions
  toasts: Toasts
  announcer: Announcer
}

/** What can be done with the lists as a whole, and which of its dialogs is open. */
export class ListDesk {
  readonly #page: ListPage
  /** The open name dialog: for this list, or for a new one. */
  naming = $state.raw<{ list?: Watchlist }>()
  /** What the open import dialog shows. */
  preview = $state.raw<ListImportPreview>()
  #wanted = $state.raw<Wanted>()
  #isChoosing = false

  constructor(page: ListPage) {
    this.#page = page
  }

  get lists(): readonly Watchlist[] {
    return this.#page.mirror.state?.settings.watchlists ?? []
  }

  /** The list on screen; absent in the other views. */
  get shownId(): string | undefined {
    const { view, listId } = this.#page.route.place
    if (view !== 'watchlist') return undefined
    return this.lists.find(({ id }) => id === listId)?.id ?? this.lists[0]?.id
  }

  askName(list?: Watchlist): void {
    this.naming = list === undefined ? {} : { list }
  }

  closeDialogs(): void {
    this.naming = undefined
    this.preview = undefined
  }

  /** After the name dialog: goes to a list that is new, and to the link of any. */
  named(listId: string, isNew: boolean): void {
    this.#wanted = { is: ({ id }) => id === listId, isToBeShown: isNew, isToBeFocused: true }
  }

  /** Deletes a list at once; undoing it brings the page back to where it was. */
  async remove(list: Watchlist): Promise<void> {
    const { lists, shownId } = this
    const at = lists.findIndex(({ id }) => id === list.id)
    const neighbour = lists[at + 1] ?? lists[at - 1]
    if (neighbour === undefined) {
      this.#page.toasts.show(`${list.name} is your only watchlist. Create another one before you delete it.`)
      return
    }
    const wasShown = shownId === list.id
    const goTo = (id: string) =>
      (this.#wanted = { is: (other) => other.id === id, isToBeShown: wasShown, isToBeFocused: true })
    const isGone = await this.#page.actions.removeList(list, () => {
      this.#page.announcer.say(`Watchlist ${list.name} restored`)
      goTo(list.id)
    })
    if (isGone) goTo(neighbour.id)
  }

  /** Moves a list by one place and says where it is then. */
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
    // Not before it is in its place: what is moved on the page loses the focus.
    this.#wanted = {
      is: ({ id }) => id === list.id && this.lists[to]?.id === id,
      isToBeShown: false,
      isToBeFocused: true,
    }
  }

  /** Lets the user choose a file; the import dialog opens with what it would do. */
  async chooseImport(): Promise<void> {
    if (this.#isChoosing) return
    this.#isChoosing = true
    this.preview = (await this.#page.perform('chooseListFile', {})) ?? undefined
    this.#isChoosing = false
  }

  /** After an import: says the sum and goes to the first list it concerned. */
  imported({ lists }: ListImportPreview, { adds, changes }: { adds: number; changes: number }): void {
    this.#page.toasts.show(`Import done: ${adds} added, ${changes} changed`)
    const first = lists.find((list) => list.isNew || list.adds.length > 0 || list.changes.length > 0)
    if (first === undefined) return
    this.#wanted = { is: ({ name }) => name === first.name, isToBeShown: true, isToBeFocused: false }
  }

  /** Goes to what is wanted once it is there; for an effect, run after the lists are on screen. */
  arrive(): void {
    const wanted = this.#wanted
    const list = wanted && this.lists.find(wanted.is)
    if (list === undefined) return
    this.#wanted = undefined
    if (wanted?.isToBeShown === true && this.shownId !== list.id) location.hash = placeOfList(list)
    if (wanted?.isToBeFocused === true) {
      document.querySelector<HTMLElement>(`[data-list="${CSS.escape(list.id)}"]`)?.focus()
    }
  }
}
