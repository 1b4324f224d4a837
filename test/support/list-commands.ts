import type { WindowSnapshot } from '../../protocol/desktop'
import type { Watchlist, WatchlistEntry } from '../../core/model'
import { ok, type FakeDesktop } from './fake-desktop'
import { sampleNowMs, sampleSnapshot } from './sample-window'

/** Lets a fake arrange lists, pin, copy and save as the app does, and push the changes. */
export function arrangeLists(fake: FakeDesktop): void {
  const pushList = async (listId: string, change: (list: Watchlist) => Watchlist) => {
    const { settings } = fake.snapshot.state
    const watchlists = settings.watchlists.map((list) => (list.id === listId ? change(structuredClone(list)) : list))
    await fake.push({ state: { settings: { ...settings, watchlists } } })
  }
  fake.handlers.arrangeList = async ({ listId, sort, columns }) => {
    await pushList(listId, (list) => {
      if (sort === null) delete list.sort
      else if (sort !== undefined) list.sort = sort
      if (columns === null) delete list.columns
      else if (columns !== undefined) list.columns = columns
      return list
    })
    return ok(null)
  }
  fake.handlers.moveIndex = async ({ listId, indexId, position }) => {
    await pushList(listId, (list) => {
      const moved = list.entries.filter(({ id }) => id === indexId)
      const others = list.entries.filter(({ id }) => id !== indexId)
      return { ...list, entries: others.toSpliced(position, 0, ...moved) }
    })
    return ok(null)
  }
  fake.handlers.setPinned = async ({ indexId, isPinned }) => {
    const { settings } = fake.snapshot.state
    const others = settings.pinnedIds.filter((id) => id !== indexId)
    await fake.push({ state: { settings: { ...settings, pinnedIds: isPinned ? [...others, indexId] : others } } })
    return ok(null)
  }
  fake.handlers.copyText = () => ok(null)
  fake.handlers.saveListCsv = () => ok({ fileName: 'watchlist.csv' })
}

/** Id of an index of `longSnapshot`, from 0. */
export function longId(at: number): string {
  return `IX${String(at).padStart(4, '0')}_RTI`
}

/** A list of `count` indices that have a value each. */
export function longSnapshot(count: number): WindowSnapshot {
  const snapshot = sampleSnapshot()
  const ids = Array.from({ length: count }, (_, at) => longId(at))
  const entries = ids.map<WatchlistEntry>((id) => ({ id, maxResolution: 'PER_SECOND' }))
  snapshot.state.settings.watchlists = [{ id: 'watchlist', name: 'My list', entries }]
  snapshot.state.catalogue = ids.map((id, at) => ({ id, name: `Index number ${at}`, maxResolution: 'PER_SECOND' }))
  snapshot.rows = []
  snapshot.quotes = ids.map((id, at) => ({
    id,
    value: `${(at * 7919) % 1000}.50`,
    publishedAtMs: sampleNowMs - 400,
    source: 'stream',
    ageMs: 400,
  }))
  return snapshot
}
