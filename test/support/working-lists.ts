import type { Watchlist } from '../../core/model'
import { ok, refused, type FakeDesktop } from './fake-desktop'
import { sampleSnapshot } from './sample-window'

/** The sample window with these additional lists. */
export function snapshotWithLists(...names: string[]): ReturnType<typeof sampleSnapshot> {
  const snapshot = sampleSnapshot()
  snapshot.state.settings.watchlists.push(
    ...names.map((name) => ({
      id: name.toLowerCase(),
      name,
      entries: [{ id: 'BRTI', maxResolution: 'PER_SECOND' as const }],
    })),
  )
  return snapshot
}

/** Lets the list commands work as in the app. */
export function makeListsWork(fake: FakeDesktop): void {
  const lists = () => fake.snapshot.state.settings.watchlists
  const put = async (watchlists: Watchlist[]) => {
    await fake.push({ state: { settings: { ...fake.snapshot.state.settings, watchlists } } })
  }
  const isTaken = (name: string, id?: string) => lists().some((list) => list.name === name && list.id !== id)
  const taken = refused('nameTaken', 'There is a list of this name already.')
  let made = 0
  fake.handlers = {
    ...fake.handlers,
    createList: async ({ name }) => {
      if (isTaken(name.trim())) return taken
      const listId = `made-${++made}`
      await put([...lists(), { id: listId, name: name.trim(), entries: [] }])
      return ok({ listId })
    },
    renameList: async ({ listId, name }) => {
      if (isTaken(name.trim(), listId)) return taken
      await put(lists().map((list) => (list.id === listId ? { ...list, name: name.trim() } : list)))
      return ok(null)
    },
    removeList: async ({ listId }) => {
      const position = lists().findIndex(({ id }) => id === listId)
      const list = lists()[position]
      if (list === undefined) return refused('unknownList', 'This list is not there any more.')
      await put(lists().filter(({ id }) => id !== listId))
      return ok({ list, position })
    },
    restoreList: async ({ list, position }) => {
      await put(lists().toSpliced(position, 0, list))
      return ok(null)
    },
    moveList: async ({ listId, position }) => {
      const moved = lists().filter(({ id }) => id === listId)
      await put(
        lists()
          .filter(({ id }) => id !== listId)
          .toSpliced(position, 0, ...moved),
      )
      return ok(null)
    },
  }
}
