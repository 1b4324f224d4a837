import type { HandlersOf } from '../../protocol/commands/contract'
import type { listCommands } from '../../protocol/commands/lists'
import { nearIndex } from '../../core/alert-reach'
import { formulaInfo } from '../../core/formula'
import { formulaParts } from '../../core/formula-id'
import { failure, type IndexInfo, type Outcome, type Resolution, type WatchlistEntry, ok } from '../../core/model'
import { quoteRecord, records } from '../../core/records'
import { latestQuote } from '../access/latest'
import { recordsCsv } from '../base/csv'
import type { AppContext } from './context'
import { UserFiles, type FileToSave } from './user-files'
import { listing } from '../connections/overall-status'
import * as lists from '../lists/list-changes'
import { maxListFileBytes, planImport, readListFile, writeListFile, type FileList } from '../lists/list-file'
import { readUserFile } from '../storage/user-file'

/** Watchlists and what is pinned, which the settings own; lists on their way to a file and back. */
export function listHandlers(context: AppContext): HandlersOf<typeof listCommands> {
  const { settings, connections, newId } = context
  const files = new UserFiles<FileList[]>(context)
  const planned = (read: FileList[]) => planImport(settings.get().watchlists, read, newId)
  return {
    addIndex: async (args) => {
      const refusal = formulaRefusal(context, args.indexId)
      if (refusal !== undefined) return refusal
      const added = await settings.change((now) => lists.addIndex(now, args))
      // Adding what the service refused is how a user asks for it again.
      if (added.ok && added.value.wasThere) connections.askAgain(args.indexId)
      return added
    },
    removeIndex: (args) => settings.change((now) => lists.removeIndex(now, args)),
    moveIndex: (args) => settings.change((now) => lists.moveIndex(now, args)),
    setResolution: (args) => settings.change((now) => lists.setResolution(now, args)),
    createList: (args) => settings.change((now) => lists.createList(now, args, newId())),
    renameList: (args) => settings.change((now) => lists.renameList(now, args)),
    removeList: (args) => settings.change((now) => lists.removeList(now, args)),
    restoreList: (args) => settings.change((now) => lists.restoreList(now, args)),
    moveList: (args) => settings.change((now) => lists.moveList(now, args)),
    arrangeList: (args) => settings.change((now) => lists.arrangeList(now, args)),
    setPinned: (args) => settings.change((now) => lists.setPinned(now, args)),
    saveListCsv: ({ listId }) => files.save(() => listTable(context, listId)),
    exportLists: ({ listIds }) => files.save(() => listFile(context, listIds)),
    chooseListFile: () =>
      files.choose('json', readLists, (content) => {
        const plan = planned(content)
        if (!plan.ok) return plan
        const { adds, changes } = plan.value
        return ok({ adds, changes, lists: plan.value.lists })
      }),
    importLists: async ({ importId }) => {
      const content = files.take(importId)
      if (!content.ok) return content
      // The lists may have changed since the file was chosen: what it does is counted again.
      const plan = planned(content.value)
      if (!plan.ok) return plan
      const { adds, changes, watchlists } = plan.value
      await settings.setLists(watchlists)
      return ok({ adds, changes })
    },
  }
}

/** A formula over an index that no service lists would never have a value. */
function formulaRefusal({ connections }: AppContext, id: string): Outcome<never> | undefined {
  const known = listing(connections)
  const part = formulaParts(id).find((each) => known.isKnown(each) === false)
  if (part === undefined) return undefined
  return failure('unknownPart', `The provider does not list ${part}. ${nearIndex(part, known.ids)}`)
}

const unknownList = failure('unknownList', 'That list no longer exists.')

/** A list as CSV, in its own order, digit by digit. */
function listTable(context: AppContext, listId: string): Outcome<FileToSave> {
  const { settings, connections } = context
  const list = settings.get().watchlists.find(({ id }) => id === listId)
  if (list === undefined) return unknownList
  const catalogue = new Map(connections.catalogue.map((info) => [info.id, info]))
  const rows = list.entries.map((entry) => {
    const { id } = entry
    const info = catalogue.get(id) ?? formulaInfo(id, (part) => catalogue.get(part))
    return quoteRecord({
      id,
      name: info?.name,
      quote: latestQuote(context, id),
      frequency: frequencyOf(entry, info),
      isDemo: connections.status.isDemo,
      refusal: connections.refusal(id),
    })
  })
  return ok({ name: list.name, kind: 'csv', text: recordsCsv(records.quote, rows) })
}

/** How often values come: every tick of a fast index only where it was asked for. */
function frequencyOf({ maxResolution }: WatchlistEntry, info: IndexInfo | undefined): Resolution | undefined {
  return info?.maxResolution === 'PER_200MS' ? maxResolution : info?.maxResolution
}

async function readLists(path: string): Promise<Outcome<FileList[]>> {
  const text = await readUserFile(path, maxListFileBytes)
  return text.ok ? readListFile(text.value) : text
}

function listFile({ settings }: AppContext, listIds: readonly string[]): Outcome<FileToSave> {
  const wanted = new Set(listIds)
  const lists = settings.get().watchlists.filter(({ id }) => wanted.has(id))
  if (lists.length < wanted.size) return unknownList
  const [only] = lists
  const name = lists.length === 1 && only !== undefined ? only.name : 'Watchlists'
  return ok({ name, kind: 'json', text: writeListFile(lists) })
}
