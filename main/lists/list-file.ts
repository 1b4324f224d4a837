/** The file format of watchlists, described in docs/reference/watchlist-file.md, and what an import would do. */
import { formatCount } from '../../core/decimal'
import * as v from 'valibot'
import { maxEntries, maxSections, sectionNameSchema } from '../../core/settings-schema'
import { idProblem, isIndexId } from '../../core/shapes'
import {
  failure,
  ok,
  requestedResolutions,
  type IndexId,
  type ListSection,
  type Outcome,
  type RequestedResolution,
  type Watchlist,
} from '../../core/model'
import { contentOf, isSameListName, isSection, linesOf, type ListLine } from '../../core/list-lines'
import { entryCount, maxEntriesInAll, maxLists } from './list-changes'
import { isRecord, printableJson } from '../base/sanitize'
import { parseUserJson, placeIn } from '../storage/user-file'
import type { RowsUndo } from '../../protocol/commands/lists'
import type { ListImportPreview } from '../../protocol/responses'

/** Larger than any file with the maximum number of lists and entries and names of maximum length. */
export const maxListFileBytes = maxLists * 1_024 + maxEntriesInAll * 512

const listFileFormat = 'indexwatch-watchlists'
const listFileVersion = 1

/** A list in a file. */
export interface FileList {
  name: string
  entries: { id: IndexId; maxResolution?: RequestedResolution }[]
  /** `at` is the number of indices above the section. */
  sections?: Omit<ListSection, 'id'>[]
}

const entrySchema = v.object(
  {
    id: v.pipe(
      v.string(idProblem('')),
      v.check(
        (id): boolean => isIndexId(id),
        ({ input }) => idProblem(input),
      ),
    ),
    maxResolution: v.exactOptional(
      v.picklist(requestedResolutions, `It must be one of ${requestedResolutions.join(' and ')}.`),
    ),
  },
  'It must be an object with an "id".',
)
const placeWords = 'It must be the number of indices above the section.'
const sectionSchema = v.object(
  { name: sectionNameSchema, at: v.pipe(v.number(placeWords), v.integer(placeWords), v.minValue(0, placeWords)) },
  'It must be an object with a "name" and "at".',
)
const nameWords = 'A watchlist needs a name of at most 60 characters.'
const listSchema = v.object(
  {
    name: v.pipe(v.string(nameWords), v.trim(), v.minLength(1, nameWords), v.maxLength(60, nameWords)),
    entries: v.pipe(
      v.array(entrySchema, 'It must be an array.'),
      v.maxLength(maxEntries, `A watchlist can contain at most ${formatCount(maxEntries)} indices.`),
    ),
    sections: v.exactOptional(
      v.pipe(
        v.array(sectionSchema, 'It must be an array.'),
        v.maxLength(maxSections, `A watchlist can have at most ${maxSections} sections.`),
      ),
    ),
  },
  'It must be an object with a "name" and "entries".',
)
const listsSchema = v.pipe(
  v.array(listSchema, 'It must be an array.'),
  v.minLength(1, 'It contains no watchlists.'),
  v.maxLength(maxLists, `There can be at most ${maxLists} watchlists.`),
)

/** Formats lists as a file, with the frequency of each index. Sorting and columns are not written. */
export function writeListFile(lists: readonly Watchlist[]): string {
  const written = lists.map(({ name, entries, sections }) => ({
    name,
    entries: entries.map(({ id, maxResolution }) => ({ id, maxResolution })),
    sections: sections?.map(({ name, at }) => ({ name, at })),
  }))
  return `${printableJson({ format: listFileFormat, version: listFileVersion, lists: written }, 2)}\n`
}

/**
 * Reads the text of a file. Returns its lists or the first problem: `notJson`, `otherFormat`, `newerVersion`, `badList`
 * with the place such as `lists[2].entries[5].id`, `duplicateName`, `duplicateIndex`.
 */
export function readListFile(text: string): Outcome<FileList[]> {
  const document = parseUserJson(text)
  if (document === undefined) {
    return failure('notJson', 'This file is not valid JSON. Choose a file that was exported from Indexwatch.')
  }
  if (!isRecord(document) || document['format'] !== listFileFormat) {
    return failure(
      'otherFormat',
      `This file contains no watchlists: its "format" is not "${listFileFormat}". Choose a file that was exported from Indexwatch.`,
    )
  }
  const { version } = document
  if (typeof version === 'number' && version > listFileVersion) {
    return failure(
      'newerVersion',
      'This file was written by a newer version of Indexwatch. Install that version to read it.',
    )
  }
  if (version !== listFileVersion) return failure('badList', `version: It must be ${listFileVersion}.`)
  const read = v.safeParse(listsSchema, document['lists'])
  if (!read.success) {
    const [issue] = read.issues
    return failure('badList', `${placeIn('lists', issue.path ?? [])}: ${issue.message}`)
  }
  return duplicateOf(read.output) ?? ok(read.output)
}

function duplicateOf(lists: readonly FileList[]): Outcome<never> | undefined {
  for (const [at, { name, entries }] of lists.entries()) {
    const first = lists.findIndex((other) => isSameListName(other.name, name))
    if (first < at) {
      return failure(
        'duplicateName',
        `lists[${at}].name: ${name} is the name of lists[${first}] too. Rename one of them.`,
      )
    }
    const places = new Map<IndexId, number>()
    for (const [place, { id }] of entries.entries()) {
      const before = places.get(id)
      if (before !== undefined) {
        const where = `lists[${at}].entries[${place}].id`
        return failure('duplicateIndex', `${where}: ${id} is also entries[${before}]. Remove one of them.`)
      }
      places.set(id, place)
    }
  }
  return undefined
}

/** What an import would do, and the resulting lists. */
export interface ImportPlan extends Omit<ListImportPreview, 'importId' | 'fileName'> {
  watchlists: Watchlist[]
}

/**
 * Merges the lists of a file into the existing ones. A list of the same name gets the new entries at its end, those of a
 * section at the end of its section of the same name. Another list is added at the end. Nothing is removed or moved. An
 * entry without a frequency in the file keeps the existing one. All or nothing: `listFull`, `listsFull`, `tooManySections`
 * and `tooManyLists` name what does not fit.
 */
export function planImport(
  watchlists: readonly Watchlist[],
  fileLists: readonly FileList[],
  newId: () => string,
): Outcome<ImportPlan> {
  const plan: ImportPlan = { adds: 0, changes: 0, lists: [], watchlists: [...watchlists] }
  for (const fileList of fileLists) {
    const at = plan.watchlists.findIndex((list) => isSameListName(list.name, fileList.name))
    const held = plan.watchlists[at]
    const list = held ?? { id: newId(), name: fileList.name, entries: [] }
    const { adds, changes, lines } = merge(list, fileList, newId, held === undefined)
    const merged = { ...list, ...contentOf(lines) }
    if (merged.entries.length > maxEntries) {
      const message = `${fileList.name} would contain more than ${formatCount(maxEntries)} indices. Nothing was imported.`
      return failure('listFull', message)
    }
    if ((merged.sections?.length ?? 0) > maxSections) {
      const message = `${fileList.name} would have more than ${maxSections} sections. Nothing was imported.`
      return failure('tooManySections', message)
    }
    if (held === undefined) plan.watchlists.push(merged)
    else if (adds.length + changes.length > 0) plan.watchlists[at] = merged
    plan.lists.push({ name: list.name, isNew: held === undefined, adds, changes })
    plan.adds += adds.length
    plan.changes += changes.length
  }
  if (entryCount(plan.watchlists) > maxEntriesInAll) {
    const message = `All watchlists together would contain more than ${formatCount(maxEntriesInAll)} indices. Nothing was imported.`
    return failure('listsFull', message)
  }
  if (plan.watchlists.length <= maxLists) return ok(plan)
  const message = `There would be more than ${maxLists} watchlists. Nothing was imported.`
  return failure('tooManyLists', message)
}

function merge(held: Watchlist, file: FileList, newId: () => string, isNew: boolean) {
  const wanted = new Map(file.entries.map((entry) => [entry.id, entry.maxResolution]))
  const known = new Set<string>(held.entries.map(({ id }) => id))
  const adds: IndexId[] = []
  const changes: IndexId[] = []
  const lines = linesOf(held).map((line): ListLine => {
    const maxResolution = wanted.get(line.id)
    if (isSection(line) || maxResolution === undefined || maxResolution === line.maxResolution) return line
    changes.push(line.id)
    return { ...line, maxResolution }
  })
  let place = lines.length
  /** A section is added with its first row, so that none is without rows. A new list is as in the file. */
  let awaited: ListSection | undefined
  const begin = (section: ListSection) => {
    awaited = undefined
    lines.push({ ...section, id: newId() })
    place = lines.length
  }
  for (const line of fileLines(file)) {
    if (isSection(line)) {
      const at = lines.findIndex((each) => isSection(each) && isSameListName(each.name, line.name))
      const next = lines.findIndex((each, after) => after > at && isSection(each))
      if (isNew) begin(line)
      else if (at === -1) awaited = line
      else {
        awaited = undefined
        place = next === -1 ? lines.length : next
      }
    } else if (!known.has(line.id)) {
      if (awaited !== undefined) begin(awaited)
      known.add(line.id)
      adds.push(line.id)
      lines.splice(place++, 0, line)
    }
  }
  return { lines, adds, changes }
}

function fileLines({ entries, sections = [] }: FileList): ListLine[] {
  return linesOf({
    entries: entries.map(({ id, maxResolution = 'PER_SECOND' }) => ({ id, maxResolution })),
    sections: sections.map((section) => ({ id: '', ...section })),
  })
}

/** What `undoRows` needs to undo an import that changed no frequency. */
export function undoOfImport(before: readonly Watchlist[], after: readonly Watchlist[]): RowsUndo {
  const changed = after.filter((list) => !before.includes(list))
  const lists = changed.map((list) => {
    const held = before.find(({ id }) => id === list.id)
    const known = new Set(held && linesOf(held).map(({ id }) => id))
    const rowIds = linesOf(list).flatMap(({ id }) => (known.has(id) ? [] : [id]))
    const content = held === undefined ? { entries: [], isNew: true as const } : contentOf(linesOf(held))
    return { rowIds, list: { id: list.id, ...content } }
  })
  return { rowIds: [...new Set(lists.flatMap(({ rowIds }) => rowIds))], lists: lists.map(({ list }) => list) }
}
