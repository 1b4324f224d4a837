/** Reads a file or a text of lists in any known form, and matches its tickers with indices. */
import { basename } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { decodeText } from '../../core/file-text'
import { failure, ok, type IndexInfo, type Outcome } from '../../core/model'
import { isSameListName } from '../../core/list-lines'
import { matchSpelling, matchTicker, maxTickerText } from '../../core/tickers'
import type { TickerImportPreview } from '../../protocol/responses'
import { ThreadJob } from '../base/thread-job'
import { readUserBytes } from '../storage/user-file'
import { maxListFileBytes, readListFile, type FileList } from './list-file'
import { readTickerText } from './ticker-text'

/** What the thread reads: a file, or a text. */
export interface ListSourceTask {
  source: { path: string } | { text: string }
  /** The indices of the provider. */
  catalogue: readonly Pick<IndexInfo, 'id' | 'codes'>[]
}

type MatchedTickers = Pick<TickerImportPreview, 'sections' | 'unread'>

/** The lists of a file of this app, or the tickers of another text. */
export type ListSource = FileList[] | MatchedTickers

/** Reads in the thread. Never rejects. */
export async function readListSource({ source, catalogue }: ListSourceTask): Promise<Outcome<ListSource>> {
  if ('text' in source) return sourceOf(source.text, catalogue)
  const name = basename(source.path)
  const bytes = await readUserBytes(source.path, maxListFileBytes)
  if (!bytes.ok) return bytes
  const text = decodeText(bytes.value)
  if (text === undefined) return failure('notText', `${name} is not a text. Choose another file.`)
  return sourceOf(text, catalogue)
}

function sourceOf(text: string, catalogue: ListSourceTask['catalogue']): Outcome<ListSource> {
  if (/^\s*\{/.test(text)) return readListFile(text)
  if (text.length > maxTickerText) {
    return failure('tooLarge', 'A list of tickers can have at most 1 MB. Import it in parts.')
  }
  const read = readTickerText(text)
  if (!read.ok) return read
  if (catalogue.length === 0) {
    return failure('notReady', 'The provider has not sent its index list yet. Try again when it is connected.')
  }
  const { sections, unread } = read.value
  const match = (written: string) => {
    const found = matchTicker(catalogue, written)
    return found.kind === 'unknown' ? (matchSpelling(catalogue, written) ?? found) : found
  }
  return ok({
    unread,
    sections: sections.map(({ tickers, ...section }) => ({
      ...section,
      tickers: tickers.map((ticker) => ({ ...ticker, match: match(ticker.text) })),
    })),
  })
}

/** The outcome of the thread. Never rejects. */
export async function takeListSource(worker: Worker): Promise<Outcome<ListSource>> {
  const lost = (reason: string) => failure('internal', `The list could not be read: ${reason} Choose another one.`)
  const ended = await new ThreadJob<never, ListSource>(worker, lost).ended
  if (!ended.ok) return ended
  return ended.value === null ? lost('cancelled.') : ok(ended.value)
}

/** How to import tickers: `taken` by their place, `into` a list, or each section into a list of its name. */
export interface TickerChoice {
  taken: readonly number[]
  into?: string
}

/** The chosen tickers as lists. `name` is for those outside sections. Tickers that name no index are left out. */
export function chosenLists({ sections }: MatchedTickers, { taken, into }: TickerChoice, name: string): FileList[] {
  const chosen = new Set(taken)
  let place = 0
  const lists: FileList[] = []
  for (const section of sections) {
    const listName = into ?? section.name ?? name
    const held = lists.find((list) => isSameListName(list.name, listName))
    const list: Required<FileList> = { name: listName, entries: [], sections: [], ...held }
    const present = new Set(list.entries.map(({ id }) => id))
    const ids = section.tickers.flatMap(({ match }) =>
      chosen.has(place++) && match.kind !== 'unknown' ? match.id : [],
    )
    const added = [...new Set(ids)].filter((id) => !present.has(id))
    if (added.length === 0) continue
    if (into !== undefined && section.name !== undefined) {
      list.sections.push({ name: section.name, at: list.entries.length })
    }
    list.entries.push(...added.map((id) => ({ id })))
    if (held === undefined) lists.push(list)
  }
  return lists
}
