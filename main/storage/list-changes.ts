/** What can be done to lists and pins: each takes the settings as they are and answers with them as they should be. */
import type { CommandAnswer, CommandArguments } from '../../protocol/desktop'
import type { Outcome, Settings, Watchlist, WatchlistEntry } from '../../protocol/model'
import { isSameListName, mostEntries, mostLists, mostPinned } from '../base/list-rules'

/** The settings after a change, and what the command answers; or why it cannot be made. */
export type Change<T> = Outcome<{ settings: Settings; answer: T }>

export function addIndex(settings: Settings, args: CommandArguments<'addIndex'>): Change<CommandAnswer<'addIndex'>> {
  const { indexId: id, maxResolution = 'PER_SECOND' } = args
  const list = listOf(settings, args.listId)
  if (list === undefined) return unknownList
  const { entries } = list
  if (entries.some((entry) => entry.id === id)) return changed(settings, { wasThere: true })
  if (entries.length >= mostEntries) return listFull
  const longer = entries.toSpliced(args.position ?? entries.length, 0, { id, maxResolution })
  return changed(withEntries(settings, list, longer), { wasThere: false })
}

export function removeIndex(
  settings: Settings,
  args: CommandArguments<'removeIndex'>,
): Change<CommandAnswer<'removeIndex'>> {
  const list = listOf(settings, args.listId)
  if (list === undefined) return unknownList
  const position = list.entries.findIndex((entry) => entry.id === args.indexId)
  if (position === -1) return notInList(args.indexId)
  return changed(withEntries(settings, list, list.entries.toSpliced(position, 1)), { position })
}

export function setResolution(settings: Settings, args: CommandArguments<'setResolution'>): Change<null> {
  const { indexId: id, maxResolution } = args
  const list = listOf(settings, args.listId)
  if (list === undefined) return unknownList
  if (!list.entries.some((entry) => entry.id === id)) return notInList(id)
  const entries = list.entries.map((entry) => (entry.id === id ? { id, maxResolution } : entry))
  return changed(withEntries(settings, list, entries), null)
}

/** A place behind the end is the end. */
export function moveIndex(settings: Settings, args: CommandArguments<'moveIndex'>): Change<null> {
  const list = listOf(settings, args.listId)
  if (list === undefined) return unknownList
  const moving = list.entries.find((entry) => entry.id === args.indexId)
  if (moving === undefined) return notInList(args.indexId)
  const others = list.entries.filter((entry) => entry !== moving)
  return changed(withEntries(settings, list, others.toSpliced(args.position, 0, moving)), null)
}

/** A new list stands last. */
export function createList(settings: Settings, name: string, listId: string): Change<{ listId: string }> {
  const problem = cannotAdd(settings, name)
  if (problem !== undefined) return problem
  const watchlists = [...settings.watchlists, { id: listId, name, entries: [] }]
  return changed({ ...settings, watchlists }, { listId })
}

export function renameList(settings: Settings, { listId, name }: CommandArguments<'renameList'>): Change<null> {
  const list = listOf(settings, listId)
  if (list === undefined) return unknownList
  const others = settings.watchlists.filter((other) => other !== list)
  if (others.some((other) => isSameListName(other.name, name))) return nameTaken(name)
  return changed(withList(settings, list, { ...list, name }), null)
}

export function removeList(
  settings: Settings,
  { listId }: CommandArguments<'removeList'>,
): Change<CommandAnswer<'removeList'>> {
  const list = listOf(settings, listId)
  if (list === undefined) return unknownList
  if (settings.watchlists.length === 1) {
    return failure('lastList', 'This is the only list. Make another one before you remove it.')
  }
  const position = settings.watchlists.indexOf(list)
  return changed({ ...settings, watchlists: settings.watchlists.toSpliced(position, 1) }, { list, position })
}

/** Undoes `removeList`. */
export function restoreList(settings: Settings, { list, position }: CommandArguments<'restoreList'>): Change<null> {
  if (listOf(settings, list.id) !== undefined) return failure('listThere', `${list.name} is there already.`)
  const problem = cannotAdd(settings, list.name)
  if (problem !== undefined) return problem
  if (list.entries.length > mostEntries) return listFull
  return changed({ ...settings, watchlists: settings.watchlists.toSpliced(position, 0, list) }, null)
}

export function moveList(settings: Settings, { listId, position }: CommandArguments<'moveList'>): Change<null> {
  const list = listOf(settings, listId)
  if (list === undefined) return unknownList
  const others = settings.watchlists.filter((other) => other !== list)
  return changed({ ...settings, watchlists: others.toSpliced(position, 0, list) }, null)
}

export function arrangeList(settings: Settings, args: CommandArguments<'arrangeList'>): Change<null> {
  const held = listOf(settings, args.listId)
  if (held === undefined) return unknownList
  const { sort: heldSort, columns: heldColumns, ...list } = held
  const sort = args.sort === undefined ? heldSort : args.sort
  const columns = args.columns === undefined ? heldColumns : args.columns
  const arranged = { ...list, ...(sort ? { sort } : {}), ...(columns ? { columns } : {}) }
  return changed(withList(settings, held, arranged), null)
}

/** What is pinned anew stands last. */
export function setPinned(settings: Settings, { indexId, isPinned }: CommandArguments<'setPinned'>): Change<null> {
  const { pinnedIds } = settings
  if (pinnedIds.includes(indexId) === isPinned) return changed(settings, null)
  if (!isPinned) return changed({ ...settings, pinnedIds: pinnedIds.filter((id) => id !== indexId) }, null)
  if (pinnedIds.length >= mostPinned) {
    return failure('pinsFull', `At most ${mostPinned} indices can be pinned. Unpin one first.`)
  }
  return changed({ ...settings, pinnedIds: [...pinnedIds, indexId] }, null)
}

function listOf(settings: Settings, listId: string): Watchlist | undefined {
  return settings.watchlists.find((list) => list.id === listId)
}

function withList(settings: Settings, held: Watchlist, next: Watchlist): Settings {
  return { ...settings, watchlists: settings.watchlists.map((list) => (list === held ? next : list)) }
}

function withEntries(settings: Settings, list: Watchlist, entries: WatchlistEntry[]): Settings {
  return withList(settings, list, { ...list, entries })
}

function changed<T>(settings: Settings, answer: T): Change<T> {
  return { ok: true, value: { settings, answer } }
}

function failure(code: string, message: string): Outcome<never> {
  return { ok: false, problem: { code, message } }
}

const unknownList = failure('unknownList', 'There is no such list any more. Choose another one.')
const listFull = failure('listFull', `A list holds at most ${mostEntries} indices. Remove one first.`)

function notInList(indexId: string): Outcome<never> {
  return failure('notInList', `${indexId} is not in this list.`)
}

function nameTaken(name: string): Outcome<never> {
  return failure('nameTaken', `There is a list named ${name} already. Choose another name.`)
}

function cannotAdd({ watchlists }: Settings, name: string): Outcome<never> | undefined {
  if (watchlists.some((list) => isSameListName(list.name, name))) return nameTaken(name)
  if (watchlists.length < mostLists) return undefined
  return failure('tooManyLists', `There are ${mostLists} lists already. Remove one first.`)
}
