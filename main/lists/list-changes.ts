/**
 * Changes of lists and pins. Each takes the current settings and returns the new ones or a problem. The limits here
 * apply to lists of any origin: created by hand, restored or imported.
 */
import { formatCount } from '../../core/decimal'
import type { CommandAnswer, CommandArguments } from '../../protocol/commands/contract'
import {
  contentOf,
  isSameListName,
  isSection,
  linesOf,
  splitLines,
  type ListContent,
  type ListLine,
  type SharedList,
} from '../../core/list-lines'
import { failure, ok, type ListOnDesk, type Outcome, type Settings, type Watchlist } from '../../core/model'
import { maxEntries, maxSections } from '../../core/settings-schema'
import { maxGlanceIds } from '../../core/shapes'
import type { SettingsChange } from '../storage/settings'

/** Far above what a person uses. The limit on all lists keeps the settings file small enough to read. */
export const maxLists = 100
export const maxEntriesInAll = 10_000

export function addIndex(
  settings: Settings,
  args: CommandArguments<'addIndex'>,
): SettingsChange<CommandAnswer<'addIndex'>> {
  const { indexId: id, maxResolution = 'PER_SECOND' } = args
  const list = listOf(settings, args.listId)
  if (list === undefined) return unknownList
  const { entries } = list
  if (entries.some((entry) => entry.id === id)) return changed(settings, { wasThere: true })
  const lines = linesOf(list)
  const next = args.position === undefined ? undefined : entries[args.position]
  const at = next === undefined ? lines.length : lines.indexOf(next)
  return ifRoom(withLines(settings, list, lines.toSpliced(at, 0, { id, maxResolution })), { wasThere: false })
}

export function removeRows(
  settings: Settings,
  { listId, rowIds }: CommandArguments<'removeRows'>,
): SettingsChange<CommandAnswer<'removeRows'>> {
  const list = listOf(settings, listId)
  if (list === undefined) return unknownList
  const { rows, others } = splitLines(linesOf(list), rowIds)
  if (rows.length === 0) return notInList(rowIds)
  return changed(withLines(settings, list, others), { rowIds, lists: [rowsOf(list)] })
}

export function setResolution(settings: Settings, args: CommandArguments<'setResolution'>): SettingsChange<null> {
  const { indexId: id, maxResolution } = args
  const list = listOf(settings, args.listId)
  if (list === undefined) return unknownList
  if (!list.entries.some((entry) => entry.id === id)) return notInList([id])
  const entries = list.entries.map((entry) => (entry.id === id ? { id, maxResolution } : entry))
  return changed(withList(settings, list, { ...list, entries }), null)
}

/**
 * Moves rows within a list, or to another list, which does not get an index twice. With `isCopy` they also stay. `position`
 * is counted without the rows. A place beyond the end means the end.
 */
export function moveRows(
  settings: Settings,
  { fromId, toId, rowIds, position, isCopy = false }: CommandArguments<'moveRows'>,
): SettingsChange<CommandAnswer<'moveRows'>> {
  const from = listOf(settings, fromId)
  const to = listOf(settings, toId)
  if (from === undefined || to === undefined) return unknownList
  const { rows, others } = splitLines(linesOf(from), rowIds)
  if (rows.length === 0) return notInList(rowIds)
  const target = from === to ? others : linesOf(to)
  const held = new Set(target.map(({ id }) => id))
  const placed = rows.filter(({ id }) => !held.has(id))
  const longer = target.toSpliced(position ?? target.length, 0, ...placed)
  const left = isCopy || from === to ? settings : withLines(settings, from, others)
  const lists = from === to || isCopy ? [to] : [from, to]
  return ifRoom(withLines(left, to, longer), {
    present: rows.flatMap(({ id }) => (held.has(id) ? [id] : [])),
    undo: { rowIds, lists: lists.map(rowsOf) },
  })
}

/**
 * Undoes `removeRows`, `moveRows` and `importLists`. The rows return to where they were. Later changes of other rows and of
 * frequencies stay. A new list is removed, unless it has other rows by now.
 */
export function undoRows(settings: Settings, { rowIds, lists }: CommandArguments<'undoRows'>): SettingsChange<null> {
  const ids = new Set(rowIds)
  let next = settings
  for (const { isNew = false, ...before } of lists) {
    const list = listOf(next, before.id)
    if (list === undefined && isNew) continue
    if (list === undefined) return unknownList
    const lines = putBack(linesOf(list), linesOf(before), ids)
    const isGone = isNew && lines.length === 0 && next.watchlists.length > 1
    next = isGone
      ? { ...next, watchlists: next.watchlists.filter((each) => each !== list) }
      : withLines(next, list, lines)
  }
  return ifRoom(next, null)
}

/** Puts each of the rows `ids` after the closest row that was before it. Those that were not there are removed. */
function putBack(lines: readonly ListLine[], before: readonly ListLine[], ids: ReadonlySet<string>): ListLine[] {
  const present = new Map(lines.map((line) => [line.id, line]))
  const result = lines.filter(({ id }) => !ids.has(id))
  let place = 0
  for (const line of before) {
    const at = result.findIndex(({ id }) => id === line.id)
    if (ids.has(line.id)) result.splice(place++, 0, present.get(line.id) ?? line)
    else if (at !== -1) place = at + 1
  }
  return result
}

/** Adds a section above a row, or at the end, or renames one. */
export function nameSection(
  settings: Settings,
  { listId, sectionId, name, beforeId }: CommandArguments<'nameSection'>,
  newId: string,
): SettingsChange<CommandAnswer<'nameSection'>> {
  const list = listOf(settings, listId)
  if (list === undefined) return unknownList
  const lines = linesOf(list)
  if (sectionId !== undefined) {
    const renamed = lines.map((line) => (line.id === sectionId && isSection(line) ? { ...line, name } : line))
    return changed(withLines(settings, list, renamed), { sectionId })
  }
  if ((list.sections?.length ?? 0) >= maxSections) {
    return failure('tooManySections', `A watchlist can have at most ${maxSections} sections. Remove one first.`)
  }
  const next = lines.findIndex(({ id }) => id === beforeId)
  const section = { id: newId, name, at: 0 }
  const longer = lines.toSpliced(next === -1 ? lines.length : next, 0, section)
  return changed(withLines(settings, list, longer), { sectionId: newId })
}

/** Adds the new list at the end. */
export function createList(
  settings: Settings,
  { name }: CommandArguments<'createList'>,
  listId: string,
): SettingsChange<CommandAnswer<'createList'>> {
  const problem = cannotAdd(settings, name)
  if (problem !== undefined) return problem
  const watchlists = [...settings.watchlists, { id: listId, name, entries: [] }]
  return changed({ ...settings, watchlists }, { listId })
}

export function renameList(settings: Settings, { listId, name }: CommandArguments<'renameList'>): SettingsChange<null> {
  const list = listOf(settings, listId)
  if (list === undefined) return unknownList
  const others = settings.watchlists.filter((other) => other !== list)
  if (others.some((other) => isSameListName(other.name, name))) return nameTaken(name)
  return changed(withList(settings, list, { ...list, name }), null)
}

export function removeList(
  settings: Settings,
  { listId }: CommandArguments<'removeList'>,
): SettingsChange<CommandAnswer<'removeList'>> {
  const list = listOf(settings, listId)
  if (list === undefined) return unknownList
  if (settings.watchlists.length === 1) {
    return failure('lastList', 'This is your only watchlist. Create another one before you remove it.')
  }
  const position = settings.watchlists.indexOf(list)
  return changed({ ...settings, watchlists: settings.watchlists.toSpliced(position, 1) }, { list, position })
}

/** Undoes `removeList`. */
export function restoreList(
  settings: Settings,
  { list, position }: CommandArguments<'restoreList'>,
): SettingsChange<null> {
  if (listOf(settings, list.id) !== undefined) return failure('listThere', `${list.name} already exists.`)
  const problem = cannotAdd(settings, list.name)
  if (problem !== undefined) return problem
  return ifRoom({ ...settings, watchlists: settings.watchlists.toSpliced(position, 0, list) }, null)
}

/**
 * Takes a list of the desk, in place of `held`, which keeps its sorting and widths, or at the end. Another list may have its
 * name.
 */
export function receiveList(
  settings: Settings,
  held: Watchlist | undefined,
  list: SharedList & Pick<Watchlist, 'id' | 'desk'>,
): SettingsChange<null> {
  const { sort, widths } = held ?? {}
  const received = { ...list, ...(sort && { sort }), ...(widths && { widths }) }
  if (held !== undefined) return ifRoom(withList(settings, held, received), null)
  if (settings.watchlists.length >= maxLists) return tooManyLists
  return ifRoom({ ...settings, watchlists: [...settings.watchlists, received] }, null)
}

/** Marks a list as one of the desk, or as the user's own. */
export function markList(settings: Settings, listId: string, desk: ListOnDesk | undefined): SettingsChange<null> {
  const held = listOf(settings, listId)
  if (held === undefined) return unknownList
  const list = { ...held, desk }
  if (desk === undefined) delete list.desk
  return changed(withList(settings, held, list), null)
}

export function moveList(settings: Settings, { listId, position }: CommandArguments<'moveList'>): SettingsChange<null> {
  const list = listOf(settings, listId)
  if (list === undefined) return unknownList
  const others = settings.watchlists.filter((other) => other !== list)
  return changed({ ...settings, watchlists: others.toSpliced(position, 0, list) }, null)
}

export function arrangeList(settings: Settings, args: CommandArguments<'arrangeList'>): SettingsChange<null> {
  const held = listOf(settings, args.listId)
  if (held === undefined) return unknownList
  const { sort: heldSort, columns: heldColumns, widths: heldWidths, ...list } = held
  const sort = args.sort === undefined ? heldSort : args.sort
  const columns = args.columns === undefined ? heldColumns : args.columns
  const widths = args.widths === undefined ? heldWidths : args.widths
  const arranged = { ...list, ...(sort && { sort }), ...(columns && { columns }), ...(widths && { widths }) }
  return changed(withList(settings, held, arranged), null)
}

/** Adds a new pin at the end. */
export function setPinned(
  settings: Settings,
  { indexId, isPinned }: CommandArguments<'setPinned'>,
): SettingsChange<null> {
  const { pinnedIds } = settings
  if (pinnedIds.includes(indexId) === isPinned) return changed(settings, null)
  if (!isPinned) return changed({ ...settings, pinnedIds: pinnedIds.filter((id) => id !== indexId) }, null)
  if (pinnedIds.length >= maxGlanceIds) {
    return failure('pinsFull', `At most ${maxGlanceIds} indices can be pinned. Unpin one first.`)
  }
  return changed({ ...settings, pinnedIds: [...pinnedIds, indexId] }, null)
}

/** The total number of entries in the lists. */
export function entryCount(watchlists: readonly Watchlist[]): number {
  return watchlists.reduce((count, { entries }) => count + entries.length, 0)
}

function listOf(settings: Settings, listId: string): Watchlist | undefined {
  return settings.watchlists.find((list) => list.id === listId)
}

function withList(settings: Settings, held: Watchlist, next: Watchlist): Settings {
  return { ...settings, watchlists: settings.watchlists.map((list) => (list === held ? next : list)) }
}

function withLines(settings: Settings, list: Watchlist, lines: readonly ListLine[]): Settings {
  const next = { ...list, ...contentOf(lines) }
  if (!lines.some(isSection)) delete next.sections
  return withList(settings, list, next)
}

function rowsOf(list: Watchlist): ListContent & { id: string } {
  return { id: list.id, ...contentOf(linesOf(list)) }
}

/** Refuses a change after which a list would be too long. */
function ifRoom<T>(settings: Settings, answer: T): SettingsChange<T> {
  if (settings.watchlists.some(({ entries }) => entries.length > maxEntries)) return listFull
  if (entryCount(settings.watchlists) > maxEntriesInAll) return listsFull
  return changed(settings, answer)
}

function changed<T>(settings: Settings, answer: T): SettingsChange<T> {
  return ok({ settings, answer })
}

const unknownList = failure('unknownList', 'That list no longer exists.')
const listFull = failure(
  'listFull',
  `A watchlist can contain at most ${formatCount(maxEntries)} indices. Remove one first.`,
)

const listsFull = failure(
  'listsFull',
  `All watchlists together can contain at most ${formatCount(maxEntriesInAll)} indices. Remove some first.`,
)

const tooManyLists = failure('tooManyLists', `You have reached the limit of ${maxLists} watchlists. Remove one first.`)

function notInList(ids: readonly string[]): Outcome<never> {
  const [id, ...others] = ids
  const message = others.length === 0 ? `${id} is not in this watchlist.` : 'This watchlist has none of these rows.'
  return failure('notInList', message)
}

function nameTaken(name: string): Outcome<never> {
  return failure('nameTaken', `A watchlist named ${name} already exists. Choose another name.`)
}

function cannotAdd({ watchlists }: Settings, name: string): Outcome<never> | undefined {
  if (watchlists.some((list) => isSameListName(list.name, name))) return nameTaken(name)
  return watchlists.length < maxLists ? undefined : tooManyLists
}
