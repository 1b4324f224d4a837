/** The file format of watchlists, described in docs/watchlist-file.md. */
import * as v from 'valibot'
import { indexIdPattern } from '../../protocol/shapes'
import { requestedResolutions } from '../../protocol/model'
import type { IndexId, Outcome, RequestedResolution, Watchlist } from '../../protocol/model'
import { isSameListName, mostEntries, mostLists } from '../base/list-rules'
import { isRecord } from '../base/untrusted-text'
import { parseUserJson, placeIn } from '../base/user-json'

export const listFileFormat = 'indexwatch-watchlists'
export const listFileVersion = 1

/** A list as a file tells it. */
export interface FileList {
  name: string
  entries: { id: IndexId; maxResolution?: RequestedResolution }[]
}

const idWords = 'An index id has letters, digits, "_", "." and "-" only, at most 64.'
const entrySchema = v.object(
  {
    id: v.pipe(v.string(idWords), v.regex(indexIdPattern, idWords)),
    maxResolution: v.exactOptional(
      v.picklist(requestedResolutions, `It must be one of ${requestedResolutions.join(' and ')}.`),
    ),
  },
  'It must be an object with an "id".',
)
const nameWords = 'A list needs a name of at most 60 characters.'
const listSchema = v.object(
  {
    name: v.pipe(v.string(nameWords), v.trim(), v.minLength(1, nameWords), v.maxLength(60, nameWords)),
    entries: v.pipe(
      v.array(entrySchema, 'It must be an array.'),
      v.maxLength(mostEntries, `A list holds at most ${mostEntries} indices.`),
    ),
  },
  'It must be an object with a "name" and "entries".',
)
const listsSchema = v.pipe(
  v.array(listSchema, 'It must be an array.'),
  v.minLength(1, 'There is no list in it.'),
  v.maxLength(mostLists, `There can be at most ${mostLists} lists.`),
)

/** Lists as they are written to a file, with each index's resolution. Sorting and columns stay at home. */
export function writeListFile(lists: readonly Watchlist[]): string {
  const written = lists.map(({ name, entries }) => ({
    name,
    entries: entries.map(({ id, maxResolution }) => ({ id, maxResolution })),
  }))
  return `${JSON.stringify({ format: listFileFormat, version: listFileVersion, lists: written }, undefined, 2)}\n`
}

/**
 * Reads the text of a file. Problems say what is wrong and where: `notJson`, `otherFormat`, `newerVersion`, `badList`
 * with the place such as `lists[2].entries[5].id`, `duplicateName`, `duplicateIndex`.
 */
export function readListFile(text: string): Outcome<FileList[]> {
  const document = parseUserJson(text)
  if (document === undefined) {
    return problem('notJson', 'This file is no JSON. Choose a file that was exported from Indexwatch.')
  }
  if (!isRecord(document) || document['format'] !== listFileFormat) {
    return problem(
      'otherFormat',
      `This file holds no watchlists: its "format" is not "${listFileFormat}". Choose a file that was exported from Indexwatch.`,
    )
  }
  const { version } = document
  if (typeof version === 'number' && version > listFileVersion) {
    return problem(
      'newerVersion',
      'This file was made by a newer version of Indexwatch. Install that version to read it.',
    )
  }
  if (version !== listFileVersion) return problem('badList', `version: It must be ${listFileVersion}.`)
  const read = v.safeParse(listsSchema, document['lists'])
  if (!read.success) {
    const [issue] = read.issues
    return problem('badList', `${placeIn('lists', issue.path ?? [])}: ${issue.message}`)
  }
  return duplicateOf(read.output) ?? { ok: true, value: read.output }
}

function duplicateOf(lists: readonly FileList[]): Outcome<never> | undefined {
  for (const [at, { name, entries }] of lists.entries()) {
    const first = lists.findIndex((other) => isSameListName(other.name, name))
    if (first < at) {
      return problem(
        'duplicateName',
        `lists[${at}].name: ${name} is the name of lists[${first}] too. Rename one of them.`,
      )
    }
    const places = new Map<IndexId, number>()
    for (const [place, { id }] of entries.entries()) {
      const before = places.get(id)
      if (before !== undefined) {
        const where = `lists[${at}].entries[${place}].id`
        return problem('duplicateIndex', `${where}: ${id} is there already, as entries[${before}]. Remove one of them.`)
      }
      places.set(id, place)
    }
  }
  return undefined
}

function problem(code: string, message: string): Outcome<never> {
  return { ok: false, problem: { code, message } }
}
