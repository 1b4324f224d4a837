import { basename } from 'node:path'
import { nearIndex } from '../../core/alert-reach'
import { formulaInfo, misfit } from '../../core/formula'
import { formulaParts } from '../../core/formula-id'
import {
  failure,
  ok,
  type IndexId,
  type IndexInfo,
  type Outcome,
  type Resolution,
  type Settings,
  type Subscription,
  type WatchlistEntry,
} from '../../core/model'
import { quoteRecord } from '../../core/records'
import { maxListName } from '../../core/settings-schema'
import type { CommandHandlers } from '../../protocol/commands/contract'
import type { ListImportPreview, TickerImportPreview } from '../../protocol/responses'
import { latestQuote, type Owners } from '../access/latest'
import { recordTable } from '../base/table-files'
import { sanitizeText } from '../base/sanitize'
import { listing } from '../connections/overall-status'
import * as lists from '../lists/list-changes'
import { planImport, undoOfImport, writeListFile, type FileList } from '../lists/list-file'
import { chosenLists, takeListSource, type ListSource, type ListSourceTask } from '../lists/list-source'
import type { SettingsChange } from '../storage/settings'
import type { Core, Feature } from './feature'
import { UserFiles, type Files, type FileToSave, type TableToSave } from './user-files'

/** The rows of all lists. */
export function listedEntries({ watchlists }: Settings): WatchlistEntry[] {
  return watchlists.flatMap((list) => list.entries)
}

/** Pinned indices, and those of the ticker while it is open. They may be in no list. */
function glanceIds({ pinnedIds, tickerIds, showsTicker }: Settings): IndexId[] {
  return showsTicker ? [...pinnedIds, ...tickerIds] : pinnedIds
}

/** All indices shown by the settings. */
export function shownIds(settings: Settings): Set<IndexId> {
  return new Set([...listedEntries(settings).map(({ id }) => id), ...glanceIds(settings)])
}

/** The indices of lists with a column of means. */
export function idsWithMean({ watchlists }: Settings): Set<IndexId> {
  const lists = watchlists.filter(({ columns }) => columns?.includes('mean'))
  return new Set(lists.flatMap(({ entries }) => entries.map(({ id }) => id)))
}

/** Where lists get names, values and refusals. */
type Sources = Pick<Owners, 'connections' | 'quotes'> & {
  /** Changes the settings, once the desk has taken the changes of its lists. */
  changeLists: <T>(step: (settings: Settings) => SettingsChange<T>) => Promise<Outcome<T>>
}

type ListPreview = Omit<ListImportPreview, 'importId' | 'fileName'> | Omit<TickerImportPreview, 'importId' | 'fileName'>

type ListCore = Files & Pick<Core, 'startThread'>

/** Watchlists and pins, which are part of the settings. Lists are exported to files and imported from them. */
export function createLists(core: ListCore, sources: Sources) {
  const { settings } = core
  return {
    commands: listCommands(core, sources),
    wanted: (): Subscription[] => [
      ...listedEntries(settings.get()).map((entry) => ({ stream: 'value', ...entry }) as const),
      ...glanceIds(settings.get()).map((id) => ({ stream: 'value', id, maxResolution: 'PER_SECOND' }) as const),
    ],
  } satisfies Feature
}

function listCommands(core: ListCore, sources: Sources) {
  const { settings, newId } = core
  const { connections, changeLists: change } = sources
  const files = new UserFiles<{ source: ListSource; name: string }>(core)
  const planned = (read: FileList[], { watchlists } = settings.get()) => {
    const ids = read.flatMap(({ entries }) => entries.map(({ id }) => id))
    const unfit = ids
      .map((id) => misfit(id, (part) => connections.resolutionOf(part)))
      .find((each) => each !== undefined)
    if (unfit !== undefined) return failure('badList', `${unfit} Nothing was imported.`)
    return planImport(watchlists, read, newId)
  }
  /** Reads in a thread. `name` is the file's. */
  const read = async (source: ListSourceTask['source'], name: string) => {
    const task: ListSourceTask = {
      source,
      catalogue: connections.catalogue.map(({ id, codes = [], maxResolution }) => ({ id, codes, maxResolution })),
    }
    const taken = await takeListSource(core.startThread('list-source-worker.js', task))
    return taken.ok ? ok({ source: taken.value, name: listNameOf(name) }) : taken
  }
  const preview = ({ source, name }: { source: ListSource; name: string }): Outcome<ListPreview> => {
    if (!Array.isArray(source)) return ok({ ...source, name })
    const plan = planned(source)
    if (!plan.ok) return plan
    const { adds, changes } = plan.value
    return ok({ adds, changes, lists: plan.value.lists })
  }
  return {
    addIndex: async (args) => {
      const refusal = formulaRefusal(connections, args.indexId)
      if (refusal !== undefined) return refusal
      const added = await change((now) => lists.addIndex(now, args))
      // Adding an index again is how a user retries one that the service refused.
      if (added.ok && added.value.wasThere) connections.askAgain(args.indexId)
      return added
    },
    removeRows: (args) => change((now) => lists.removeRows(now, args)),
    moveRows: (args) => change((now) => lists.moveRows(now, args)),
    nameSection: (args) => change((now) => lists.nameSection(now, args, newId())),
    undoRows: (args) => change((now) => lists.undoRows(now, args)),
    setResolution: (args) => change((now) => lists.setResolution(now, args)),
    createList: (args) => change((now) => lists.createList(now, args, newId())),
    renameList: (args) => change((now) => lists.renameList(now, args)),
    removeList: (args) => change((now) => lists.removeList(now, args)),
    restoreList: (args) => change((now) => lists.restoreList(now, args)),
    moveList: (args) => change((now) => lists.moveList(now, args)),
    arrangeList: (args) => change((now) => lists.arrangeList(now, args)),
    setPinned: (args) => change((now) => lists.setPinned(now, args)),
    saveListTable: ({ listId }) => files.saveTable(() => listTable(settings.get(), sources, listId)),
    exportLists: ({ listIds }) => files.save(() => listFile(settings.get(), listIds)),
    chooseListFile: () => files.choose('lists', (path) => read({ path }, basename(path)), preview),
    readLists: ({ text, fileName = pastedName }) => files.read(fileName, () => read({ text }, fileName), preview),
    importLists: async ({ importId, taken = [], into }) => {
      const content = files.take(importId)
      if (!content.ok) return content
      const { source, name } = content.value
      const chosen = Array.isArray(source)
        ? source
        : chosenLists(source, { taken, ...(into !== undefined && { into }) }, name)
      // The lists may have changed since the file was chosen, so the result is computed again.
      return change((now) => {
        const plan = planned(chosen, now)
        if (!plan.ok) return plan
        const { adds, changes, watchlists } = plan.value
        const undo = changes === 0 ? { undo: undoOfImport(now.watchlists, watchlists) } : {}
        return ok({ settings: { ...now, watchlists }, answer: { adds, changes, ...undo } })
      })
    },
  } satisfies Partial<CommandHandlers>
}

/** A formula over an unlisted index, or over one that does not suit it, would never have a value. */
function formulaRefusal(connections: Owners['connections'], id: string): Outcome<never> | undefined {
  const known = listing(connections)
  const unfit = misfit(id, (part) => connections.resolutionOf(part))
  if (unfit !== undefined) return failure('unfitPart', unfit)
  const part = formulaParts(id).find((each) => known.isKnown(each) === false)
  if (part === undefined) return undefined
  return failure('unknownPart', `The provider does not list ${part}. ${nearIndex(part, known.ids)}`)
}

const unknownList = failure('unknownList', 'That list no longer exists.')

/** A list in its own order, values as published. */
function listTable({ watchlists }: Settings, sources: Sources, listId: string): Outcome<TableToSave> {
  const { connections } = sources
  const list = watchlists.find(({ id }) => id === listId)
  if (list === undefined) return unknownList
  const catalogue = new Map(connections.catalogue.map((info) => [info.id, info]))
  const rows = list.entries.map((entry) => {
    const { id } = entry
    const info = catalogue.get(id) ?? formulaInfo(id, (part) => catalogue.get(part))
    return quoteRecord({
      id,
      name: info?.name,
      quote: latestQuote(sources, id),
      frequency: frequencyOf(entry, info),
      isDemo: connections.status.isDemo,
      refusal: connections.refusal(id),
    })
  })
  return ok({ fileName: list.name, table: recordTable('Watchlist', 'quote', [rows]) })
}

/** The frequency of values. Every tick of a 200 ms index only if it was requested. */
function frequencyOf({ maxResolution }: WatchlistEntry, info: IndexInfo | undefined): Resolution | undefined {
  return info?.maxResolution === 'PER_200MS' ? maxResolution : info?.maxResolution
}

/** What a pasted text is called. */
const pastedName = 'pasted text'

/** The name of a new list from this file. */
function listNameOf(fileName: string): string {
  const name = sanitizeText(fileName.replace(/\.[^.]*$/, ''), maxListName)
  return name === '' || fileName === pastedName ? 'Imported' : name
}

function listFile({ watchlists }: Settings, listIds: readonly string[]): Outcome<FileToSave> {
  const wanted = new Set(listIds)
  const lists = watchlists.filter(({ id }) => wanted.has(id))
  if (lists.length < wanted.size) return unknownList
  const [only] = lists
  const name = lists.length === 1 && only !== undefined ? only.name : 'Watchlists'
  return ok({ name, kind: 'json', text: writeListFile(lists) })
}
